// Creates the task to write tests: the question lists mutants of a file that no test of the repository notices.

import { isNamedTest, isTestFile } from '../../paths/tests.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { showLinesAround } from '../../proposers/excerpts.ts';
import { fenceText, formatName, type ShownFile } from '../../proposers/prompt.ts';
import { describeMutant } from '../../verify/guard/mutantRuns.ts';
import type { Mutant } from '../../verify/guard/planMutants.ts';
import { determineSurvivors } from '../../verify/guard/survivors.ts';
import type { SessionContext } from '../context.ts';
import type { Operation } from '../../operation.ts';
import { readTextOrNull } from '../search/packing.ts';
import { sortNamedTestsFirst } from '../verify/reachingTests.ts';
import { createVerifyContext } from '../verify/verifying.ts';
import { readTreeState } from '../verify/treeState.ts';
import type { TaskRefusal, TaskText } from './taskText.ts';

/** Maximum number of mistakes in one question. Questions call a mutant that no test notices a mistake. */
const MAX_MISTAKES = 12;
/** Maximum number of characters of a line with a mistake. */
const MAX_LINE_CHARACTERS = 120;
/** Maximum number of test files that are shown, completely or partly: as places for the new tests, and as examples. */
const MAX_TEST_FILES = 2;

/** Matches mutants that replace a literal by `undefined`. A test of them is worth less, so they come last. */
const WEAK_PATTERN = /^(?:true|false|null|-?\d+|\[\]|\{\}|''|""|``) → undefined$/;

/** The mistakes that no test notices, as stored for the tree. */
interface MissedMistakes {
  /** Descriptions by `describeMutant`, in the order of the file. */
  readonly mistakes: readonly string[];
  /** The source line of each mistake. */
  readonly lineTexts: readonly string[];
  /** The lines of the first and the last mistake, from 1. */
  readonly lines: readonly [first: number, last: number];
  readonly testFiles: readonly string[];
}

/**
 * Creates the task for a file. `budget`: tokens for files. Refused if mutants cannot be tried, or if the tests notice
 * all mutants that are worth a test. Throws `notFound` if the file cannot be read, and `usage` if it is a test.
 */
export async function createTestsTask(
  context: SessionContext,
  path: string,
  budget: number,
  operation: Operation,
): Promise<TaskText | TaskRefusal> {
  const text = await readTextOrNull(context, path);
  if (text === null)
    throw new SelfwareError('notFound', `${path} cannot be read.`, { action: 'Name a source file of the repository.' });
  if (isTestFile(path)) throw new SelfwareError('usage', `${path} is a test.`, { action: 'Name what it tests.' });
  const missed = await loadMissedMistakes(context, { path, text }, operation);
  if ('refused' in missed) return missed;
  const { mistakes, lineTexts, lines, testFiles } = missed;
  if (mistakes.length === 0)
    return { refused: `No mistake was found in ${path} that the tests would not notice and that is worth a test.` };
  const tests: ShownFile[] = [];
  for (const file of testFiles.slice(0, MAX_TEST_FILES)) {
    const testText = await readTextOrNull(context, file);
    if (testText !== null)
      tests.push({ path: file, text: extractBeginningAndEnd(testText, budget / 4), role: 'target' });
  }
  const placeText =
    tests.length > 0 ? 'one of the test files that are shown' : 'a new test file, where tests lie here,';
  return {
    sentence: [
      `Write tests for ${formatName(path)}. If one of these mistakes were made in it, no test of the repository would notice:`,
      fenceText(mistakes.map((mistake, index) => `- ${mistake} (the line is: ${lineTexts[index]})`).join('\n')),
    ].join('\n'),
    demands: [
      `Add test cases to ${placeText} or to a new test file beside it; change nothing else.`,
      'Each new test has to pass with the code as it is, and fail with at least one of these mistakes.',
      'You need not cover all mistakes.',
      'Work out by hand what the code returns before you write it down.',
      'Use the test runner, the assertions and the style of the existing tests.',
      'Call only what the file exports or the package offers.',
      'Leave mistakes alone that no call can show, because the code behaves the same with them.',
      'Test behaviour that a user of the code relies on, not wording or private details.',
      'Replace no module by a mock; what the code takes as an argument may be a stand-in.',
    ],
    targets: [{ path, text: showLinesAround(text, lines[0], lines[1], budget / 2), role: 'target' }, ...tests],
    addresses: mistakes,
    elsewhere: false,
    firstFiles: context.state.imports.get(path) ?? [],
    search: path,
  };
}

/**
 * Finds the mistakes of the question. They are measured once per tree, so that all attempts receive the same question.
 */
async function loadMissedMistakes(
  context: SessionContext,
  source: { readonly path: string; readonly text: string },
  operation: Operation,
): Promise<MissedMistakes | TaskRefusal> {
  const tree = (await readTreeState(context))?.key ?? null;
  const cacheKey = `mistakes that no test notices, with their lines ${source.path}`;
  const storedMistakes = await context.baseline.find<MissedMistakes>(tree, cacheKey);
  if (storedMistakes) return storedMistakes;
  const seconds = context.settings['verify.guardSeconds'];
  const survivors = await determineSurvivors(
    await createVerifyContext(context, operation),
    source,
    seconds,
    operation.signal,
  );
  if ('refused' in survivors) return survivors;
  const chosenForQuestion = selectMutantsForQuestion(survivors.missed);
  const missed: MissedMistakes = {
    mistakes: chosenForQuestion.map(describeMutant),
    lineTexts: chosenForQuestion.map(({ line }) =>
      (source.text.split('\n')[line - 1] ?? '').trim().slice(0, MAX_LINE_CHARACTERS),
    ),
    lines: [chosenForQuestion[0]?.line ?? 1, chosenForQuestion.at(-1)?.line ?? 1],
    testFiles: sortNamedTestsFirst(selectNamedTests(survivors.testFiles), source.path),
  };
  await context.baseline.keep(tree, cacheKey, missed);
  return missed;
}

/**
 * Chooses the mistakes of one question, in the order of the file. Weak ones (`WEAK_PATTERN`) fill the remaining room;
 * empty if there are only weak ones.
 */
function selectMutantsForQuestion(missed: readonly Mutant[]): readonly Mutant[] {
  const strongMutants = missed.filter(({ shown }) => !WEAK_PATTERN.test(shown));
  if (strongMutants.length === 0) return [];
  const weakMutants = missed.filter(({ shown }) => WEAK_PATTERN.test(shown));
  const chosenMutants = new Set([...strongMutants, ...weakMutants].slice(0, MAX_MISTAKES));
  return missed.filter((mutant) => chosenMutants.has(mutant));
}

/** Removes helpers and scripts that are next to the tests, unless there is nothing else. */
function selectNamedTests(testFiles: readonly string[]): readonly string[] {
  const namedTests = testFiles.filter(isNamedTest);
  return namedTests.length > 0 ? namedTests : testFiles;
}

/**
 * The test file's beginning with its imports, and its end, where new tests are added; the whole file if it fits into
 * `tokens`.
 */
function extractBeginningAndEnd(text: string, tokens: number): string {
  const lines = text.split('\n').length;
  return showLinesAround(text, Math.max(1, lines - 30), lines, tokens);
}
