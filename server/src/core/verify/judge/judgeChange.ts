// Judges a change that anybody has made, by the gates of a proposal. Gates run even after a failure, because the author
// wants to know everything, except those that can no longer show anything.

import { throwIfCancelled } from '../../../util/typedError.ts';
import { checkLabel } from '../../../protocol/plainWords.ts';
import type { FileEdit, Points, Verdict } from '../../model.ts';
import type { Claim } from '../../model/claims.ts';
import { GATE_ORDER, type GateName } from '../../model/gates.ts';
import { HIDDEN_KEY } from '../../model/proofs.ts';
import {
  WEAKENING_KINDS,
  type JudgementBeforePolicy,
  type TestChange,
  type TreeChange,
} from '../../model/judgement.ts';
import { OBSTACLE_KEY } from '../../model/evidence.ts';
import { isForContributors } from '../../paths/others.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import type { ChangedFiles, Isolation } from '../../ports/sandbox.ts';
import { failed, passed, unknown, type GateAnswer } from '../answer.ts';
import { DEPENDS_ON_TIME } from '../busyMachine.ts';
import type { VerifyContext } from '../context.ts';
import type { GateRun } from '../gate.ts';
import { gates as GATES } from '../gates/allGates.ts';
import { answerIfNeedless } from '../gates/guard/needless.ts';
import { describeUnknownDocNames, noteOf } from '../integrity/docNameDoubts.ts';
import { findNewStateDoubts, NO_TIME_FOR_STATE } from '../integrity/newStateDoubts.ts';
import { findSuspiciousUses } from '../integrity/reach.ts';
import { findSilencedChecks } from '../integrity/weakenedChecks.ts';
import { waitingText, type UnderWay } from '../runningCommandText.ts';
import { selectEditsToCompare, planAhead } from './ahead.ts';
import { answerIfLeftOut } from './quick.ts';
import { wrapAsProposal } from './wrapAsProposal.ts';
import { answerIfBroken, describeReason } from './brokenDown.ts';
import { showClaims } from './claims.ts';
import { strengthOfJudged } from './strength.ts';
import { considerLostCheck, considerLostTests } from './lostChecks.ts';
import { askOldTests, findEditedTests, toTestChange } from './oldTests.ts';
import { countFiles } from './countFiles.ts';
import { considerPointers, pointerNotes } from './files/pointers.ts';
import { changesOnlyProse, readTextNotes } from './files/prose.ts';
import { findUnreadable, unreadableDoubts, addUnreadableTests } from './files/unreadable.ts';
import { isInertManifestEdit } from '../integrity/inertManifests.ts';
import { findTestChanges, type CaseReader } from './testChanges.ts';
import { firstWords, weakenedPlaceText } from './judgementTexts.ts';
import { reportScore } from './points.ts';
import { reportProtectedPaths } from './protectedPaths.ts';
import { addUnnoticedNote } from './unnoticed.ts';
import type { Budget, JudgeRequest } from './judgementRequest.ts';
import { listChangedFiles, findChangedPackageFile, explainNotInstalled } from './installed.ts';
import type { ComparedCases } from './compareCases.ts';
import { addDisturbance, deferBaseRuns, mayComeFromLoad, openLane, openLaneWith, type Lane } from './lane.ts';
import { findTimeLeft, limitTimeLeft, MIN_GATE_SECONDS, MIN_RERUN_SECONDS, type TimeLeft } from './timeLeft.ts';

/** The input of a judgement. */
export interface JudgeContext extends VerifyContext {
  readonly testCases: CaseReader['testCases'];
  /** Sentences about code that may hide a fault from the tests. */
  findHiddenFaults(change: TreeChange): Promise<readonly string[]>;
  /** Those of the paths that the charter protects. `inert`: paths that count only if the settings name them. */
  protectedPaths(paths: readonly string[], inert: ReadonlySet<string>): Promise<readonly string[]>;
  readonly budget: Budget;
  /** The sides for which a set-up has kept the packages. */
  keptPackages(changed: ChangedFiles): Promise<{ readonly base: boolean; readonly head: boolean }>;
  readonly thorough: boolean;
  readonly quick?: boolean;
  readonly names: JudgeRequest['names'];
}

/** Gates that run no command of the repository. The others run only if the change could be written. */
const WITHOUT_COMMANDS: ReadonlySet<GateName> = new Set(['applies', 'syntax', 'charter', 'integrity', 'score']);
/** With fewer cores, the tests wait for the type check and the linter. */
const CORES_FOR_TWO = 2;
/** With fewer cores, the tests of both sides do not run at the same time. */
const CORES_FOR_BOTH = 4;
/** The kinds of isolation in which the tests of both sides may listen on the same port at the same time. */
const OWN_NETWORK: ReadonlySet<Isolation['kind']> = new Set(['bubblewrap', 'unshare', 'container']);
/** The progress text for a command that runs while no gate does, such as the old tests on the new code. */
const BETWEEN_CHECKS = 'Running the tests';
/** Gates that only look at known texts, so that they answer even after the time is up. */
const AT_ONCE: ReadonlySet<GateName> = new Set(['charter', 'integrity']);

/**
 * Judges the change by all gates. Throws `cancelled`, and what adapters throw. The sandboxes are removed in any case.
 */
export async function judgeChange(
  judging: JudgeContext,
  change: TreeChange,
  signal: AbortSignal,
): Promise<JudgementBeforePolicy> {
  throwIfCancelled(signal);
  const { context, beginPlan } = planAhead(judging, change.edits);
  const beganAt = context.clock.now();
  const order = GATE_ORDER.filter((gate) => !(gate === 'timing' && context.settings.benchCommand.trim() === ''));
  const report = (doneCount: number, message: string) =>
    context.report?.({ stage: 'verifying', done: doneCount, total: order.length, message });
  report(0, 'Opening a sandbox');
  const { edits } = change;
  const packages = findChangedPackageFile(edits, [...change.bytes, ...change.left]);
  const changed = packages === null ? undefined : listChangedFiles(change);
  const obstacle =
    packages === null || !changed
      ? null
      : explainNotInstalled(packages, await context.keptPackages(changed), context.names);
  const cores = context.machine?.load()?.cores ?? 1;
  const isRoomy = cores >= CORES_FOR_BOTH;
  const [underway, verdicts]: [GateName[], Verdict[]] = [[], []];
  const claims: Claim[] = [];
  const points: { before: Points | null; after: Points | null } = { before: null, after: null };
  const parts = {
    context,
    edits,
    verdicts,
    changedFiles: obstacle === null ? changed : undefined,
    proposal: wrapAsProposal(change, context.clock.now()),
    headFirst: true,
    shared: { ran: new Map(), environments: new Map() },
    sideBySide: isRoomy && OWN_NETWORK.has((await context.sandbox.isolation()).kind),
    tell: (underWay: UnderWay) =>
      report(verdicts.length, `${underway.map(checkLabel).join(', ') || BETWEEN_CHECKS}: ${waitingText(underWay)}`),
  };
  const readEdits = addUnreadableTests(change);
  const finding = findTestChanges(readEdits, change.renamed, context);
  // If no sandbox opens, that is the error to report.
  finding.catch(() => undefined);
  const main = await openLane(parts, signal);
  let compared: ComparedCases = { changes: [], added: 0 };
  let tests: readonly TestChange[] = [];
  const ended = new AbortController();
  const stopSignal = AbortSignal.any([signal, context.budget.signal, ended.signal]);
  /** Ends the mutants once the comparison of old and new code has shown more. */
  const needless = new AbortController();
  /** The sandbox of the tests and the mutants. */
  const sideLanes: Promise<Lane>[] = [];
  const running: Promise<unknown>[] = [];
  try {
    const { changes, added } = await finding;
    compared = { changes: [...changes, ...findUnreadable(change, context.isJudge)], added };
    tests = compared.changes.map(toTestChange);
    await judgeBy('applies', async () => main);
    const isBroken = verdicts.some(({ outcome }) => outcome === 'failed');
    const runs = (gate: GateName) => order.includes(gate) && !(isBroken && !WITHOUT_COMMANDS.has(gate));
    const inTurn = async (gates: readonly GateName[], open: () => Promise<Lane>) => {
      for (const gate of gates.filter(runs)) await judgeBy(gate, open);
    };
    const runInMainLane = (...gates: readonly GateName[]) => inTurn(gates, async () => main);
    const laneOfTests = obstacle === null ? openSideLane : async () => main;
    const runInSideLane = (gate: GateName) => inTurn([gate], laneOfTests);
    const haveTests = (wanted: Verdict['outcome']) =>
      verdicts.some(({ gate, outcome }) => gate === 'tests' && outcome === wanted);
    const hasFailed = () => haveTests('failed');
    if (!isBroken && obstacle === null) openSideLane().catch(() => undefined);
    const checked = (async () => {
      await runInMainLane('syntax', 'charter', 'integrity', 'score');
      if (!isBroken && obstacle === null && !context.quick) beginPlan();
      await runInMainLane('types', 'lint');
    })();
    const tested = runTestsInSideLane(checked, laneOfTests, (open) => inTurn(['tests'], open)).then(async () => {
      if (haveTests('passed')) await (await laneOfTests()).commands.keepCandidate(verdicts);
    });
    const inFront = async () => {
      await waitForAll([checked, tested]);
      // Nothing else runs while times are measured.
      await runInMainLane('timing');
      await runOldTests(isBroken);
      if (!hasFailed()) await runInMainLane('claim', 'differential');
      if (answerIfNeedless(verdicts, context)) needless.abort();
    };
    const mutants = async () => {
      await tested;
      if (!hasFailed()) await runInSideLane('guard');
    };
    if (order.includes('timing')) {
      await inFront();
      await mutants();
    } else await waitForAll([inFront(), mutants()]);
    replaceNeedless(verdicts, context);
    if (verdicts.every(({ outcome }) => outcome !== 'failed')) await main.commands.keepCandidate(verdicts);
  } finally {
    ended.abort();
    await Promise.allSettled(running);
    const lanes = await Promise.allSettled(sideLanes);
    await Promise.all(
      [main, ...lanes.flatMap((opened) => (opened.status === 'fulfilled' ? [opened.value] : []))].map((lane) =>
        lane.dispose(),
      ),
    );
  }
  return {
    files: countFiles(change),
    strength: strengthOfJudged(verdicts, change, packages !== null),
    ...(changesOnlyProse(change) ? { onlyProse: true as const } : {}),
    claims,
    verdicts,
    tests: { changes: tests, added: compared.added, edited: findEditedTests(readEdits) },
    points,
    notes: [...readTextNotes(change), ...pointerNotes(change)],
  };

  function openSideLane(): Promise<Lane> {
    if (sideLanes.length === 0) sideLanes.push(openLaneWith(parts, change, stopSignal));
    return sideLanes[0]!;
  }

  /**
   * Runs the tests in parallel with the other checks. They run once more afterwards if their answer depends on time,
   * or, with few cores, on the load. Then their first answer does not count.
   */
  async function runTestsInSideLane(
    others: Promise<void>,
    open: () => Promise<Lane>,
    runTests: (open: () => Promise<Lane>) => Promise<void>,
  ): Promise<void> {
    if (cores < CORES_FOR_TWO) return others.then(() => runTests(open));
    await runTests(isRoomy ? open : async () => deferBaseRuns(await open(), others));
    const isDoubtful = isRoomy ? ({ evidence }: Verdict) => evidence[DEPENDS_ON_TIME] !== undefined : mayComeFromLoad;
    const doubtful = verdicts.find((verdict) => verdict.gate === 'tests' && isDoubtful(verdict));
    if (!doubtful) return;
    await others;
    verdicts.splice(verdicts.indexOf(doubtful), 1);
    await runTests(open);
  }

  /** Waits for all, or for the first error. */
  async function waitForAll(work: readonly Promise<void>[]): Promise<void> {
    running.push(...work);
    await Promise.all(work);
  }

  /** Runs the old tests on the new code. Results that are not known in time stay unknown. */
  async function runOldTests(isBroken: boolean): Promise<void> {
    if (isBroken || obstacle !== null || findEditedTests(edits).length === 0) return;
    try {
      tests = await askOldTests({ ...main.run, ...secondsLeft() }, compared.changes, stopSignal);
      // Tests that became rows of a table are not deleted.
      if (compared.changes.some(({ kind }, index) => kind !== tests[index]!.kind)) await judgeAgain('integrity');
    } catch (error) {
      throwIfCancelled(signal);
      if (!context.budget.signal.aborted) throw error;
    }
  }

  async function judgeAgain(gate: GateName): Promise<void> {
    const index = verdicts.findIndex((verdict) => verdict.gate === gate);
    if (index >= 0) verdicts.splice(index, 1);
    await judgeBy(gate, async () => main);
  }

  /** Runs a gate, and puts its verdict in its place. */
  async function judgeBy(gate: GateName, open: () => Promise<Lane>): Promise<void> {
    throwIfCancelled(signal);
    underway.push(gate);
    report(verdicts.length, underway.map(checkLabel).join(', '));
    const startedAt = context.clock.now();
    const { points: scored, ...answer } = await answerInTime(gate, open);
    if (scored) Object.assign(points, { before: scored.before, after: scored.after });
    verdicts.push({ gate, ...answer, millis: context.clock.now() - startedAt });
    verdicts.sort((a, b) => order.indexOf(a.gate) - order.indexOf(b.gate));
    underway.splice(underway.indexOf(gate), 1);
  }

  /** The answer of a gate; unknown if it has not answered when the time is up. */
  async function answerInTime(gate: GateName, open: () => Promise<Lane>): Promise<GateAnswer> {
    const timeIsUp = () =>
      unknown(`Not shown: the ${context.budget.seconds ?? 0} s that were allowed have passed.`, { budget: 1 });
    const leftOut = answerIfLeftOut(gate, context);
    if (leftOut) return leftOut;
    if (AT_ONCE.has(gate)) return answerOf(gate, main.run);
    if (context.budget.signal.aborted) return timeIsUp();
    try {
      const { run, commands } = await open();
      return addDisturbance(await answerOf(gate, run), await commands.disturbance(stopSignal));
    } catch (error) {
      throwIfCancelled(signal);
      if (context.budget.signal.aborted) return timeIsUp();
      const needlessAnswer = gate === 'guard' && needless.signal.aborted ? answerIfNeedless(verdicts, context) : null;
      if (needlessAnswer) return needlessAnswer;
      const brokenAnswer = await answerIfBroken(gate, error, context, edits, stopSignal);
      throwIfCancelled(signal);
      if (brokenAnswer) return brokenAnswer;
      throw error;
    }
  }

  /** The context for checks that do not decide whether the change is blocked: with a time limit, unless thorough. */
  function limitContext(min = MIN_GATE_SECONDS): VerifyContext {
    return limitTimeLeft(context, timeLeft(min));
  }

  function timeLeft(min: number): TimeLeft | null {
    return findTimeLeft(verdicts, (context.clock.now() - beganAt) / 1000, min, context);
  }

  /** The limit for further runs of tests. */
  function secondsLeft(): Pick<GateRun, 'secondsLeft'> {
    const left = timeLeft(MIN_RERUN_SECONDS);
    return left === null ? {} : { secondsLeft: left.seconds };
  }

  async function answerOf(gate: GateName, run: GateRun): Promise<GateAnswer> {
    if (obstacle !== null && !WITHOUT_COMMANDS.has(gate)) {
      // The step out of it is said once, at the end.
      const reason = gate === 'tests' ? `Not run: ${packages} changes which packages are installed.` : 'Not run.';
      return unknown(reason, { packages: packages ?? '', [OBSTACLE_KEY]: obstacle });
    }
    switch (gate) {
      case 'applies':
        return appliesAnswer(run);
      case 'charter':
        return reportProtectedPaths(context, change);
      case 'integrity':
        return integrityAnswer();
      case 'score':
        return reportScore(context, edits);
      case 'tests':
        return considerPointers(await considerLostTests(run, await GATES.tests(run, stopSignal)), change);
      case 'claim': {
        const limited = { ...run, context: limitContext(MIN_RERUN_SECONDS), ...secondsLeft() };
        const claimResult = await showClaims(limited, stopSignal);
        claims.push(...claimResult.claims);
        return claimResult.answer;
      }
      case 'differential': {
        const compared = selectEditsToCompare(run.edits);
        const answer = await GATES.differential({ ...run, edits: compared, context: limitContext() }, stopSignal);
        return addUnnoticedNote(answer, verdicts, change);
      }
      case 'guard':
        return GATES.guard({ ...run, context: limitContext() }, AbortSignal.any([stopSignal, needless.signal]));
      case 'types':
      case 'lint':
        return considerLostCheck(run, gate, await GATES[gate](run, stopSignal));
      default:
        return GATES[gate](run, stopSignal);
    }
  }

  async function appliesAnswer(run: GateRun): Promise<GateAnswer> {
    const answer = edits.length > 0 ? await GATES.applies(run, stopSignal) : passed('There is no text to write.');
    if (answer.outcome === 'failed') return answer;
    await run.worktree.place(change.bytes);
    const [first] = change.left;
    if (!first) return answer;
    return unknown(
      `${first.path} is ${first.what}${change.left.length > 1 ? `, and so on for ${change.left.length - 1} more` : ''}: the checks run without that.`,
      { left: change.left.map(({ path }) => path).join('\n') },
    );
  }

  async function integrityAnswer(): Promise<GateAnswer> {
    const weakened = tests.filter(({ kind }) => WEAKENING_KINDS.has(kind));
    const silenced = findSilencedChecks(edits);
    const uses = findSuspiciousUses(edits);
    const hidden = await findHiddenFaults();
    const unknownNames = await describeUnknownDocNames(context, edits);
    const evidence = {
      ...(unknownNames === null ? {} : { unknownNames }),
      weakened: weakened.length,
      ...(hidden.length > 0 ? { [HIDDEN_KEY]: hidden.join('\n') } : {}),
      ...(silenced.length > 0 ? { silenced: silenced.join('\n') } : {}),
      ...(uses.length > 0 ? { reaches: uses.join('\n') } : {}),
    };
    if (weakened.length > 0) {
      const subject =
        weakened.length === 1 ? 'A test that was there is' : `${weakened.length} tests that were there are`;
      return failed(`${subject} weakened: ${firstWords(weakened.map(weakenedPlaceText))}.`, evidence);
    }
    const doubts = [...unreadableDoubts(change, context.isJudge), ...hidden, ...silenced, ...uses];
    const decides = (edit: FileEdit) =>
      context.isJudge(edit.path) && !isForContributors(edit.path) && !isTestEdit(edit) && !isInertManifestEdit(edit);
    const judges = edits.filter(decides).map(({ path }) => path);
    if (judges.length > 0) doubts.push(`It edits what changes are judged by: ${firstWords(judges)}.`);
    if (doubts.length > 0) return unknown(`A person has to look at it. ${doubts.slice(0, 3).join(' ')}`, evidence);
    return passed(`No test that was there checks less, and nothing silences a check.${noteOf(unknownNames)}`, evidence);
  }

  /**
   * If the search fails, that takes the place of what it would have found: a policy may demand that there is nothing.
   */
  async function findHiddenFaults(): Promise<readonly string[]> {
    try {
      const code = edits.filter((edit) => !context.isJudge(edit.path) && !isTestEdit(edit));
      const states = await findNewStateDoubts(context, code);
      return [...(await context.findHiddenFaults(change)), ...(states ?? [NO_TIME_FOR_STATE])];
    } catch (error) {
      throwIfCancelled(signal);
      return [`Code that may hide a fault was not looked for: ${describeReason(error)}.`];
    }
  }
}

/**
 * Replaces the verdict about mutants if the comparison of old and new code, which runs in parallel, shows that they are
 * not informative.
 */
function replaceNeedless(verdicts: Verdict[], context: JudgeContext): void {
  const index = verdicts.findIndex(({ gate }) => gate === 'guard');
  const answer = answerIfNeedless(verdicts, context);
  if (index >= 0 && answer) verdicts[index] = { ...verdicts[index]!, ...answer };
}
