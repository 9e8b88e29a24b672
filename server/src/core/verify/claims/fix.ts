// Checks a fix, or what a person asked for: tests in the change, or existing tests, fail without the change and pass
// with it.

import type { FileEdit } from '../../model.ts';
import { describeOverfit, SPECIAL_KEY } from '../../model/proofs.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { isSnapshot, isTestData, isTypeTest } from '../../paths/tests.ts';
import type { DetectedCommand } from '../detect/command.ts';
import type { GateInput } from '../gate.ts';
import { chooseTests, type ChosenTests } from '../testing/chosenTests.ts';
import { chooseOnlyTests } from '../testing/chooseOnlyTests.ts';
import { compareTests, createTestKey, type TestCommands, type TestRun } from '../testing/testRun.ts';
import type { TestCase } from '../parse/testCounts.ts';
import { formatCount, failed, passed, unknown, type GateAnswer } from '../answer.ts';
import { explainConditionalTest } from './addedTests.ts';
import { NEEDS_CALL, NEEDS_SAME, SEEN_ONCE } from '../../model/evidence.ts';
import { classifyFailure, type FailureKind } from './failures.ts';
import { findSpecialCase } from './specialCase.ts';

/** Number of runs on each side, which reveals tests that depend on chance. */
export const RUN_COUNT = 5;
/** Maximum number of characters of the runner's message that a verdict quotes. */
const MAX_MESSAGE_CHARACTERS = 200;
/** Matches a line with a test or an assertion, in the languages whose tests run here. */
const CHECK_PATTERN =
  /\b(?:assert\w*|expect|should|test|it|describe|t|suite)\b\s*[.(]|^assert\b|\bdef test_|\bfunc Test/;

/** Matches the first line of a test case. Files of test helpers have no such line. */
const CASE_PATTERN = /^[ \t]*(?:test|it|describe|suite)\b[\w.]*\(|^[ \t]*(?:async )?def test_|^func Test/m;

/** Key in the evidence: the keys of the tests that show the claim, one per line. */
const FAILING_KEY = 'failing';
/** Maximum number of failing test files that run with the change. */
const MAX_FAILING_FILES = 20;

type Side = 'candidate' | 'mutant';

/** The reason why a failure of each kind does not show the claim. The first entry that applies counts. */
const REASON_BY_FAILURE: readonly (readonly [FailureKind | 'passes' | 'absent', string])[] = [
  [
    'loading',
    'Without the change the tests that it brings cannot use what they test: that shows something new, not a defect that is fixed.',
  ],
  [
    'absent',
    'Without the change the tests that it brings do not run at all: that shows something new, not a defect that is fixed.',
  ],
  ['time', 'Without the change the tests that it brings run out of time, which proves nothing.'],
  ['unknown', 'The tests that it brings fail without the change, but their runner does not say why.'],
  ['passes', 'The tests that it brings pass without the change, too, at least sometimes.'],
];

/**
 * Checks the claim. `fix`: without the change, a test runs and fails by an assertion or a named error. `request`: it
 * may also fail because the requested code does not exist. Unknown if the tests cannot be run or compared, if too
 * little time is left, or if another gate must show the claim.
 */
export async function checkFix(
  run: GateInput,
  kind: 'fix' | 'request',
  signal: AbortSignal,
  times = RUN_COUNT,
): Promise<GateAnswer> {
  const tests = run.edits.filter((edit) => edit.after !== null && isTestEdit(edit));
  const code = run.edits.filter((edit) => !isTestEdit(edit));
  if (tests.length === 0 && kind === 'request')
    return unknown(
      'It brings no acceptance test, so the comparison of old and new, the calls of the tests or the mutants have to show that it keeps behaviour.',
      { [NEEDS_SAME]: 1 },
    );
  if (code.length === 0) return failed('It changes tests only.');
  const lostCheck = tests.flatMap(findLostChecks)[0];
  if (lostCheck !== undefined)
    return failed(`It removes a check from the existing tests, \`${lostCheck.slice(0, 120)}\`. Only add to them.`);
  const conditionProblem = explainConditionalTest(run.edits);
  if (conditionProblem !== null) return failed(conditionProblem);
  const allTests = await chooseTests(run, signal);
  if (!allTests)
    return tests.length === 0
      ? answerWithoutTest(run)
      : unknown('No tests were found, so the tests that come with the change cannot run.');
  const testPaths = selectRunnableTests(tests.map(({ path }) => path));
  if (testPaths.length === 0 && (await fixesNoTest(run, allTests, signal))) return answerWithoutTest(run);
  const chosenTests = await chooseCommandsForFiles(run, allTests, testPaths, signal);
  if (chosenTests === null)
    return unknown('The time that is left is too short for the runs that would show it. `--thorough` gives them time.');
  const files = tests.length === 0 ? listFailingFiles(chosenTests.base) : testPaths;
  const isFileUnknown = tests.length === 0 && files.length === 0 && listFailingCases(chosenTests.base).length > 0;
  if (files.length === 0 && !isFileUnknown) return answerWithoutTest(run);
  // Runners such as TAP and Go name no files, so all tests run.
  const command = isFileUnknown ? chosenTests.commands.allTests : chosenTests.commands.onFiles(files);
  if (!command) return unknown('The test command of this repository cannot be told to run single files.');

  // One run without the change is enough to refuse most wrong claims.
  const runWithout = (times: number) => runRepeatedly(run, 'mutant', command, chosenTests.commands, times, signal);
  const firstWithout = await run.without(code, () => runWithout(1));
  const knownNames = new Set(code.flatMap(({ before }) => (before ?? '').match(/[\w$]+/g) ?? []));
  const isKnownName = (name: string) => knownNames.has(name);
  const earlierRun = await findCandidateRun(run, chosenTests.commands, new Set(files), signal);
  const first = earlierRun
    ? [earlierRun]
    : await runRepeatedly(run, 'candidate', command, chosenTests.commands, 1, signal);
  const isBrought = createBroughtMatcher(tests);
  const firstAnswer = judgeRuns(kind, first, firstWithout, { knows: isKnownName, isBrought }, times);
  if (firstAnswer.outcome !== 'passed') return tests.length === 0 ? answerWithoutTest(run) : firstAnswer;
  const firstUnmet = kind === 'request' ? explainUnmetRequest(tests, chosenTests.base, first) : null;
  if (firstUnmet !== null) return failed(firstUnmet);
  // Each further repetition is one run on each side. A single pair of runs may be due to chance.
  if (2 * (times - 1) * firstWithout[0]!.answer.millis > 1000 * (run.secondsLeft ?? Infinity))
    return unknown(
      `${judgeRuns(kind, first, firstWithout, { knows: isKnownName, isBrought }, 1).reason} \`--thorough\` repeats it.`,
      {
        [SEEN_ONCE]: 1,
      },
    );
  const withChange = [
    ...first,
    ...(await runRepeatedly(run, 'candidate', command, chosenTests.commands, times - 1, signal)),
  ];
  const runsWithout = [...firstWithout, ...(await run.without(code, () => runWithout(times - 1)))];
  const unmetRequest = kind === 'request' ? explainUnmetRequest(tests, chosenTests.base, withChange) : null;
  const answer =
    unmetRequest === null
      ? judgeRuns(kind, withChange, runsWithout, { knows: isKnownName, isBrought }, times)
      : failed(unmetRequest);
  if (answer.outcome !== 'passed' && tests.length === 0) return answerWithoutTest(run);
  return answer.outcome === 'passed'
    ? addSpecialCaseWarning(run, answer, command, chosenTests.commands, signal)
    : answer;
}

/**
 * The results of these files in the run of all tests with the change; null if this judgement has no such run. They save
 * a start of the runner.
 */
async function findCandidateRun(
  { runsCandidateFirst, resultOfThisRun }: GateInput,
  { allTests }: TestCommands,
  files: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<TestRun | null> {
  const earlierRun = runsCandidateFirst ? await resultOfThisRun<TestRun['value']>(allTests, signal) : undefined;
  const cases = earlierRun?.value?.cases?.filter(({ file }) => file !== null && files.has(file)) ?? [];
  return earlierRun?.value && cases.length > 0 ? { ...earlierRun, value: { ...earlierRun.value, cases } } : null;
}

/**
 * The tests with a command that can run these files. A judgement prefers the command of all tests if it can, because
 * its result is already known. Null if there is no time to run all tests with another command.
 */
async function chooseCommandsForFiles(
  run: GateInput,
  allTests: ChosenTests,
  files: readonly string[],
  signal: AbortSignal,
): Promise<ChosenTests | null> {
  if (run.runsCandidateFirst && allTests.commands.onFiles(files) !== null) return allTests;
  if (allTests.base.answer.millis > 1000 * (run.secondsLeft ?? Infinity)) return null;
  // If the tests run behind a linter or another program, the runner can neither name its tests nor run single files.
  return chooseOnlyTests(run, allTests, signal);
}

/**
 * True if this judgement has a run of all tests with the change, and every test that fails without the change also
 * fails in it.
 */
async function fixesNoTest(
  { runsCandidateFirst, resultOfThisRun }: GateInput,
  { commands, base }: ChosenTests,
  signal: AbortSignal,
): Promise<boolean> {
  const candidateRun = runsCandidateFirst
    ? await resultOfThisRun<TestRun['value']>(commands.allTests, signal)
    : undefined;
  if (!candidateRun?.value?.cases || !base.value?.cases) return false;
  const failing = new Set(listFailingCases({ ...base, value: candidateRun.value }).map(createTestKey));
  return listFailingCases(base).every((testCase) => failing.has(createTestKey(testCase)));
}

/** The answer, with a warning if the new code seems to be made only for these tests. */
async function addSpecialCaseWarning(
  run: GateInput,
  answer: GateAnswer,
  command: DetectedCommand,
  commands: TestCommands,
  signal: AbortSignal,
): Promise<GateAnswer> {
  const failingTests = String(answer.evidence?.[FAILING_KEY] ?? '').split('\n');
  const specialUse = await findSpecialCase(run, failingTests, command, commands, signal);
  if (specialUse === null) return answer;
  const evidence = { ...answer.evidence, [SPECIAL_KEY]: specialUse };
  return { ...answer, reason: `${answer.reason} ${describeOverfit([{ gate: 'claim', evidence }])}`, evidence };
}

/**
 * The answer if no test shows the claim: unknown if the comparison of old and new code generates calls that may show
 * it; otherwise failed.
 */
function answerWithoutTest({ context: { proof } }: GateInput): GateAnswer {
  const reason = 'It brings no test that would show the defect';
  return proof?.harness && proof.settings.differentialSeconds > 0
    ? unknown(`${reason}, and no generated call fails without the change and returns a value with it.`, {
        [NEEDS_CALL]: 1,
      })
    : failed(`${reason}.`);
}

/**
 * The files on which the runner is started: no test data or snapshots, and no tests that only a type checker reads. If
 * nothing else is left, all files.
 */
function selectRunnableTests(paths: readonly string[]): readonly string[] {
  const runnable = paths.filter((path) => !isTypeTest(path) && !isTestData(path) && !isSnapshot(path));
  return runnable.length === 0 ? paths : runnable;
}

/** Existing test files that fail without the change, and that the change may fix. */
function listFailingFiles(base: TestRun): readonly string[] {
  return [...new Set(listFailingCases(base).flatMap(({ file }) => (file === null ? [] : [file])))].slice(
    0,
    MAX_FAILING_FILES,
  );
}

function listFailingCases({ value }: TestRun): readonly TestCase[] {
  return value?.cases?.filter(({ outcome }) => outcome === 'failed') ?? [];
}

/** Lines with a check that were in the file before and no longer are. */
export function findLostChecks({ before, after }: FileEdit): readonly string[] {
  const remainingLines = new Set((after ?? '').split('\n').map((line) => line.trim()));
  return (before ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => CHECK_PATTERN.test(line) && !remainingLines.has(line));
}

/** Runs the tests this many times on one side. */
async function runRepeatedly(
  run: GateInput,
  side: Side,
  command: DetectedCommand,
  commands: TestCommands,
  times: number,
  signal: AbortSignal,
): Promise<readonly TestRun[]> {
  const runs: TestRun[] = [];
  while (runs.length < times) runs.push(await run.rerun(side, command, commands.parse, signal));
  return runs;
}

/**
 * Keys of the tests that passed in every run; none if a run was stopped early. Null if a run does not name its tests.
 */
export function findAlwaysPassingTests(runs: readonly TestRun[]): ReadonlySet<string> | null {
  if (runs.some(({ value }) => value !== null && value.cases === null)) return null;
  const [first, ...otherRuns] = runs.map(({ answer, value }) => {
    const cases = answer.outcome === 'exited' ? (value?.cases ?? []) : [];
    const failing = new Set(cases.filter(({ outcome }) => outcome === 'failed').map(createTestKey));
    return new Set(
      cases
        .filter(({ outcome }) => outcome === 'passed')
        .map(createTestKey)
        .filter((key) => !failing.has(key)),
    );
  });
  return new Set([...(first ?? [])].filter((key) => otherRuns.every((keys) => keys.has(key))));
}

/** Facts about the change that its runs do not show. */
interface FixFacts {
  /** True for names that the code had before the change. */
  knows(name: string): boolean;
  /** True for a test that the change adds, as far as its title shows. */
  isBrought(testCase: TestCase): boolean;
}

/**
 * Creates a function that is true for a test whose title occurs more often in the new text of these edits than in the
 * old one.
 */
function createBroughtMatcher(tests: readonly FileEdit[]): FixFacts['isBrought'] {
  const oldText = tests.map(({ before }) => before ?? '').join('\n');
  const newText = tests.map(({ after }) => after ?? '').join('\n');
  return ({ name }) => {
    // Runners put the titles of the groups before the title of the test.
    const title = name.split(/ › | > /).at(-1)!;
    const quoted = [`'${title}'`, `"${title}"`, `\`${title}\``].find((text) => newText.includes(text)) ?? title;
    return newText.split(quoted).length > oldText.split(quoted).length;
  };
}

/**
 * The answer that the runs on both sides give. `times`: the planned number of runs on each side, for the sentences.
 * Tests that the change adds are named first.
 */
function judgeRuns(
  kind: 'fix' | 'request',
  withChange: readonly TestRun[],
  runsWithout: readonly TestRun[],
  { knows, isBrought }: FixFacts,
  times: number,
): GateAnswer {
  const passing = findAlwaysPassingTests(withChange);
  if (passing === null) return unknown('The tests that it brings do not name their cases, so they cannot be compared.');
  if (passing.size === 0)
    return failed(`None of the tests that it brings passes ${times} times in a row with the change.`);
  const shownTests: TestCase[] = [];
  const otherOutcomes = new Set<FailureKind | 'passes' | 'absent'>();
  for (const key of passing) {
    const casesOfKey = runsWithout.map(
      ({ value }) => value?.cases?.filter((testCase) => createTestKey(testCase) === key) ?? [],
    );
    const kinds = casesOfKey.map((cases) => classifyCases(cases, knows));
    const [first] = casesOfKey[0]?.filter(({ outcome }) => outcome === 'failed') ?? [];
    if (kinds.every((caseKind) => isEvidence(kind, caseKind)))
      shownTests.push(first ?? { file: null, name: key, outcome: 'failed', millis: null });
    else kinds.filter((caseKind) => !isEvidence(kind, caseKind)).forEach((caseKind) => otherOutcomes.add(caseKind));
  }
  const evidence = {
    tests: passing.size,
    [FAILING_KEY]: shownTests.map(createTestKey).slice(0, 20).join('\n'),
    runs: times,
  };
  const first = shownTests.find(isBrought) ?? shownTests[0];
  if (first) {
    const timesText = times === 1 ? 'seen once' : `${times} times each`;
    return passed(
      `Without the change “${first.name}” fails (${shortenMessage(first)}); with it, it passes, ${timesText}.${
        shownTests.length > 1 ? ` So do ${formatCount(shownTests.length - 1, 'other test')}.` : ''
      }`,
      { ...evidence, failure: first.failure ?? '' },
    );
  }
  const reason =
    REASON_BY_FAILURE.find(([reasonKind]) => otherOutcomes.has(reasonKind))?.[1] ??
    'No test that it brings fails without the change.';
  const hint =
    kind === 'fix' && (otherOutcomes.has('loading') || otherOutcomes.has('absent'))
      ? ' State the claim “request” for it.'
      : '';
  return otherOutcomes.has('unknown') ? unknown(reason, evidence) : failed(`${reason}${hint}`, evidence);
}

/**
 * The reason why a request is not done, as a sentence: a test of the change fails with it, or its test file does not
 * run. Null if there is no such test. A request is done only when all of its tests pass.
 */
function explainUnmetRequest(
  tests: readonly FileEdit[],
  { value: base }: TestRun,
  withChange: readonly TestRun[],
): string | null {
  for (const { value } of withChange) {
    if (!value?.cases) continue;
    const [failing] = compareTests({ ...value, cases: base?.cases ?? [] }, value)?.failing ?? [];
    if (failing) return `“${failing.name}”, which it brings, fails with the change (${shortenMessage(failing)}).`;
    const ranFiles = new Set(value.cases.map(({ file }) => file));
    // Some runners do not name files by their paths.
    if (!tests.some(({ path }) => ranFiles.has(path))) continue;
    const fileWithoutRun = tests.find(
      ({ path, after }) => !ranFiles.has(path) && !isTypeTest(path) && CASE_PATTERN.test(after ?? ''),
    );
    if (fileWithoutRun) return `The tests in ${fileWithoutRun.path}, which it brings, do not run with the change.`;
  }
  return null;
}

/** The first lines of the runner's message, without the stack trace. */
function shortenMessage({ failure }: TestCase): string {
  const lines = (failure ?? 'it is not there')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:at |\[Error)/.test(line));
  return lines.slice(0, 2).join(' ').slice(0, MAX_MESSAGE_CHARACTERS);
}

/**
 * The kind of failure of the cases with one key; `passes` if none fails and at least one passes, `absent` if none ran.
 */
function classifyCases(
  cases: readonly TestCase[],
  knows: (name: string) => boolean,
): FailureKind | 'passes' | 'absent' {
  const failing = cases.filter(({ outcome }) => outcome === 'failed');
  if (failing.length === 0) return cases.some(({ outcome }) => outcome === 'passed') ? 'passes' : 'absent';
  return classifyFailure(failing[0]?.failure ?? '', knows);
}

/** True if a failure of this kind shows the claim. */
function isEvidence(kind: 'fix' | 'request', failure: FailureKind | 'passes' | 'absent'): boolean {
  if (failure === 'assertion' || failure === 'error') return true;
  return kind === 'request' && (failure === 'loading' || failure === 'absent');
}
