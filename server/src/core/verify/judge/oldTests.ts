// Runs the tests as they were before the change on the changed code, which is the only way to distinguish a changed
// expectation from a hidden defect. If an old test fails, the behaviour has changed; if it passes, only the test has
// changed (`TestChange.oldTest`).

import type { FileEdit } from '../../model.ts';
import type { TestChange } from '../../model/judgement.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { isSnapshot, isTestData } from '../../paths/tests.ts';
import type { GateInput } from '../gate.ts';
import type { TestCase, TestCounts } from '../parse/testCounts.ts';
import { selectLettersAndDigits } from '../parse/titles.ts';
import type { DetectedCommand } from '../detect/command.ts';
import { chooseTests, estimateSeconds, type ChosenTests } from '../testing/chosenTests.ts';
import { createTestKey } from '../testing/testRun.ts';
import type { FoundChange } from './foundChange.ts';

/** Maximum number of characters of the runner's message that a person sees. */
const MAX_MESSAGE_CHARACTERS = 400;
/** The text in place of the runner's message for a test that had no time to run. */
const NO_TIME = 'There was no time to run the old test on the new code; `--thorough` does.';

/**
 * Returns the changes with `oldTest`. It stays unknown if the old test did not run, was skipped, failed without the
 * change, or had no time (`said` states this). All tests of an edited file run. A failing test that belongs to no
 * change is added as a change.
 */
export async function addOldTestResults(
  run: GateInput,
  changes: readonly FoundChange[],
  signal: AbortSignal,
): Promise<readonly TestChange[]> {
  const unverifiedChanges = changes.map(toTestChange);
  const testEdits = run.edits.filter(isTestFileEdit);
  const editedTestPaths = findEditedTestPaths(run.edits);
  if (editedTestPaths.length === 0) return unverifiedChanges;
  const chosenTests = await chooseTests(run, signal);
  if (!chosenTests) return unverifiedChanges;
  const headCases =
    (await run.resultOfThisRun<TestCounts | null>(chosenTests.commands.allTests, signal))?.value?.cases ?? [];
  const baseCases = chosenTests.base.value?.cases ?? [];
  const { command, coveredPaths } = chooseCommand(chosenTests, editedTestPaths, run.secondsLeft ?? Infinity);
  const isCovered = ({ kind, path }: FoundChange) => kind !== 'gone' && coveredPaths.includes(path);
  const changesBeforeRun = changes.map((foundChange) => {
    const change = toTestChange(markAsRow(foundChange, headCases, baseCases));
    const isLeftOut = change.kind !== 'gone' && editedTestPaths.includes(change.path) && !isCovered(change);
    return isLeftOut ? { ...change, said: NO_TIME } : change;
  });
  if (!command) return changesBeforeRun;
  const { value } = await run.without(testEdits, () =>
    run.rerun('mutant', command, chosenTests.commands.parse, signal),
  );
  const cases = value?.cases ?? [];
  const newlyFailing = findNewlyFailing(cases, baseCases);
  const attributedCases = new Set(changes.flatMap((change) => collectCases(change, cases)));
  // If a helper was edited, tests of other files may fail.
  const unattributedFailures = newlyFailing.filter((testCase) => !attributedCases.has(testCase));
  const verifiedChanges = changesBeforeRun.map((change): TestChange => {
    if (!isCovered(change)) return change;
    if (change.test === '') return verifySupportChange(change, unattributedFailures, cases, baseCases);
    const [oldTestNow, oldTestBefore] = [collectCases(change, cases), collectCases(change, baseCases)];
    // A test that failed before shows nothing about the change.
    if (oldTestNow.length === 0 || oldTestBefore.some(({ outcome }) => outcome === 'failed')) return change;
    const failing = oldTestNow.find(({ outcome }) => outcome === 'failed');
    if (failing) return { ...change, oldTest: 'fails', said: findMessage(failing) };
    return oldTestNow.some(({ outcome }) => outcome === 'passed') ? { ...change, oldTest: 'passes' } : change;
  });
  const isReported = ({ file }: TestCase) =>
    verifiedChanges.some(
      ({ test, oldTest, path }) => test === '' && oldTest === 'fails' && (file === null || file === path),
    );
  const unreportedFailures = unattributedFailures.filter(
    (testCase) => !isReported(testCase) && (testCase.file === null || editedTestPaths.includes(testCase.file)),
  );
  return [...verifiedChanges, ...unreportedFailures.map((testCase) => createTestChange(testCase, editedTestPaths[0]!))];
}

/** The change, before its old test has run. */
export function toTestChange({ perhapsRowOf: _, ...change }: FoundChange): TestChange {
  return { ...change, oldTest: 'unknown', said: null };
}

/**
 * Marks a deleted test as rewritten if it now runs under its old title, as a row of a table or loop. The title must
 * pass at least as often as before, because other tests may have the same title. If the runner does not name the file
 * of a case, the title must have been unique.
 */
function markAsRow(change: FoundChange, headCases: readonly TestCase[], before: readonly TestCase[]): FoundChange {
  const { kind, path, test, perhapsRowOf } = change;
  if (kind !== 'deleted' || perhapsRowOf === undefined) return change;
  const title = selectLettersAndDigits(test);
  const findCasesWithTitle = (cases: readonly TestCase[]) =>
    cases.filter(({ name, file }) => (file === null || file === path) && selectLettersAndDigits(name) === title);
  const countPassed = (cases: readonly TestCase[]) => cases.filter(({ outcome }) => outcome === 'passed').length;
  const [matchingHeadCases, matchingBaseCases] = [findCasesWithTitle(headCases), findCasesWithTitle(before)];
  const isUnambiguous = matchingBaseCases.length === 1 || matchingHeadCases.every(({ file }) => file !== null);
  const stillPasses = countPassed(matchingHeadCases) >= Math.max(1, countPassed(matchingBaseCases));
  return stillPasses && isUnambiguous ? { ...change, kind: 'rewritten', now: perhapsRowOf } : change;
}

/** The paths of existing test files that the change edits or removes. */
export function findEditedTestPaths(edits: readonly FileEdit[]): readonly string[] {
  return edits
    .filter((edit) => edit.before !== null && isTestEdit(edit) && !isSnapshot(edit.path) && !isTestData(edit.path))
    .map(({ path }) => path);
}

/**
 * The command for the edited test files, or for all tests if a helper of theirs was edited; null if there is not enough
 * time. `coveredPaths`: the edited files whose effect the command shows.
 */
function chooseCommand(
  chosenTests: ChosenTests,
  editedTestPaths: readonly string[],
  seconds: number,
): { readonly command: DetectedCommand | null; readonly coveredPaths: readonly string[] } {
  const { commands, base } = chosenTests;
  const pathsWithCases = new Set((base.value?.cases ?? []).flatMap(({ file }) => file ?? []));
  const files =
    pathsWithCases.size === 0 ? editedTestPaths : editedTestPaths.filter((path) => pathsWithCases.has(path));
  if (files.length < editedTestPaths.length && base.answer.millis / 1000 <= seconds)
    return { command: commands.allTests, coveredPaths: editedTestPaths };
  if (files.length === 0 || estimateSeconds(chosenTests, files) > seconds) return { command: null, coveredPaths: [] };
  return { command: commands.onFiles(files) ?? commands.allTests, coveredPaths: files };
}

/**
 * Tests that newly fail, and test files that fail to load; Node's runner names the case of such a file after the file.
 */
function findNewlyFailing(cases: readonly TestCase[], before: readonly TestCase[]): readonly TestCase[] {
  const passedBefore = new Set(before.filter(({ outcome }) => outcome === 'passed').map(createTestKey));
  const files = new Set(before.map(({ file }) => file));
  return cases.filter(
    (testCase) =>
      testCase.outcome === 'failed' &&
      (passedBefore.has(createTestKey(testCase)) || (testCase.name === testCase.file && files.has(testCase.file))),
  );
}

/**
 * Verifies a change outside of all tests with the other tests of the file. The result is the first failing test, or
 * that all pass.
 */
function verifySupportChange(
  change: TestChange,
  failing: readonly TestCase[],
  cases: readonly TestCase[],
  before: readonly TestCase[],
): TestChange {
  const isHelper = before.every(({ file }) => file !== null && file !== change.path);
  const isInFile = ({ file }: TestCase) => isHelper || file === null || file === change.path;
  const firstFailing = failing.find(isInFile);
  if (firstFailing)
    return {
      ...change,
      oldTest: 'fails',
      said: [firstFailing.name, findMessage(firstFailing)].filter(Boolean).join(': '),
    };
  const casesInFile = cases.filter(isInFile);
  const hasPassed =
    casesInFile.some(({ outcome }) => outcome === 'passed') && casesInFile.every(({ outcome }) => outcome !== 'failed');
  return hasPassed ? { ...change, oldTest: 'passes' } : change;
}

/** The change for a failing test that no change of its text explains. */
function createTestChange(testCase: TestCase, firstPath: string): TestChange {
  return {
    ...{ kind: 'rewritten', path: testCase.file ?? firstPath, line: null, test: testCase.name },
    ...{ before: null, after: null, oldTest: 'fails', said: findMessage(testCase) },
  };
}

function isTestFileEdit(edit: FileEdit): boolean {
  return isTestEdit(edit) || isSnapshot(edit.path) || isTestData(edit.path);
}

/**
 * Cases whose name is the title of the changed test; if there is none, cases whose name ends with it. Only letters and
 * digits are compared, because runners join titles in different ways.
 */
function collectCases({ path, test }: FoundChange, cases: readonly TestCase[]): readonly TestCase[] {
  if (test === '') return [];
  const searchedTitle = selectLettersAndDigits(test);
  const casesOfFile = cases.filter(({ file }) => file === null || file === path);
  const exactMatches = casesOfFile.filter(({ name }) => selectLettersAndDigits(name) === searchedTitle);
  return exactMatches.length > 0
    ? exactMatches
    : casesOfFile.filter(({ name }) => selectLettersAndDigits(name).endsWith(searchedTitle));
}

function findMessage({ failure }: TestCase): string | null {
  const lines = (failure ?? '').split('\n').map((line) => line.trim());
  // Node's runner repeats the message with the whole error. Only the part before the error is used.
  const end = lines.findIndex((line, index) => index > 0 && line.startsWith('[Error'));
  const text = lines
    .slice(0, end < 0 ? undefined : end)
    .filter((line) => line !== '' && !line.startsWith('at '))
    .slice(0, 6)
    .join('\n');
  return text === '' ? null : text.slice(0, MAX_MESSAGE_CHARACTERS);
}
