// Judges a change by anybody with the gates of a proposal. After a failure, the other gates still run, so that the
// author sees every problem. Only gates that can no longer show anything are skipped.
//
// The order: `applies`; then `syntax`, `charter`, `integrity`, `score`, `types` and `lint`, in parallel with `tests`;
// then `timing`, the old tests on the new code, `claim` and `differential`, in parallel with `guard` unless times are
// measured.

import { throwIfCancelled } from '../../../util/typedError.ts';
import type { Verdict } from '../../model.ts';
import type { GateName } from '../../model/gates.ts';
import { gatesOfStages } from '../../model/gateStages.ts';
import type { JudgementBeforePolicy, TreeChange } from '../../model/judgement.ts';
import { answerIfNeedless } from '../gates/guard/needless.ts';
import { cachePlan } from './cachedPlan.ts';
import { countFiles } from './countFiles.ts';
import { createPointerNotes } from './files/lfsPointers.ts';
import { changesOnlyProse, createReadTextNotes } from './files/prose.ts';
import { findUnreadable } from './files/unreadable.ts';
import { deferBaseRuns, mayComeFromLoad } from './judgeSandbox.ts';
import { addOldTestResults, findEditedTestPaths, toTestChange } from './oldTests.ts';
import {
  canRunCommands,
  openJudgement,
  waitForAll,
  type JudgeContext,
  type Judgement,
  type OpenLane,
} from './steps/judgement.ts';
import { rerunGate, runGate, runGates, getSecondsLeft } from './steps/runGate.ts';
import { determineJudgedStrength } from './strength.ts';
import { DEPENDS_ON_TIME } from '../busyMachine.ts';

/** With fewer cores, the tests wait for the type check and the linter. */
const CORES_FOR_TWO = 2;

/** Judges the change with all gates. Throws `cancelled` and the errors of adapters; always removes the sandboxes. */
export async function judgeChange(
  request: JudgeContext,
  change: TreeChange,
  signal: AbortSignal,
): Promise<JudgementBeforePolicy> {
  throwIfCancelled(signal);
  const { context, beginPlan } = cachePlan(request, change.edits);
  const judgement = await openJudgement(context, change, signal);
  try {
    await compareTestCases(judgement);
    await writeChange(judgement);
    await runChecks(judgement, beginPlan);
    replaceNeedlessVerdict(judgement);
    if (judgement.verdicts.every(({ outcome }) => outcome !== 'failed')) await keepResults(judgement, judgement.main);
  } finally {
    await judgement.close();
  }
  return createJudgement(judgement);
}

/** Finds the test cases that the change adds, edits or removes. */
async function compareTestCases(judgement: Judgement): Promise<void> {
  const { changes, added } = await judgement.comparedCases;
  judgement.caseChanges = [...changes, ...findUnreadable(judgement.change, judgement.context.isJudge)];
  judgement.testChanges = judgement.caseChanges.map(toTestChange);
  judgement.addedCases = added;
}

/** Writes the change into the main sandbox. If that fails, no command of the repository runs. */
async function writeChange(judgement: Judgement): Promise<void> {
  await runGate(judgement, 'applies', async () => judgement.main);
  judgement.isBroken = judgement.verdicts.some(({ outcome }) => outcome === 'failed');
}

/** Runs all gates but `applies`: quick checks in parallel with the tests, then behaviour and mutants. */
async function runChecks(judgement: Judgement, beginPlan: () => void): Promise<void> {
  // The second sandbox opens while the quick checks run; its error is thrown to whoever uses it.
  if (canRunCommands(judgement)) judgement.openSideLane().catch(() => undefined);
  const checksDone = runQuickChecks(judgement, beginPlan);
  const testsDone = runTests(judgement, checksDone);
  if (judgement.order.includes('timing')) {
    // Nothing else runs while times are measured.
    await compareBehaviour(judgement, checksDone, testsDone);
    await tryMutants(judgement, testsDone);
  } else
    await waitForAll(judgement, [compareBehaviour(judgement, checksDone, testsDone), tryMutants(judgement, testsDone)]);
}

/** Runs the gates that only read text, and then the type check and the linter. */
async function runQuickChecks(judgement: Judgement, beginPlan: () => void): Promise<void> {
  await runInMainLane(judgement, ...gatesOfStages('text').filter((gate) => gate !== 'applies'));
  if (canRunCommands(judgement) && !judgement.context.quick) beginPlan();
  await runInMainLane(judgement, ...gatesOfStages('checks'));
}

/** Runs the tests in their own sandbox, and stores the results of commands if they pass. */
async function runTests(judgement: Judgement, checked: Promise<void>): Promise<void> {
  await runTestsBesideChecks(judgement, checked);
  if (hasTestOutcome(judgement, 'passed')) await keepResults(judgement, await openLaneOfTests(judgement)());
}

/**
 * Runs the tests in parallel with the other checks. Repeats them alone, and discards the first verdict, if it may be
 * due to time or, on few cores, to load.
 */
async function runTestsBesideChecks(judgement: Judgement, checked: Promise<void>): Promise<void> {
  const { verdicts, cores, isRoomy } = judgement;
  const openTestLane = openLaneOfTests(judgement);
  const run = (openLane: OpenLane) => runGates(judgement, gatesOfStages('tests'), openLane);
  if (cores < CORES_FOR_TWO) return checked.then(() => run(openTestLane));
  await run(isRoomy ? openTestLane : async () => deferBaseRuns(await openTestLane(), checked));
  const isDoubtful = isRoomy ? ({ evidence }: Verdict) => evidence[DEPENDS_ON_TIME] !== undefined : mayComeFromLoad;
  const doubtfulVerdict = verdicts.find((verdict) => verdict.gate === 'tests' && isDoubtful(verdict));
  if (!doubtfulVerdict) return;
  await checked;
  verdicts.splice(verdicts.indexOf(doubtfulVerdict), 1);
  await run(openTestLane);
}

/** Measures times, runs the old tests on the new code, and compares old and new code by calls. */
async function compareBehaviour(judgement: Judgement, checked: Promise<void>, tested: Promise<void>): Promise<void> {
  await waitForAll(judgement, [checked, tested]);
  await runInMainLane(judgement, ...gatesOfStages('timing'));
  await runOldTests(judgement);
  if (!hasTestOutcome(judgement, 'failed')) await runInMainLane(judgement, ...gatesOfStages('claim', 'behaviour'));
  if (answerIfNeedless(judgement.verdicts, judgement.context)) judgement.needlessMutants.abort();
}

/** Tries mutants once the tests have ended, unless they failed. */
async function tryMutants(judgement: Judgement, tested: Promise<void>): Promise<void> {
  await tested;
  if (!hasTestOutcome(judgement, 'failed'))
    await runGates(judgement, gatesOfStages('mutants'), openLaneOfTests(judgement));
}

/** Runs the old tests on the new code. A result that the budget does not allow stays unknown. */
async function runOldTests(judgement: Judgement): Promise<void> {
  const { change, caseChanges, main, stopSignal } = judgement;
  if (!canRunCommands(judgement) || findEditedTestPaths(change.edits).length === 0) return;
  try {
    const testChanges = await addOldTestResults({ ...main.run, ...getSecondsLeft(judgement) }, caseChanges, stopSignal);
    judgement.testChanges = testChanges;
    // Tests that became rows of a table do not count as deleted.
    if (caseChanges.some(({ kind }, index) => kind !== testChanges[index]!.kind))
      await rerunGate(judgement, 'integrity', async () => main);
  } catch (error) {
    throwIfCancelled(judgement.signal);
    if (!judgement.context.budget.signal.aborted) throw error;
  }
}

/**
 * Replaces the verdict about mutants if the comparison of old and new code, which runs in parallel, shows that mutants
 * are not informative.
 */
function replaceNeedlessVerdict({ verdicts, context }: Judgement): void {
  const index = verdicts.findIndex(({ gate }) => gate === 'guard');
  const answer = answerIfNeedless(verdicts, context);
  if (index >= 0 && answer) verdicts[index] = { ...verdicts[index]!, ...answer };
}

function createJudgement(judgement: Judgement): JudgementBeforePolicy {
  const { change, verdicts, claims, points, packageFile, testChanges, addedCases, readEdits } = judgement;
  return {
    files: countFiles(change),
    strength: determineJudgedStrength(verdicts, change, packageFile !== null),
    ...(changesOnlyProse(change) ? { onlyProse: true as const } : {}),
    claims,
    verdicts,
    tests: { changes: testChanges, added: addedCases, edited: findEditedTestPaths(readEdits) },
    points,
    notes: [...createReadTextNotes(change), ...createPointerNotes(change)],
  };
}

async function runInMainLane(judgement: Judgement, ...gates: readonly GateName[]): Promise<void> {
  await runGates(judgement, gates, async () => judgement.main);
}

/** Opens the sandbox of the tests and the mutants. It is separate if commands can run at all. */
function openLaneOfTests({ obstacle, openSideLane, main }: Judgement): OpenLane {
  return obstacle === null ? openSideLane : async () => main;
}

function hasTestOutcome({ verdicts }: Judgement, wanted: Verdict['outcome']): boolean {
  return verdicts.some(({ gate, outcome }) => gate === 'tests' && outcome === wanted);
}

/** Stores the results of the lane's commands, because the candidate may become the next base. */
async function keepResults({ verdicts }: Judgement, { commands }: Awaited<ReturnType<OpenLane>>): Promise<void> {
  await commands.keepCandidate(verdicts);
}
