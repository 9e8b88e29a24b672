// Finds how a change affects existing tests: which ones it weakens, and which ones it only changes.

import { replaceCommentsAndStrings } from '../../../util/sourceTokens.ts';
import type { FileEdit } from '../../model.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { isProse } from '../../paths/nonSourcePaths.ts';
import { isSnapshot, isTest, isTestData, isTestFile } from '../../paths/tests.ts';
import type { VerifyContext } from '../context.ts';
import type { TestCaseFacts } from './assertion.ts';
import { compareCases, type ComparedCases } from './compareCases.ts';
import type { FoundChange } from './foundChange.ts';
import { findPythonChanges } from './python/pythonChanges.ts';
import { findLoweredThresholds } from './limits/thresholds.ts';

/** Matches files whose test cases are read one by one. */
const READ_CASE_BY_CASE_PATTERN = /\.(?:[cm]?[jt]sx?|go)$/;
/** Matches a name of at least three characters. */
const WORD_PATTERN = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu;

/** Matches a declaration of a function, class or type, or of a variable that is not local. */
const DECLARATION_PATTERN = new RegExp(
  String.raw`(?:\b(?:function\*?|class|interface|type|enum|def|fn|func|exports\.|prototype\.) ?` +
    String.raw`|^(?:export )?(?:const|let|var) )([\p{L}_$][\p{L}\p{N}_$]{2,80})`,
  'gmu',
);

/** Matches a variable or function that a test declares itself. */
const LOCAL_PATTERN = /\b(?:const|let|var|function) ([\p{L}_$][\p{L}\p{N}_$]{2,80})/gu;

/** Matches declarations at the top level of a script, where the names of variables are not local. */
const TOP_LEVEL_PATTERN =
  /^(?:export )?(?:default )?(?:async )?(?:function\*?|class|const|let|var) ?([\p{L}_$][\p{L}\p{N}_$]{2,80})/gmu;

/** Matches code that exports a whole object, so that its keys and members are code that tests may use. */
const OBJECT_EXPORT_PATTERN = /\bexports\b|\bexport default\b/;

/** Matches a member that a script defines, such as `.name =`. */
const DEFINED_MEMBER_PATTERN = /(?<=\.)([\p{L}_$][\p{L}\p{N}_$]{2,80})(?= ?=[^=])/gu;

/** Matches a name that is not a member of an object. It may be a key, which may redefine the code. */
const DEFINED_WORD_PATTERN = /(?<![\p{L}\p{N}_$.])[\p{L}_$][\p{L}\p{N}_$]{2,}/gu;

/** Matches a name that is neither a member of an object nor a key. */
const FREE_WORD_PATTERN = /(?<![\p{L}\p{N}_$.])[\p{L}_$][\p{L}\p{N}_$]{2,}(?![\p{L}\p{N}_$:])/gu;

/** Matches the beginning of a comment or a string in a script. */
const COMMENT_OR_STRING_PATTERN = /\/\*|\/\/[^\n]*|['"]/g;

/**
 * Matches the possible beginning of a method of a class or an object. A call at the beginning of a line looks the same.
 */
const METHOD_PATTERN = /^[ \t]{1,16}(?:(?:static|async|get|set|public) ){0,3}([\p{L}_$][\p{L}\p{N}_$]{2,80}) ?\(/gmu;
/** Matches keywords before parentheses, and `constructor`, which no test mentions. */
const KEYWORD_PATTERN =
  /^(?:for|while|switch|catch|return|with|await|typeof|void|delete|throw|new|super|yield|function|constructor)$/;
/** Matches the text between the parameters of a method and its body, which is at most a type. */
const BODY_PATTERN = /^ ?(?::[^;{}=]{1,200})?\{/;
/** Maximum number of characters of the parameters of a method. */
const MAX_PARAMETERS = 1_000;

/** Reads the test cases of files. */
export interface CaseReader {
  testCases(files: readonly { readonly path: string; readonly text: string }[]): Promise<readonly TestCaseFacts[]>;
}

/** The changes of existing tests, and the number of new tests. Changes in renamed files have the old path. */
export async function findTestChanges(
  edits: readonly FileEdit[],
  renamed: readonly { readonly from: string; readonly to: string }[],
  reader: CaseReader & Pick<VerifyContext, 'inventory'>,
): Promise<ComparedCases> {
  const newPaths = new Map(renamed.map(({ from, to }) => [from, to]));
  const scripts = edits.filter(
    (edit) => READ_CASE_BY_CASE_PATTERN.test(edit.path) && isTestEdit(edit) && !isTestData(edit.path),
  );
  const parseSide = (sideName: 'before' | 'after') =>
    reader.testCases(
      scripts.flatMap((edit) => (edit[sideName] === null ? [] : [{ path: edit.path, text: edit[sideName] }])),
    );
  const [before, after] = [await parseSide('before'), await parseSide('after')];
  const beforeAtNewPaths = before.map((testCase) => {
    const path = newPaths.get(testCase.path);
    return path === undefined ? testCase : { ...testCase, path, from: testCase.path };
  });
  const { changes, added } = compareCases(beforeAtNewPaths, after, edits);
  const oldPaths = new Map(renamed.map(({ from, to }) => [to, from]));
  const lostNames = findLostNames(edits);
  return {
    changes: [
      ...changes
        .map((change) => ({ ...change, path: oldPaths.get(change.path) ?? change.path }))
        .map((foundChange) => markRemovedWithCode(foundChange, before, lostNames)),
      ...findLoweredThresholds(edits),
      ...findDataChanges(edits),
      ...(await compareTestCounts(
        edits.filter(({ path }) => !READ_CASE_BY_CASE_PATTERN.test(path) && isTestFile(path)),
        reader,
      )),
      ...findPythonChanges(edits, newPaths, lostNames.names).map((foundChange) =>
        foundChange.kind === 'loosened' &&
        (foundChange.before?.match(WORD_PATTERN) ?? []).some((word) => lostNames.names.has(word))
          ? { ...foundChange, kind: 'gone' as const }
          : foundChange,
      ),
      ...findRewrittenTexts(edits),
    ],
    added,
  };
}

/** The change, as `gone` if a test was removed together with the code that it tests, because that weakens nothing. */
function markRemovedWithCode(change: FoundChange, before: readonly TestCaseFacts[], lostNames: LostNames): FoundChange {
  if (change.kind !== 'deleted' && change.kind !== 'removed') return change;
  const changedTest = before.find((testCase) => testCase.name === change.test && testCase.path === change.path);
  // The words in titles and other strings do not use any code.
  const text = removeStrings(change.kind === 'removed' ? (change.before ?? '') : (changedTest?.body ?? ''));
  const locals = new Set([...text.matchAll(LOCAL_PATTERN)].map(([, name]) => name!));
  const uses = (pattern: RegExp, names: ReadonlySet<string>) =>
    (text.match(pattern) ?? []).some((word) => names.has(word) && !locals.has(word));
  const isGone = uses(WORD_PATTERN, lostNames.names) || uses(FREE_WORD_PATTERN, lostNames.freeNames);
  return isGone ? { ...change, kind: 'gone' } : change;
}

/** The names that a change removes from the edited code. */
interface LostNames {
  /** Names that were declared before and no longer occur in the code. */
  readonly names: ReadonlySet<string>;
  /**
   * Names that were declared at the top level before, and now occur at most as keys and members of objects that are not
   * exported.
   */
  readonly freeNames: ReadonlySet<string>;
}

/** The names that the change of the code outside of tests removes. */
function findLostNames(edits: readonly FileEdit[]): LostNames {
  const code = edits.filter((edit) => !isTestEdit(edit));
  const codeNow = code.map(({ after }) => after ?? '');
  const wordsNow = new Set(codeNow.flatMap((text) => text.match(WORD_PATTERN) ?? []));
  const exportsObject = codeNow.some((text) => OBJECT_EXPORT_PATTERN.test(text));
  // A name that is still declared is kept, even if something that looks like a comment hides it.
  const freeWordsNow = new Set(
    codeNow.flatMap((text) => [
      ...(removeComments(text).match(exportsObject ? DEFINED_WORD_PATTERN : FREE_WORD_PATTERN) ?? []),
      ...(exportsObject ? [...text.matchAll(DEFINED_MEMBER_PATTERN)].map(([, name]) => name!) : []),
      ...[...text.matchAll(TOP_LEVEL_PATTERN)].map(([, name]) => name!),
    ]),
  );
  const listNamesDeclaredBefore = (pattern: RegExp) =>
    code.flatMap(({ before }) => [...(before ?? '').matchAll(pattern)].map(([, name]) => name!));
  const methodsBefore = code.flatMap(({ before }) => findMethods(before ?? ''));
  return {
    names: new Set(
      [...listNamesDeclaredBefore(DECLARATION_PATTERN), ...methodsBefore].filter((name) => !wordsNow.has(name)),
    ),
    freeNames: new Set(listNamesDeclaredBefore(TOP_LEVEL_PATTERN).filter((name) => !freeWordsNow.has(name))),
  };
}

/** The names of methods, recognised by the body after their parameters. */
function findMethods(text: string): readonly string[] {
  return [...text.matchAll(METHOD_PATTERN)].flatMap(({ 0: head, 1: name = '', index }) => {
    if (KEYWORD_PATTERN.test(name)) return [];
    const end = findClosing(text, index + head.length);
    return end !== null && BODY_PATTERN.test(text.slice(end, end + 210)) ? [name] : [];
  });
}

/**
 * The offset after the parenthesis that closes the one before `start`; null if it is not within `MAX_PARAMETERS`
 * characters.
 */
function findClosing(text: string, start: number): number | null {
  let depth = 1;
  for (let index = start; index < Math.min(text.length, start + MAX_PARAMETERS); index += 1) {
    if (text[index] === '(') depth += 1;
    else if (text[index] === ')') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return null;
}

function removeComments(text: string): string {
  return replaceCommentsAndStrings(text, COMMENT_OR_STRING_PATTERN, (token) => (/^['"]/.test(token) ? token : ' '));
}

function removeStrings(text: string): string {
  return replaceCommentsAndStrings(text, COMMENT_OR_STRING_PATTERN, () => ' ');
}

/**
 * Changes of recorded results and of test data. They are shown to a person, because they do not say which result is
 * right.
 */
function findDataChanges(edits: readonly FileEdit[]): readonly FoundChange[] {
  return edits
    .filter(({ path, before }) => before !== null && (isSnapshot(path) || isTestData(path)))
    .map(({ path, after }) => ({
      kind: 'data',
      path,
      line: null,
      test: '',
      before: null,
      after: after === null ? 'deleted' : null,
    }));
}

/**
 * Existing test files, in languages that are not read case by case, whose text loses a line other than a comment or an
 * empty line.
 */
function findRewrittenTexts(edits: readonly FileEdit[]): readonly FoundChange[] {
  return edits.flatMap(({ path, before, after }): readonly FoundChange[] => {
    if (before === null || after === null || path.endsWith('.py') || READ_CASE_BY_CASE_PATTERN.test(path)) return [];
    if (!isTest(path) || isTestData(path) || isSnapshot(path) || isProse(path)) return [];
    const remainingLines = new Set(listCodeLines(after));
    const lostLine = listCodeLines(before).find((line) => !remainingLines.has(line));
    if (lostLine === undefined) return [];
    const line = before.split('\n').findIndex((text) => text.includes(lostLine)) + 1;
    return [{ kind: 'rewritten', path, line, test: '', before: lostLine.slice(0, 300), after: null }];
  });
}

function listCodeLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:\/\/|\/?\*|#(?!\[)|--)/.test(line));
}

/** Compares the numbers of tests, skipped tests and assertions, for languages whose test cases are not read. */
async function compareTestCounts(
  edits: readonly FileEdit[],
  { inventory }: Pick<VerifyContext, 'inventory'>,
): Promise<readonly FoundChange[]> {
  const readCounts = async (path: string, text: string | null) =>
    (text === null ? null : await inventory(path, text))?.tests ?? { cases: 0, skipped: 0, assertions: 0 };
  // In Python, skipped tests are found by comparing each existing test.
  const countsInComparison = (path: string, figure: 'cases' | 'skipped' | 'assertions') =>
    figure !== 'skipped' || !path.endsWith('.py');
  const countsByFile = await Promise.all(
    edits.map(async ({ path, before, after }) => ({
      path,
      before: await readCounts(path, before),
      after: await readCounts(path, after),
    })),
  );
  const sumFigure = (figure: 'cases' | 'skipped' | 'assertions', side: 'before' | 'after') =>
    countsByFile.reduce(
      (total, counts) => total + (countsInComparison(counts.path, figure) ? counts[side][figure] : 0),
      0,
    );
  const changes: FoundChange[] = [];
  const report = (
    kind: FoundChange['kind'],
    figure: 'cases' | 'skipped' | 'assertions',
    noun: string,
    isWorse: boolean,
  ) => {
    const path = countsByFile.find(({ path, before, after }) =>
      figure === 'skipped'
        ? countsInComparison(path, figure) && after[figure] > before[figure]
        : after[figure] < before[figure],
    )?.path;
    if (isWorse && path !== undefined)
      changes.push({
        kind,
        path,
        line: null,
        test: '',
        before: `${sumFigure(figure, 'before')} ${noun}`,
        after: `${sumFigure(figure, 'after')} ${noun}`,
      });
  };
  report('deleted', 'cases', 'tests', sumFigure('cases', 'after') < sumFigure('cases', 'before'));
  report('skipped', 'skipped', 'skipped tests', sumFigure('skipped', 'after') > sumFigure('skipped', 'before'));
  report('removed', 'assertions', 'assertions', sumFigure('assertions', 'after') < sumFigure('assertions', 'before'));
  return changes;
}
