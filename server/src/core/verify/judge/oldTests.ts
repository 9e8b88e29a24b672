// Runs the old tests on the new code, which is the only way to distinguish a changed expectation from a hidden defect.

import type { FileEdit } from '../../model.ts';
import type { TestChange } from '../../model/judgement.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { isSnapshot, isTestData } from '../../paths/tests.ts';
import type { GateRun } from '../gate.ts';
import type { TestCase } from '../parse/testCounts.ts';
import { lettersAndDigits } from '../parse/titles.ts';
import { chooseTests, estimateSeconds } from '../testing/chosenTests.ts';
import type { FoundChange } from './compareCases.ts';

/** Maximum number of characters of the runner's message that a person sees. */
const MAX_MESSAGE_CHARACTERS = 400;
/** What a person reads in place of the runner's message about a test that has no time to run. */
const NO_TIME = 'There was no time to run the old test on the new code; `--thorough` does.';

/**
 * The changes, each with the result of its old test on the new code. The result stays unknown if the old test did not
 * run, was skipped, or failed without the change, and if there is no time for it, which is said.
 */
export async function askOldTests(
  run: GateRun,
  changes: readonly FoundChange[],
  signal: AbortSignal,
): Promise<readonly TestChange[]> {
  const unrun = changes.map((change): TestChange => ({ ...change, oldTest: 'unknown', said: null }));
  const changedTests = changes.filter(({ test, kind }) => test !== '' && kind !== 'gone');
  const changedPaths = new Set(changedTests.map(({ path }) => path));
  const old = run.edits.filter(isOfTests);
  const files = old
    .filter((edit) => edit.before !== null && isTestEdit(edit) && changedPaths.has(edit.path))
    .map(({ path }) => path);
  if (files.length === 0) return unrun;
  const chosen = await chooseTests(run, signal);
  if (!chosen) return unrun;
  if (estimateSeconds(chosen, files) > (run.secondsLeft ?? Infinity))
    return changes.map((change) => {
      const isLeftOut = changedTests.includes(change) && files.includes(change.path);
      return { ...change, oldTest: 'unknown', said: isLeftOut ? NO_TIME : null };
    });
  const command = chosen.commands.onFiles(files) ?? chosen.commands.allTests;
  const { value } = await run.without(old, () => run.again('mutant', command, chosen.commands.parse, signal));
  const cases = value?.cases ?? [];
  const before = chosen.base.value?.cases ?? [];
  return unrun.map((change) => {
    const [oldTestNow, oldTestBefore] = [collectCases(change, cases), collectCases(change, before)];
    // A test that failed before shows nothing about the change.
    if (oldTestNow.length === 0 || oldTestBefore.some(({ outcome }) => outcome === 'failed')) return change;
    const failing = oldTestNow.find(({ outcome }) => outcome === 'failed');
    if (failing) return { ...change, oldTest: 'fails', said: findMessage(failing) };
    return oldTestNow.some(({ outcome }) => outcome === 'passed') ? { ...change, oldTest: 'passes' } : change;
  });
}

function isOfTests(edit: FileEdit): boolean {
  return isTestEdit(edit) || isSnapshot(edit.path) || isTestData(edit.path);
}

/**
 * The cases with the title of the changed test, or else those whose name ends with it. Only letters and digits are
 * compared, because runners join titles in different ways.
 */
function collectCases({ path, test }: FoundChange, cases: readonly TestCase[]): readonly TestCase[] {
  if (test === '') return [];
  const searchedTitle = lettersAndDigits(test);
  const casesOfFile = cases.filter(({ file }) => file === null || file === path);
  const exact = casesOfFile.filter(({ name }) => lettersAndDigits(name) === searchedTitle);
  return exact.length > 0 ? exact : casesOfFile.filter(({ name }) => lettersAndDigits(name).endsWith(searchedTitle));
}

function findMessage({ failure }: TestCase): string | null {
  const lines = (failure ?? '').split('\n').map((line) => line.trim());
  // Node's runner repeats the message in a print of the whole error, which is cut off.
  const end = lines.findIndex((line, index) => index > 0 && line.startsWith('[Error'));
  const text = lines
    .slice(0, end < 0 ? undefined : end)
    .filter((line) => line !== '' && !line.startsWith('at '))
    .slice(0, 6)
    .join('\n');
  return text === '' ? null : text.slice(0, MAX_MESSAGE_CHARACTERS);
}
