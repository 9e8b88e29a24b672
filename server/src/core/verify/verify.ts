// Verifies in a sandbox that a proposal breaks nothing and makes the repository better, gate by gate, cheapest first.

import { throwIfCancelled } from '../../util/typedError.ts';
import type { Points, Proposal, Verdict } from '../model.ts';
import { FACTS_BY_CLAIM } from '../model/claims.ts';
import { GATE_ORDER, type GateName } from '../model/gates.ts';
import { gatesOfStages } from '../model/gateStages.ts';
import { checkLabel } from '../../protocol/plainWords.ts';
import { canBeDeferredAgain, markUnknownIfBusy, findWaitingVerdict } from './busyMachine.ts';
import { isGainPossible, explainMissingGain } from './claims/claimVerdicts.ts';
import { createCommands, type Commands } from './commands.ts';
import { readProject, type DetectedProject } from './detect/project.ts';
import type { Gate, GateInput } from './gate.ts';
import type { Disturbance } from './integrity/disturbance.ts';
import { excludeUnseenTests } from './integrity/unseenTests.ts';
import { gates as GATES } from './gates/allGates.ts';
import { createVerdictForOne } from './sharedVerdicts.ts';
import type { KeptVerdicts } from './unfinishedVerdicts.ts';
import { describeRunningCommand } from './runningCommandText.ts';
import type { Progress } from '../operation.ts';
import type { GateAnswer } from './answer.ts';
import type { VerifyContext } from './context.ts';

/** The verdicts and points of a verification. */
interface Measured {
  /** Verdicts of the gates that ran; a failed one is the last. */
  readonly verdicts: readonly Verdict[];
  /** The points before the change; null if the score gate did not run. */
  readonly pointsBefore: Points | null;
  readonly pointsAfter: Points | null;
}

/** A verification with its decision. `busy`: the decision depends on time, and other programs kept the machine busy. */
export type Verification =
  | (Measured & { readonly outcome: 'verified' })
  | (Measured & { readonly outcome: 'refused'; readonly reason: string })
  | (Measured & { readonly outcome: 'busy'; readonly reason: string });

/**
 * Runs the gates in order. Stops after a failure, after a score gate without a possible gain, and after a verdict that
 * waits for an idle machine, because later gates could not change the result. A proposal is verified if no gate failed,
 * and the score rises or another gate shows the gain (claims/claimVerdicts.ts). Throws `cancelled`, `noCommit`,
 * `notARepository` and the errors of adapters. Always removes the sandboxes.
 */
export async function verifyProposal(
  context: VerifyContext,
  proposal: Proposal,
  signal: AbortSignal,
): Promise<Verification> {
  throwIfCancelled(signal);
  const gates = collectGates(context, proposal);
  const mayDefer = !context.atOnce && canBeDeferredAgain(proposal);
  let progress: Progress = { stage: 'verifying', done: 0, total: gates.length, message: 'Opening a sandbox' };
  context.report?.(progress);
  const missingPackages = (await context.findPackagesMissingAfter?.(proposal.edits)) ?? [];
  const packageFiles = await context.findPackageFiles?.(proposal.edits);
  const worktree = await context.sandbox.open(signal, packageFiles, missingPackages);
  const commands = createCommands(worktree, {
    ...context,
    edits: proposal.edits,
    ...(missingPackages.length > 0 || packageFiles !== undefined ? { hasOwnPackages: true } : {}),
    timeoutMs: context.settings.timeoutSeconds * 1000,
    tell: (underWay) =>
      context.report?.({ ...progress, message: `${progress.message}: ${describeRunningCommand(underWay)}` }),
  });
  let project: Promise<DetectedProject> | null = null;
  const verdicts: Verdict[] = [];
  const run: GateInput = {
    context,
    proposal,
    edits: proposal.edits,
    verdicts,
    worktree,
    ...commands,
    project: () => (project ??= readProject(worktree)),
  };
  let points: { readonly before: Points; readonly after: Points } | null = null;
  /** Opened after the score gate, just before gates run commands. */
  let unfinished: KeptVerdicts | undefined;
  try {
    for (const [done, gate] of gates.entries()) {
      throwIfCancelled(signal);
      progress = { stage: 'verifying', done, total: gates.length, message: checkLabel(gate) };
      context.report?.(progress);
      const sharedVerdict = context.together?.verdicts.find((verdict) => verdict.gate === gate);
      if (context.together && sharedVerdict) {
        verdicts.push(await createVerdictForOne(sharedVerdict, context.together, proposal, context));
        continue;
      }
      const storedVerdict = unfinished?.find(gate);
      if (storedVerdict) {
        verdicts.push({
          ...storedVerdict,
          evidence: { ...storedVerdict.evidence, remembered: 'Shown before the verification was interrupted.' },
        });
        continue;
      }
      const startedAt = context.clock.now();
      const { points: gatePoints, ...answer } = applyDisturbance(
        markUnknownIfBusy(await getGate(gate)(run, signal), context.machine),
        await commands.disturbance(signal),
      );
      points = gatePoints ?? points;
      const verdict: Verdict = { gate, ...answer, millis: context.clock.now() - startedAt };
      verdicts.push(verdict);
      if (gate === 'score' && isGainPossible(answer)) unfinished = await loadKeptVerdicts(run, commands, signal);
      else if (answer.outcome === 'passed' && unfinished)
        await Promise.all([unfinished.keep(verdict), commands.keepCandidate(verdicts)]);
      if (answer.outcome === 'failed' || (gate === 'score' && !isGainPossible(answer))) break;
      // If the comparison ran out of time, mutants may still show the gain; but if the tests did, no later gate can.
      if (mayDefer && gate !== 'differential' && findWaitingVerdict(verdicts)) break;
    }
    if (verdicts.every(({ outcome }) => outcome !== 'failed')) await commands.keepCandidate(verdicts);
    // A deferred proposal continues later, so its verdicts stay stored.
    if (!mayDefer || findWaitingVerdict(verdicts) === null) await unfinished?.forget();
  } finally {
    await Promise.all([worktree.dispose(), commands.dispose()]);
  }
  const verdictsAndPoints = { verdicts, pointsBefore: points?.before ?? null, pointsAfter: points?.after ?? null };
  const lastVerdict = verdicts.at(-1);
  if (lastVerdict?.outcome === 'failed')
    return { ...verdictsAndPoints, outcome: 'refused', reason: `${lastVerdict.gate}: ${lastVerdict.reason}` };
  const waiting = mayDefer ? findWaitingVerdict(verdicts) : null;
  if (waiting)
    return {
      ...verdictsAndPoints,
      outcome: 'busy',
      reason: `Machine busy: ${checkLabel(waiting.gate)}: ${waiting.reason}`,
    };
  const missingGain = explainMissingGain(verdicts);
  return missingGain === null
    ? { ...verdictsAndPoints, outcome: 'verified' }
    : { ...verdictsAndPoints, outcome: 'refused', reason: lastVerdict ? missingGain : 'No check ran.' };
}

/** The function of a gate. The gate guard ignores tests that no person has seen. */
function getGate(gate: GateName): Gate {
  return gate === 'guard' ? excludeUnseenTests(GATES[gate]) : GATES[gate];
}

/**
 * The stored verdicts of a verification with the same trees, tools and settings, so that the gates would give the same
 * answers again. Undefined if the verdicts cannot be stored.
 */
async function loadKeptVerdicts(
  { context, proposal, edits }: GateInput,
  commands: Commands,
  signal: AbortSignal,
): Promise<KeptVerdicts | undefined> {
  const [base, candidate] = [context.treeKey([], 'base'), context.treeKey(edits, 'candidate')];
  if (base === null || candidate === null || !context.unfinished) return undefined;
  const { settings, only = null, trusted } = context;
  const { recipe, opportunity } = proposal;
  return context.unfinished(candidate, {
    base,
    settings,
    only,
    trusted,
    recipe,
    rule: opportunity.rule,
    installed: await commands.tools(signal),
  });
}

/** The gates to run. A gate that is not configured is omitted; one that runs without a result answers unknown. */
function collectGates(context: VerifyContext, proposal: Proposal): readonly GateName[] {
  const { only, settings, proof } = context;
  const claims = context.claimsOf?.(proposal, proposal.edits) ?? [];
  // The gate `lint` counts the findings of linters, and the gate `claim` counts findings of Selfware's rules.
  const isShownByClaim = (kind: (typeof claims)[number]) =>
    FACTS_BY_CLAIM[kind].shownBy === 'claim' ||
    (kind === 'findings' && (context.isBuiltInRecipe?.(proposal.recipe) ?? false));
  const absentGates = new Set<GateName>([
    ...(settings.benchCommand.trim() === '' ? (['timing'] as const) : []),
    ...(proof ? [] : gatesOfStages('behaviour', 'mutants')),
    ...(claims.some(isShownByClaim) ? [] : (['claim'] as const)),
  ]);
  return GATE_ORDER.filter((gate) => (!only || only.includes(gate)) && !absentGates.has(gate));
}

/**
 * The answer of a gate with the outcome and the reason of the disturbance, if its commands changed judge files. An
 * answer that is at least as bad stays as it is.
 */
function applyDisturbance(answer: GateAnswer, disturbance: Disturbance | null): GateAnswer {
  if (
    !disturbance ||
    answer.outcome === 'failed' ||
    (answer.outcome === 'unknown' && disturbance.outcome === 'unknown')
  )
    return answer;
  return { ...answer, ...disturbance };
}
