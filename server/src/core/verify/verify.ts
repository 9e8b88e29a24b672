// Proves in a sandbox that a proposal breaks nothing and makes the repository better, gate by gate, cheapest first.

import { throwIfCancelled } from '../../util/typedError.ts';
import type { Points, Proposal, Verdict } from '../model.ts';
import { CLAIMS } from '../model/claims.ts';
import { GATE_ORDER, type GateName } from '../model/gates.ts';
import { checkLabel } from '../../protocol/plainWords.ts';
import type { BaselineCache } from './baseline.ts';
import { mayWait, unlessBusy, waitingVerdict } from './busy.ts';
import { mayGain, missingGain } from './claims/shown.ts';
import { createCommands, type Commands } from './commands.ts';
import { readProject, type Project } from './detect/project.ts';
import type { Gate, GateRun } from './gate.ts';
import type { Disturbance } from './integrity/disturbance.ts';
import { withoutUnseen } from './integrity/unseen.ts';
import { gates as GATES } from './gates/allGates.ts';
import type { Unfinished } from './unfinished.ts';
import { waitingWords } from './waiting.ts';
import type { Progress } from '../operation.ts';
import type { GateAnswer } from './answer.ts';
import type { VerifyContext } from './context.ts';

export type { BaselineCache };

interface Measured {
  /** Of the gates that ran; a failed one is the last. */
  readonly verdicts: readonly Verdict[];
  /** Null when the score gate was not reached. */
  readonly pointsBefore: Points | null;
  readonly pointsAfter: Points | null;
}

/** `busy`: what decides depends on time, and the machine was busy with other work. */
export type Verification =
  | (Measured & { readonly outcome: 'verified' })
  | (Measured & { readonly outcome: 'refused'; readonly reason: string })
  | (Measured & { readonly outcome: 'busy'; readonly reason: string });

/**
 * Runs the gates in order; the first that fails ends it, and so does a score that is not shown to rise: what follows
 * could not change the answer. Verified = no gate failed and the score rises, or stays where another gate tells the
 * gain (claims/shown.ts). Throws `cancelled`, `noCommit`, `notARepository` and what ports throw; the sandboxes are gone
 * in any case.
 */
export async function verifyProposal(
  context: VerifyContext,
  proposal: Proposal,
  signal: AbortSignal,
): Promise<Verification> {
  throwIfCancelled(signal);
  const gates = gatesFor(context, proposal);
  const waits = !context.atOnce && mayWait(proposal);
  let now: Progress = { stage: 'verifying', done: 0, total: gates.length, message: 'Opening a sandbox' };
  context.report?.(now);
  const worktree = await context.sandbox.open(signal);
  const commands = createCommands(worktree, {
    ...context,
    edits: proposal.edits,
    timeoutMs: context.settings.timeoutSeconds * 1000,
    tell: (underWay) => context.report?.({ ...now, message: `${now.message}: ${waitingWords(underWay)}` }),
  });
  let project: Promise<Project> | null = null;
  const verdicts: Verdict[] = [];
  const run: GateRun = {
    context,
    proposal,
    edits: proposal.edits,
    verdicts,
    worktree,
    ...commands,
    project: () => (project ??= readProject(worktree)),
  };
  let points: { readonly before: Points; readonly after: Points } | null = null;
  /** Asked for when commands are about to run. */
  let unfinished: Unfinished | undefined;
  try {
    for (const [done, gate] of gates.entries()) {
      throwIfCancelled(signal);
      now = { stage: 'verifying', done, total: gates.length, message: checkLabel(gate) };
      context.report?.(now);
      const shown = unfinished?.find(gate);
      if (shown) {
        verdicts.push({
          ...shown,
          evidence: { ...shown.evidence, remembered: 'Shown before the verification was interrupted.' },
        });
        continue;
      }
      const startedAt = context.clock.now();
      const { points: scored, ...answer } = judged(
        unlessBusy(await gateOf(gate)(run, signal), context.machine),
        await commands.disturbance(signal),
      );
      points = scored ?? points;
      const verdict: Verdict = { gate, ...answer, millis: context.clock.now() - startedAt };
      verdicts.push(verdict);
      if (gate === 'score' && mayGain(answer)) unfinished = await unfinishedOf(run, commands, signal);
      else if (answer.outcome === 'passed' && unfinished)
        await Promise.all([unfinished.keep(verdict), commands.keepCandidate()]);
      if (answer.outcome === 'failed' || (gate === 'score' && !mayGain(answer))) break;
      // The mutants may still show what the comparison had no time for; without the tests nothing can.
      if (waits && gate !== 'differential' && waitingVerdict(verdicts)) break;
    }
    if (verdicts.every(({ outcome }) => outcome !== 'failed')) await commands.keepCandidate();
    // What was shown by then need not be shown again when it comes first in line.
    if (!waits || waitingVerdict(verdicts) === null) await unfinished?.forget();
  } finally {
    await Promise.all([worktree.dispose(), commands.dispose()]);
  }
  const measured = { verdicts, pointsBefore: points?.before ?? null, pointsAfter: points?.after ?? null };
  const last = verdicts.at(-1);
  if (last?.outcome === 'failed') return { ...measured, outcome: 'refused', reason: `${last.gate}: ${last.reason}` };
  const waiting = waits ? waitingVerdict(verdicts) : null;
  if (waiting)
    return { ...measured, outcome: 'busy', reason: `Machine busy: ${checkLabel(waiting.gate)}: ${waiting.reason}` };
  const missing = missingGain(verdicts);
  return missing === null
    ? { ...measured, outcome: 'verified' }
    : { ...measured, outcome: 'refused', reason: last ? missing : 'No check ran.' };
}

/** Mutants are noticed by tests that a person knows, or by nobody. */
function gateOf(gate: GateName): Gate {
  return gate === 'guard' ? withoutUnseen(GATES[gate]) : GATES[gate];
}

/** Both trees, the tools and the settings: what is as it was then would say the same again. */
async function unfinishedOf(
  { context, proposal, edits }: GateRun,
  commands: Commands,
  signal: AbortSignal,
): Promise<Unfinished | undefined> {
  const [base, candidate] = [context.treeKey([]), context.treeKey(edits)];
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

/** A gate that nobody has configured does not exist; the others answer unknown if they have no result. */
function gatesFor(context: VerifyContext, proposal: Proposal): readonly GateName[] {
  const { only, settings, proof } = context;
  const claims = context.claimsOf?.(proposal, proposal.edits) ?? [];
  const absent = new Set<GateName>([
    ...(settings.benchCommand.trim() === '' ? (['timing'] as const) : []),
    ...(proof ? [] : (['differential', 'guard'] as const)),
    ...(claims.some((kind) => CLAIMS[kind].shownBy === 'claim') ? [] : (['claim'] as const)),
  ]);
  return GATE_ORDER.filter((gate) => (!only || only.includes(gate)) && !absent.has(gate));
}

/** What a command did to its own judges counts more than what it said, unless it said worse. */
function judged(answer: GateAnswer, disturbance: Disturbance | null): GateAnswer {
  if (
    !disturbance ||
    answer.outcome === 'failed' ||
    (answer.outcome === 'unknown' && disturbance.outcome === 'unknown')
  )
    return answer;
  return { ...answer, ...disturbance };
}
