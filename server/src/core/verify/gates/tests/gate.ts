// Checks that the repository's own tests pass, or fail exactly as before, and that the same tests run.

import { createCommandEvidence } from '../../commandEvidence.ts';
import type { Gate, GateInput } from '../../gate.ts';
import { missingProgramSentence, missingWithChangeSentence } from '../../missingProgramText.ts';
import type { TestCase, TestCounts } from '../../parse/testCounts.ts';
import { chooseTests, type ChosenTests } from '../../testing/chosenTests.ts';
import { rerunDoubtfulBase } from '../../testing/confirmedBase.ts';
import { repeatSuspects, type RepetitionResult } from '../../testing/flaky.ts';
import { matchHeadRun, runHeadFirst, type HeadRun } from '../../testing/runHeadFirst.ts';
import { addSubsetNote, answerWithoutPassingTest } from '../../testing/testSubsetAnswers.ts';
import { findReach, runReachingTests, type ReachingTestsRun } from '../../testing/reachingTestsFirst.ts';
import { findSilentTests } from '../../testing/silentTests.ts';
import { excludeExplainedLosses } from '../../testing/unexplainedLosses.ts';
import {
  compareTests,
  passesAllTests,
  removeVaryingParts,
  createTestKey,
  type TestCommands,
  type TestRun,
} from '../../testing/testRun.ts';
import { markTimeDependent } from '../../busyMachine.ts';
import { isIncompleteRun } from '../../testing/incompleteRun.ts';
import { removeEscapeSequences } from '../../parse/plainText.ts';
import { groupThousands } from '../../../../util/thousands.ts';
import { escapeInvisibleLine, shorten } from '../../../../util/visible.ts';
import { formatCount, failed, noSuchCheck, passed, unknown, type GateAnswer } from '../../answer.ts';

/** The beginning of the reason if tests also fail without the change. */
export const ALREADY_FAILING = 'Already failing';

/** Maximum number of failing tests whose messages are in the evidence. */
const MAX_MESSAGES = 3;
/** Maximum number of characters that a reason quotes from a line of output. */
const MAX_QUOTED = 160;

/** The result if no test is suspect. */
const NO_REPETITION_RESULT: RepetitionResult = { failing: [], missing: [], flaky: [], unsure: [], repetitions: 0 };

export const gate: Gate = async (run, signal) => {
  if (!run.context.trusted) return unknown('Not run: the workspace is not trusted.');
  const headRun = await runHeadFirst(run, signal);
  const chosenTests = await chooseTests(run, signal);
  if (!chosenTests) return noSuchCheck('No tests were found.');
  if (chosenTests.isPart && !chosenTests.base.value?.passed)
    return answerWithoutPassingTest(chosenTests, run.context.testFiles ?? []);
  const answer = await judgeChosen(run, headRun, chosenTests, signal);
  return chosenTests.isPart ? addSubsetNote(answer, chosenTests) : answer;
};

/** The answer of the chosen tests. `headRun`: the run of all tests with the change, if that came first. */
async function judgeChosen(
  run: GateInput,
  headRun: HeadRun | null,
  chosenTests: ChosenTests,
  signal: AbortSignal,
): Promise<GateAnswer> {
  const { commands, base: storedBase } = chosenTests;
  const uselessBaseAnswer = explainUselessBase(run, chosenTests, storedBase);
  if (uselessBaseAnswer) return uselessBaseAnswer;

  const matchingHeadRun = matchHeadRun(headRun, commands);
  const reaching = matchingHeadRun
    ? { ...(await findReach(run, storedBase.value?.cases ?? null)), separateRun: null, suspects: null }
    : await runReachingTests(run, commands, storedBase, signal);
  const earlySuspects = await excludeExplainedLosses(
    run,
    reaching.suspects,
    storedBase.value,
    reaching.separateRun?.value ?? null,
  );
  if (reaching.separateRun && earlySuspects) {
    const repetitionOutcome = await repeatSuspects(run, commands, earlySuspects, signal);
    const refusal = explainBrokenTests(repetitionOutcome);
    if (refusal)
      return failed(
        `${refusal} Found by the tests that can reach it, in ${formatCount(reaching.files ?? 0, 'file')}.`,
        createEvidence(reaching.separateRun, storedBase, reaching, repetitionOutcome),
      );
  }

  const candidate = matchingHeadRun ?? (await run.candidate(commands.allTests, commands.parse, signal));
  if (candidate.answer.outcome !== 'exited' || candidate.answer.exceeded !== null)
    return judgeEnded(candidate, storedBase, reaching);
  const base = await rerunDoubtfulBase(run, commands, storedBase, candidate, signal);
  const uselessConfirmedBase = explainUselessBase(run, chosenTests, base);
  if (uselessConfirmedBase) return uselessConfirmedBase;
  const answer = await judgeResults(run, commands, candidate, base, reaching, signal);
  if (answer.outcome !== 'passed') return answer;
  const silentFiles = await findSilentTests(run, candidate.value?.cases ?? null, base.value?.cases ?? null);
  if (silentFiles === null) return answer;
  return unknown(
    `${answer.reason} But those of ${silentFiles}, which the change touches, do not run.`,
    answer.evidence,
  );
}

/** The answer if the run without the change is no basis for a comparison; null if it is one. */
function explainUselessBase({ context }: GateInput, { isPart }: ChosenTests, base: TestRun): GateAnswer | null {
  const obstacle = explainIncompleteBase(base);
  if (obstacle) return markIfTimedOut(base, unknown(obstacle, createCommandEvidence(base.answer)));
  const incompleteReason = isPart ? null : explainIncompleteRun(base, context.setUp?.expectedTests ?? null);
  return incompleteReason ? unknown(incompleteReason, createCommandEvidence(base.answer)) : null;
}

/**
 * The reason why the base ran only a part of the tests that ran in the set-up, as a sentence; null if it ran enough of
 * them, or if either number is unknown.
 */
function explainIncompleteRun({ value }: TestRun, expected: number | null): string | null {
  if (value === null || expected === null) return null;
  const ranCount = value.passed + value.failed;
  if (!isIncompleteRun(ranCount, expected)) return null;
  return (
    `Only ${formatCount(ranCount, 'test')} ran without the change, and ${expected} did when the repository was set ` +
    `up. Run \`selfware setup\` again.`
  );
}

/** Marks the answer as time-dependent if the time limit stopped the run. */
function markIfTimedOut({ answer: { outcome } }: TestRun, answer: GateAnswer): GateAnswer {
  return outcome === 'timedOut' ? markTimeDependent(answer) : answer;
}

/** The reason why the run without the change did not complete, as a sentence; null if it did. */
function explainIncompleteBase({ answer }: TestRun): string | null {
  if (answer.outcome === 'notFound') return missingProgramSentence(answer);
  if (answer.outcome === 'timedOut')
    return `The tests were ended after ${Math.round(answer.millis / 1000)} s, even without the change.`;
  return answer.exceeded === null ? null : `The tests had to be ended even without the change: ${answer.exceeded}.`;
}

/** The answer if the run on the candidate did not end normally, although the run on the base did. */
function judgeEnded(candidate: TestRun, base: TestRun, reaching: ReachingTestsRun): GateAnswer {
  const evidence = createEvidence(candidate, base, reaching, NO_REPETITION_RESULT);
  const { outcome, exceeded, millis } = candidate.answer;
  if (outcome === 'notFound') return unknown(missingProgramSentence(candidate.answer), evidence);
  if (exceeded !== null)
    return failed(
      `With the change the tests had to be ended: ${exceeded}. Without it they end on their own.`,
      evidence,
    );
  const seconds = Math.round(millis / 1000);
  // The machine may have been busy, which is not the fault of the change.
  if (base.answer.millis >= millis / 2)
    return markIfTimedOut(
      candidate,
      unknown(
        `The tests were ended after ${seconds} s; without the change they take ${Math.ceil(base.answer.millis / 1000)} s.`,
        evidence,
      ),
    );
  return markTimeDependent(
    failed(
      `The tests do not end with the change: stopped after ${seconds} s, and without it they ` +
        `take ${Math.ceil(base.answer.millis / 1000)} s.`,
      evidence,
    ),
  );
}

/** Compares the results of both sides, and repeats suspect tests. */
async function judgeResults(
  run: GateInput,
  commands: TestCommands,
  candidate: TestRun,
  base: TestRun,
  reaching: ReachingTestsRun,
  signal: AbortSignal,
): Promise<GateAnswer> {
  const [before, after] = [base.value, candidate.value];
  if (!before || !after) return judgeByExitCode(candidate, base, reaching);
  const suspects = await excludeExplainedLosses(run, compareTests(before, after), before, after);
  if (!suspects) return judgeTwice(run, commands, base, before, reaching, candidate, signal);

  const repetitionResult =
    suspects.failing.length + suspects.missing.length === 0
      ? NO_REPETITION_RESULT
      : await repeatSuspects(run, commands, suspects, signal);
  const evidence = createEvidence(candidate, base, reaching, repetitionResult);
  const refusal = explainBrokenTests(repetitionResult);
  if (refusal) return failed(refusal, evidence);
  // If no test explains the exit code, it comes from a threshold, or from a step before or after the tests.
  const isExplainedByTests = repetitionResult.flaky.length + repetitionResult.unsure.length > 0 && after.failed > 0;
  if (candidate.answer.exitCode !== 0 && base.answer.exitCode === 0 && !isExplainedByTests)
    return failed(
      `\`${candidate.answer.line}\` ends with ${candidate.answer.exitCode} with the change and with 0 without it.`,
      evidence,
    );
  if (repetitionResult.unsure.length > 0)
    return unknown(
      `${formatCount(repetitionResult.unsure.length, 'test')} sometimes failed with the change, and never without ` +
        `it${formatNameList(repetitionResult.unsure.map(createTestKey))}`,
      evidence,
    );
  return answerWithoutSuspects(candidate, base, before, after, repetitionResult, evidence);
}

// Without names of tests, a flaky one cannot be run alone.
/** Judges by two runs of all tests: the failure must occur twice with the change, and never without it. */
async function judgeTwice(
  run: GateInput,
  commands: TestCommands,
  base: TestRun,
  before: TestCounts,
  reaching: ReachingTestsRun,
  candidate: TestRun,
  signal: AbortSignal,
): Promise<GateAnswer> {
  const judgeRun = (testRun: TestRun) =>
    testRun.value && judgeByCounts(run, testRun, base, before, testRun.value, reaching);
  const first = judgeRun(candidate)!;
  if (first.outcome !== 'failed') return first;
  const repeat = (side: 'candidate' | 'base') => run.rerun(side, commands.allTests, commands.parse, signal);
  const createUnsteadyAnswer = (gateAnswer: GateAnswer | null, where: string) =>
    gateAnswer === null || gateAnswer.outcome === 'failed'
      ? null
      : unknown(`Not the same in two runs ${where} the change. The first one: ${first.reason}`, first.evidence);
  const unsteadyAnswerWithChange = createUnsteadyAnswer(judgeRun(await repeat('candidate')), 'with');
  if (unsteadyAnswerWithChange) return unsteadyAnswerWithChange;
  const repeatedBase = await repeat('base');
  const answerOnRepeatedBase =
    repeatedBase.value &&
    candidate.value &&
    judgeByCounts(run, candidate, repeatedBase, repeatedBase.value, candidate.value, reaching);
  return createUnsteadyAnswer(answerOnRepeatedBase || null, 'without') ?? first;
}

/** Compares the numbers of tests, and the names of failures, for runs that do not name their tests. */
function judgeByCounts(
  run: GateInput,
  candidate: TestRun,
  base: TestRun,
  before: TestCounts,
  after: TestCounts,
  reaching: ReachingTestsRun,
): GateAnswer {
  const evidence = createEvidence(candidate, base, reaching, NO_REPETITION_RESULT);
  if (passesAllTests(base) && !passesAllTests(candidate)) {
    if (after.failed > 0)
      return failed(
        `${formatCount(after.failed, 'test')} ${after.failed === 1 ? 'fails' : 'fail'} with the change and not ` +
          `without it${formatNameList(after.failedNames)}`,
        evidence,
      );
    return failed(
      `\`${candidate.answer.line}\` ends with ${candidate.answer.exitCode} with the change and with 0 without it.`,
      evidence,
    );
  }
  const oldNames = new Set(before.failedNames.map(removeVaryingParts));
  const newFailures = after.failedNames.filter((name) => !oldNames.has(removeVaryingParts(name)));
  if (newFailures.length > 0 || after.failed > before.failed)
    return failed(
      `${formatCount(Math.max(newFailures.length, after.failed - before.failed), 'new failing test')}${formatNameList(newFailures)}`,
      evidence,
    );
  if (after.passed < before.passed && run.context.mayDisappear?.(null))
    return unknown(
      `Fewer tests pass with the change: ${after.passed} instead of ${before.passed}. It edits tests.`,
      evidence,
    );
  if (after.passed < before.passed)
    return failed(`Fewer tests pass with the change: ${after.passed} instead of ${before.passed}.`, evidence);
  return answerWithoutSuspects(candidate, base, before, after, NO_REPETITION_RESULT, evidence);
}

/** Judges two runs by their exit codes, if the test count of at least one cannot be read. */
function judgeByExitCode(candidate: TestRun, base: TestRun, reaching: ReachingTestsRun): GateAnswer {
  const evidence = createEvidence(candidate, base, reaching, NO_REPETITION_RESULT);
  const [before, line, code] = [base.value, candidate.answer.line, candidate.answer.exitCode];
  if (candidate.answer.missing !== undefined) return failed(missingWithChangeSentence(candidate.answer), evidence);
  if (before && !candidate.value)
    return failed(
      `\`${line}\` ends with ${code} with the change, before a test reports a result; without it ${before.passed} ` +
        `passed and ${before.failed} failed.`,
      evidence,
    );
  if (base.answer.exitCode === 0 && code !== 0)
    return failed(`\`${line}\` ends with ${code} with the change and with 0 without it.`, evidence);
  if (code !== 0)
    return unknown(
      'The tests fail with and without the change, and no count could be read from their output' +
        `${quoteEnd(candidate.answer.output)}.`,
      evidence,
    );
  return unknown(
    candidate.value
      ? 'The tests ran, and there is no count without the change to compare with.'
      : 'The tests ran, but no count could be read from their output.',
    evidence,
  );
}

/** The last line of an output, which usually states the error; empty if there is none. */
function quoteEnd(output: string): string {
  const line = removeEscapeSequences(output).trim().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? '' : `, which ends with “${shorten(escapeInvisibleLine(line), MAX_QUOTED)}”`;
}

/** The answer if nothing is suspect: passed, or unknown if no test passes. */
function answerWithoutSuspects(
  candidate: TestRun,
  base: TestRun,
  before: TestCounts,
  after: TestCounts,
  { flaky }: RepetitionResult,
  evidence: GateAnswer['evidence'],
): GateAnswer {
  const flakyNote =
    flaky.length > 0
      ? ` ${formatCount(flaky.length, 'flaky test')} not counted${formatNameList(flaky.map(createTestKey))}`
      : '';
  if (after.passed === 0)
    return unknown(before.failed > 0 ? 'No test passes, with or without the change.' : 'No test ran.', evidence);
  if (passesAllTests(candidate) || (flaky.length > 0 && passesAllTests(base)))
    return passed(
      `${formatCount(after.passed, 'test')} passed${after.skipped > 0 ? `, ${after.skipped} skipped` : ''}.${flakyNote}`,
      evidence,
    );
  if (before.failed === 0)
    return passed(
      `${formatCount(after.passed, 'test')} passed; \`${candidate.answer.line}\` ends with ${candidate.answer.exitCode} ` +
        `all the same, as it does without the change.${flakyNote}`,
      evidence,
    );
  return passed(
    `${ALREADY_FAILING}: ${formatCount(before.failed, 'test')} ${before.failed === 1 ? 'fails' : 'fail'} with ` +
      `and without the change; ${groupThousands(after.passed)} passed.${flakyNote}`,
    evidence,
  );
}

/** A sentence about the tests that the change breaks; null if it breaks none. */
function explainBrokenTests({ failing, missing }: RepetitionResult): string | null {
  if (failing.length > 0)
    return (
      `${formatCount(failing.length, 'test')} ${failing.length === 1 ? 'fails' : 'fail'} with the change and ` +
      `not without it${formatNameList(listNames(failing))}`
    );
  if (missing.length > 0)
    return (
      `${formatCount(missing.length, 'test')} of those that pass without the change ${missing.length === 1 ? 'does' : 'do'} ` +
      `not run with it${formatNameList(listNames(missing))}`
    );
  return null;
}

function listNames(cases: readonly TestCase[]): string[] {
  return cases.map(({ name }) => name);
}

/** The end of a sentence that lists up to five names. */
function formatNameList(items: readonly string[]): string {
  if (items.length === 0) return '.';
  return `: ${items.slice(0, 5).join('; ')}${items.length > 5 ? '; …' : '.'}`;
}

function createEvidence(
  { answer, value }: TestRun,
  base: TestRun,
  { files, separateRun, places }: ReachingTestsRun,
  { failing, flaky, unsure, repetitions }: RepetitionResult,
): GateAnswer['evidence'] {
  const messages = formatMessages(failing);
  const figuresOf = (side: TestCounts | null, suffix: string) =>
    side
      ? { [`passed${suffix}`]: side.passed, [`failed${suffix}`]: side.failed, [`skipped${suffix}`]: side.skipped }
      : {};
  return {
    ...createCommandEvidence(answer),
    secondsBefore: Math.round(base.answer.millis / 100) / 10,
    ...figuresOf(value, ''),
    ...figuresOf(base.value, 'Before'),
    ...(files === null ? {} : { reachingFiles: files }),
    ...(places === null ? {} : { touchedPlaces: places.touched, reachedPlaces: places.reached }),
    ...(separateRun
      ? {
          reachingSeconds: Math.round(separateRun.answer.millis / 100) / 10,
          reachingPassed: separateRun.value?.passed ?? null,
        }
      : {}),
    ...(value && value.failedNames.length > 0 ? { failing: value.failedNames.slice(0, 20).join('\n') } : {}),
    ...(messages === '' ? {} : { messages }),
    ...(flaky.length > 0 ? { flaky: flaky.map(createTestKey).join('\n') } : {}),
    ...(unsure.length > 0 ? { unsure: unsure.map(createTestKey).join('\n') } : {}),
    ...(repetitions > 0 ? { repetitions } : {}),
  };
}

/** The runner's messages about up to three failing tests: the name of each test, and its message indented below. */
function formatMessages(failing: readonly TestCase[]): string {
  return failing
    .filter(({ failure }) => failure !== undefined)
    .slice(0, MAX_MESSAGES)
    .map(({ name, failure }) => [name, ...failure!.split('\n').map((line) => `  ${line}`)].join('\n'))
    .join('\n');
}
