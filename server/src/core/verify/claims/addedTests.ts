// Examines the lines that a change adds to tests: whether they run only under conditions, or do more than add cases.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { diffLines } from 'diff';
import type { FileEdit } from '../../model.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { isRootTest, isTestFile } from '../../paths/tests.ts';
import { replaceCommentsAndStrings } from '../../../util/sourceTokens.ts';
import { findSuspiciousUses, removeRunners } from '../integrity/suspiciousAccess.ts';
import { addsOnly } from './claimsOf.ts';
import { removeLocalSpies } from './localSpies.ts';
import { findOutsideEffectOfTest } from './outsideEffects.ts';

/** Maximum length of a line in characters. A longer line is neither examined nor trusted. */
export const MAX_LINE_LENGTH = 400;
/** Match lines that make a test run in only some environments, or skip it while it still counts as present. */
const CONDITION_PATTERNS: readonly RegExp[] = [
  /\b(?:skipIf|runIf|skipUnless|skipif|importorskip|isCI|ci-info)\b/,
  /\b(?:CI|GITHUB_ACTIONS|CONTINUOUS_INTEGRATION|BUILD_NUMBER|GITLAB_CI)\b/,
  /\.(?:skip|todo)\(|\bskip:/,
  /\bt\.Skip|\btesting\.Short\(|\bpytest\.(?:skip|mark\.skip)/,
];
/**
 * Matches a choice between running a test and something else. The caller removes the contents of strings, which are not
 * code.
 */
const CHOICE_PATTERN = /\? ?(?:test|it|describe)\b|: ?(?:test|it|describe)\)/;
/** Two patterns that are suspicious only if both match one line. */
const [CONDITIONAL_PATTERN, ENVIRONMENT_PATTERN] = [
  /\bif\b|&&|\|\||\?/,
  /\bprocess\.(?:env|platform|argv)\b|\bmeta\.env\b|\bos\.(?:environ|Getenv)\b/,
];
/** Matches code that changes how other tests run, or what they check with. */
const DISTURBING_PATTERN =
  /\b(?:before|after|beforeEach|afterEach|beforeAll|afterAll|mock\w*|stub\w*|only|vi|jest|sinon|spyOn|defineProperty|setSystemTime|useFakeTimers)\b/;
/** Matches a line that begins with an assignment to a variable or a member. */
const ASSIGNMENT_PATTERN = /^[\w$.[\]'"]+ ?(?:[-+*/%&|^?]{1,3})?=(?![=>])/;
/**
 * Matches the title of a test after the function that defines it. Nothing can run in a title. Titles that contain the
 * start or the end of a comment do not match, because the line may begin within a comment, so that a part of the title
 * is code.
 */
const TITLE_PATTERN = /\((?:'(?:(?!\/\*|\*\/)[^'\\`$])*'|"(?:(?!\/\*|\*\/)[^"\\`$])*"),/;
/**
 * Matches the title of a test after the function that defines it, in a file in which no line begins within a comment or
 * a string. The title may then contain any characters.
 */
const TITLE_IN_CODE = /\((?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),/;
/** Matches an import of uvu on one line. */
const UVU_IMPORT = /^(?:import|const|let|var) ([^'"\n]{1,200})['"]uvu['"]/m;
/** Matches the declaration of a suite of uvu. Its groups are the name of the suite and the namespace before `suite`. */
const UVU_SUITE = /^(?:const|let|var) ([\w$]{1,80}) = (?:([\w$]{1,80})\.)?suite\(/gm;

/**
 * The reason why a test in the edits proves nothing: it may not run in another environment. Null if nothing indicates
 * this.
 */
export function explainConditionalTest(edits: readonly FileEdit[]): string | null {
  const tests = edits.filter(isTestEdit);
  const plainPaths = new Set(tests.filter(hasPlainLines).map(({ path }) => path));
  for (const { path, line } of listAddedLines(tests)) {
    if (line.length > MAX_LINE_LENGTH) return `${path} has a line of ${line.length} characters, which nobody can read.`;
    const isConditional =
      CONDITION_PATTERNS.some((pattern) => pattern.test(line)) ||
      CHOICE_PATTERN.test(plainPaths.has(path) ? removeStringContents(line) : line) ||
      (CONDITIONAL_PATTERN.test(line) && ENVIRONMENT_PATTERN.test(line));
    if (isConditional) return `${path} has a test that does not run everywhere: \`${line.trim().slice(0, 120)}\`.`;
  }
  return null;
}

/**
 * True if no line of the file can begin within a string or a JSX tag, where its quotes would mean something else. Lines
 * that begin within a template or a comment are not excluded here; callers recognise them by its end.
 */
function hasPlainLines({ path, after }: FileEdit): boolean {
  return /\.[cm]?[jt]s$/.test(path) && !/\\\r?\n/.test(after ?? '');
}

/**
 * True if every line of the file begins in code, or with an asterisk in a comment. Only files without templates,
 * regular expressions and divisions can be read safely without a parser.
 */
function beginsInCode({ after }: FileEdit): boolean {
  const text = after ?? '';
  if (/`|\r(?!\n)|[\u2028\u2029]|<!--|-->/.test(text)) return false;
  const isSafe = (token: string) =>
    !token.startsWith('/*') ||
    token.split('\n').every((line, index) => index === 0 || line.trimStart().startsWith('*'));
  const code = replaceCommentsAndStrings(text, /\/\*|\/\/[^\n]*|['"]/g, (token) => (isSafe(token) ? ' ' : '/'));
  return !/['"/]/.test(code);
}

/**
 * Removes the contents of strings from the line. Returns the line unchanged if a part of it may be a template, a
 * comment or a regular expression. An apostrophe within a comment begins no string.
 */
function removeStringContents(line: string): string {
  if (/`|\$\{|\/\*|\*\//.test(line)) return line;
  const code = replaceCommentsAndStrings(line, /['"]/g, () => "''");
  return code.includes('/') ? line : code;
}

/**
 * True if the edits only add lines to JavaScript or TypeScript test files, and these lines neither access anything
 * outside nor change anything that other tests share.
 */
export function onlyAddsCases(edits: readonly FileEdit[]): boolean {
  if (edits.length === 0 || !edits.every(isFileOfCases)) return false;
  if (!edits.every(addsOnly)) return false;
  const lines = listAddedLines(edits).map(({ line }) => line);
  // Titles may contain suspicious words, such as *after* or `returns ["a"] for "b"`, so they are removed.
  const havePlainLines = edits.every(hasPlainLines);
  const titleSource = (edits.every(beginsInCode) ? TITLE_IN_CODE : TITLE_PATTERN).source;
  const suites = edits.flatMap(listUvuSuites).map((name) => name.replaceAll(/[$.]/g, '\\$&'));
  const testStart = new RegExp(`^\\s*(?:${['it', 'test', ...suites].join('|')})${titleSource}`);
  const groupStart = new RegExp(`^\\s*describe${titleSource}`);
  const isTestStart = (line: string) => testStart.test(line) && line.trimEnd().endsWith('{');
  const removeTitle = (line: string) => line.replace(testStart, '').replace(groupStart, '');
  const codeLines = havePlainLines ? removeLocalSpies(lines, isTestStart).map(removeTitle) : lines;
  if (lines.some((line) => line.length > MAX_LINE_LENGTH || changesMember(line.trim()))) return false;
  if (codeLines.some((line) => DISTURBING_PATTERN.test(line))) return false;
  if (findOutsideEffectOfTest({ path: '', text: codeLines.join('\n') }) !== null) return false;
  const removeRunnerImports = (text: string | null) => (text === null ? null : removeRunners(text));
  return (
    findSuspiciousUses(
      edits.map(({ path, before, after }) => ({
        path,
        before: removeRunnerImports(before),
        after: removeRunnerImports(after),
      })),
    ).length === 0
  );
}

/**
 * True for a script that is a test by its path, or for a script at the root that has the name of a test and contains
 * cases. Any other script that imports a test runner may be loaded by a tool for all tests, such as a set-up file.
 */
function isFileOfCases(edit: FileEdit): boolean {
  const { path } = edit;
  return SCRIPT_PATTERN.test(path) && (isTestFile(path) || (isRootTest(path) && isTestEdit(edit)));
}

/**
 * The functions that define tests of uvu in the file, such as `joins` or `uvu.test`. Omits names that
 * `DISTURBING_PATTERN` matches.
 */
function listUvuSuites({ after }: FileEdit): readonly string[] {
  const importClause = UVU_IMPORT.exec(after ?? '')?.[1];
  if (importClause === undefined) return [];
  const namespace = /^(?:\* as )?([\w$]+) /.exec(importClause)?.[1];
  const suites = [...(after ?? '').matchAll(UVU_SUITE)].flatMap(([, name, suiteName]) =>
    suiteName === namespace && (suiteName !== undefined || /\bsuite\b/.test(importClause)) ? name! : [],
  );
  return [...suites, ...(namespace === undefined ? [] : [`${namespace}.test`])].filter(
    (name) => !DISTURBING_PATTERN.test(name),
  );
}

/** True for an assignment to a member of something that other tests may use. */
function changesMember(line: string): boolean {
  return ASSIGNMENT_PATTERN.test(line) && /^[^=]*[.[]/.test(line) && !line.startsWith('this.');
}

/** The lines that the edits add, without empty ones. */
export function listAddedLines(
  edits: readonly FileEdit[],
): readonly { readonly path: string; readonly line: string }[] {
  return edits.flatMap(({ path, before, after }) =>
    diffLines(before ?? '', after ?? '')
      .filter(({ added }) => added)
      .flatMap(({ value }) => value.split('\n'))
      .filter((line) => line.trim() !== '')
      .map((line) => ({ path, line })),
  );
}
