// Decides which tests of touched files may disappear: those whose text the change visibly removes, renames or skips,
// because the comparison of texts reports this. A test that is still declared must run.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { isTestData } from '../../paths/tests.ts';
import type { GateInput } from '../gate.ts';
import type { TestCaseFacts } from '../judge/assertion.ts';
import { pairCases } from '../judge/pairCases.ts';
import type { TestCase, TestCounts } from '../parse/testCounts.ts';
import { selectLettersAndDigits } from '../parse/titles.ts';
import { findTouchedNames } from './silentTests.ts';
import { createTestKey, type TestRegressions } from './testRun.ts';

/** Matches placeholders that a runner or the language replaces: `${…}`, `%s`, `$name`. */
const FILLED_PATTERN = /\$\{[^}]{0,200}\}|%[sdifjoOpc#%]|\$[\w.]{1,80}/;

/** The tests that ran on both sides, and the tests that no longer run. */
interface Losses {
  readonly missing: readonly TestCase[];
  readonly base: readonly TestCase[];
  readonly head: readonly TestCase[];
}

/**
 * The suspects, without tests whose disappearance another check judges. A Go test counts as a test of a touched file if
 * such a file declared it and no longer does. A subtest also counts if test data are touched, because subtests are
 * often created from data.
 */
export async function excludeExplainedLosses(
  run: GateInput,
  suspects: TestRegressions | null,
  base: TestCounts | null,
  head: TestCounts | null,
): Promise<TestRegressions | null> {
  if (!suspects || !run.context.mayDisappear || suspects.missing.length === 0) return suspects;
  const isGoTest = (testCase: TestCase) => testCase.package !== undefined;
  const missingGoTests = suspects.missing.filter(isGoTest);
  const [before, after] = [await findTouchedNames(run, 'before'), await findTouchedNames(run, 'after')];
  const touchesData = run.edits.some(({ path }) => isTestData(path));
  const isAllowed = ({ name }: TestCase) => {
    const titles = name.split('/');
    const isDeclared = (title: string) => titles.length === 1 && after.has(title);
    return titles.some((title) => before.has(title) && !isDeclared(title)) || (titles.length > 1 && touchesData);
  };
  const unexplainedOthers = await findUnexplained(run, {
    missing: suspects.missing.filter((testCase) => !isGoTest(testCase)),
    base: base?.cases ?? [],
    head: head?.cases ?? [],
  });
  const unexplained = new Set([...unexplainedOthers, ...missingGoTests.filter((testCase) => !isAllowed(testCase))]);
  return { ...suspects, missing: suspects.missing.filter((testCase) => unexplained.has(testCase)) };
}

/** The missing tests that should have run. Go tests, which name their package, are not examined. */
async function findUnexplained(
  {
    edits,
    context,
  }: Pick<GateInput, 'edits'> & { readonly context: Pick<GateInput['context'], 'testCases' | 'mayDisappear'> },
  { missing, base, head }: Losses,
): Promise<readonly TestCase[]> {
  const touchedTestEdits = edits.filter((edit) => isTestEdit(edit) && !isTestData(edit.path));
  const readCases = async (side: 'before' | 'after') =>
    (await context.testCases?.(
      touchedTestEdits.flatMap((edit) =>
        edit[side] !== null && SCRIPT_PATTERN.test(edit.path) ? [{ path: edit.path, text: edit[side] }] : [],
      ),
    )) ?? [];
  const [casesBefore, casesAfter] = [await readCases('before'), await readCases('after')];
  const pairs = pairCases(casesBefore, casesAfter);
  const joinTexts = (side: 'before' | 'after') => touchedTestEdits.map((edit) => edit[side] ?? '').join('\n');
  const [textBefore, textAfter] = [joinTexts('before'), joinTexts('after')];
  const [lettersBefore, lettersAfter] = [selectLettersAndDigits(textBefore), selectLettersAndDigits(textAfter)];
  const paths = new Set(touchedTestEdits.map(({ path }) => path));
  const touchesData = edits.some(({ path }) => isTestData(path));
  const knownKeys = new Set(base.map(createTestKey));
  const newTests = head.filter((testCase) => !knownKeys.has(createTestKey(testCase)));
  return missing.filter((testCase) => {
    if (testCase.file !== null && !context.mayDisappear?.(testCase.file)) return true;
    // Tests are often created from data, and then no text declares them.
    if (testCase.file === null && touchesData) return false;
    const old = findCase(testCase, casesBefore);
    return old ? !isExplained(old) : !isVisible(testCase);
  });

  /**
   * True if the case was removed or is skipped, which is reported, or if at least as many of its tests run as before.
   */
  function isExplained(old: TestCaseFacts): boolean {
    const current = pairs.get(old);
    if (!current || current.skipped || (current.rows ?? 0) < (old.rows ?? 0)) return true;
    const partOf = base.some((testCase) => isRunOf(old, testCase, selectWholeName)) ? selectWholeName : selectLastTitle;
    return countRuns(current, head, partOf) >= countRuns(old, base, partOf);
  }

  /** True if the text of the title no longer exists, or if its file has as many tests as before. */
  function isVisible(testCase: TestCase): boolean {
    if (newTests.some(({ name, file }) => name === testCase.name && (file === null || paths.has(file)))) return true;
    const title = extractLastTitle(testCase.name);
    const letters = selectLettersAndDigits(title);
    if (letters !== '') {
      const wasWhole = hasWholeName(textBefore, title);
      if (wasWhole ? hasWholeName(textAfter, title) : lettersAfter.includes(letters)) return false;
      if (lettersBefore.includes(letters)) return true;
    }
    const isOfSameFile = (candidate: TestCase) => candidate.file === testCase.file;
    return missing.filter(isOfSameFile).length <= newTests.filter(isOfSameFile).length;
  }
}

/** The case that declares a test: of the cases with a matching title, the one with the longest title. */
function findCase(testCase: TestCase, cases: readonly TestCaseFacts[]): TestCaseFacts | null {
  const fittingCases = cases.filter(
    (candidate) => candidate.name !== '' && isRunOf(candidate, testCase, selectLastTitle),
  );
  const measureTitle = ({ name }: TestCaseFacts) => {
    const isWhole = selectLettersAndDigits(testCase.name).endsWith(selectLettersAndDigits(name));
    return isWhole ? name.length * 1000 : name.split(FILLED_PATTERN).join('').length;
  };
  return fittingCases.sort((a, b) => measureTitle(b) - measureTitle(a))[0] ?? null;
}

/** The part of a declared name that identifies its runs. Runners need not report the titles around a test. */
type PartOfName = (name: string) => string;
const selectWholeName: PartOfName = (name) => name;
const selectLastTitle: PartOfName = (name) => name.split(' › ').at(-1)!;

function countRuns(declared: TestCaseFacts, tests: readonly TestCase[], partOf: PartOfName): number {
  return tests.filter((testCase) => testCase.outcome !== 'skipped' && isRunOf(declared, testCase, partOf)).length;
}

/**
 * True if the test belongs to the declared case: its file matches, if the runner names one, and the end of its name.
 */
function isRunOf({ path, name }: TestCaseFacts, testCase: TestCase, partOf: PartOfName): boolean {
  if (testCase.file !== null && testCase.file !== path) return false;
  const chunks = partOf(name).split(FILLED_PATTERN).map(selectLettersAndDigits);
  return chunks.some(Boolean) && endsWithChunks(selectLettersAndDigits(testCase.name), chunks);
}

/** True if the title contains the chunks in this order, with any text between them, and the last one at its end. */
function endsWithChunks(title: string, chunks: readonly string[]): boolean {
  const lastChunk = chunks.at(-1)!;
  let end = 0;
  for (const chunk of chunks.slice(0, -1)) {
    const start = title.indexOf(chunk, end);
    if (start < 0) return false;
    end = start + chunk.length;
  }
  return title.endsWith(lastChunk) && title.length - lastChunk.length >= end;
}

/** True if the text contains the whole name: it is not a part of a longer word, or of a longer text in quotes. */
function hasWholeName(text: string, name: string): boolean {
  const isQuote = (character: string) => character !== '' && '"\'`'.includes(character);
  for (let start = text.indexOf(name); start >= 0; start = text.indexOf(name, start + 1)) {
    const [before, after] = [text.charAt(start - 1), text.charAt(start + name.length)];
    if (isQuote(before) === isQuote(after) && !/[\p{L}\p{N}_$]/u.test(before + after)) return true;
  }
  return false;
}

/** The title of the test itself: runners join it with the titles around it, and pytest adds its parameters. */
function extractLastTitle(name: string): string {
  const withoutParameters = name.endsWith(']') && name.includes('[') ? name.slice(0, name.indexOf('[')) : name;
  return withoutParameters.split(/ › | > |::/).at(-1)!;
}
