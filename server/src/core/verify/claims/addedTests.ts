// Examines the lines that a change adds to tests: whether they run only under conditions, or do more than add cases.

import { diffLines } from 'diff';
import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { isTestFile } from '../../paths/tests.ts';
import { everyNode } from '../../syntax/everyNode.ts';
import { suspiciousUses, withoutRunners } from '../integrity/reach.ts';
import { addsOnly } from './claimsOf.ts';
import { whatTestDoesOutside } from './outside.ts';

/** Maximum length of a line in characters. A longer line is neither examined nor trusted. */
export const MAX_LINE_LENGTH = 400;
/** Lines that make a test run in one environment and not in another, or skip it while it counts as present. */
const CONDITIONS: readonly RegExp[] = [
  /\b(?:skipIf|runIf|skipUnless|skipif|importorskip|isCI|ci-info)\b/,
  /\b(?:CI|GITHUB_ACTIONS|CONTINUOUS_INTEGRATION|BUILD_NUMBER|GITLAB_CI)\b/,
  /\.(?:skip|todo)\(|\bskip:/,
  /\bt\.Skip|\btesting\.Short\(|\bpytest\.(?:skip|mark\.skip)/,
];
/** A choice between running a test and something else. In a text, such as that of an address, it is no code. */
const CHOICE = /\? ?(?:test|it|describe)\b|: ?(?:test|it|describe)\)/;
/** Two patterns that are suspicious only if both match one line. */
const [CONDITIONAL, ENVIRONMENT] = [
  /\bif\b|&&|\|\||\?/,
  /\bprocess\.(?:env|platform|argv)\b|\bmeta\.env\b|\bos\.(?:environ|Getenv)\b/,
];
/** Code that changes how other tests run, or what they check with. */
const DISTURBING =
  /\b(?:before|after|beforeEach|afterEach|beforeAll|afterAll|mock\w*|stub\w*|only|vi|jest|sinon|spyOn|defineProperty|setSystemTime|useFakeTimers)\b/;
/** A line that begins with an assignment, to a variable or a member. */
const ASSIGNMENT = /^[\w$.[\]'"]+ ?(?:[-+*/%&|^?]{1,3})?=(?![=>])/;
const SCRIPT = /\.[cm]?[jt]sx?$/;

/**
 * Why a test that is part of a change proves nothing: it may not run in another environment. Null if nothing indicates
 * this.
 */
export function conditionOf(edits: readonly FileEdit[]): string | null {
  const tests = edits.filter(isTestEdit);
  const codeOfLine = codeByLine(tests, () => false);
  for (const { path, line } of addedLines(tests)) {
    if (line.length > MAX_LINE_LENGTH) return `${path} has a line of ${line.length} characters, which nobody can read.`;
    const isConditional =
      CONDITIONS.some((pattern) => pattern.test(line)) ||
      CHOICE.test(codeOfLine.get(line) ?? line) ||
      (CONDITIONAL.test(line) && ENVIRONMENT.test(line));
    if (isConditional) return `${path} has a test that does not run everywhere: \`${line.trim().slice(0, 120)}\`.`;
  }
  return null;
}

/** True for a text that names a module or a member, or that is passed to something else than a test. */
function mayNameSomething({ parent }: ts.StringLiteral): boolean {
  if (ts.isElementAccessExpression(parent) || ts.isComputedPropertyName(parent)) return true;
  if (ts.isCallExpression(parent)) return !/^(?:it|test|describe|expect)\b/.test(parent.expression.getText());
  return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isExternalModuleReference(parent);
}

/**
 * The lines of scripts that hold texts in quotes, with empty texts instead. `isKept`: texts that stay. A line that
 * occurs several times with different code, as inside and outside of a template, stays as it is.
 */
function codeByLine(
  edits: readonly FileEdit[],
  isKept: (text: ts.StringLiteral) => boolean,
): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  for (const { path, after } of edits.filter((edit) => SCRIPT.test(edit.path))) {
    const source = ts.createSourceFile(path, after ?? '', ts.ScriptTarget.Latest, true);
    const inLine = new Map<number, (readonly [start: number, end: number])[]>();
    for (const node of everyNode(source)) {
      if (!ts.isStringLiteral(node) || isKept(node)) continue;
      const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
      const end = source.getLineAndCharacterOfPosition(node.getEnd());
      if (end.line === line) inLine.set(line, [...(inLine.get(line) ?? []), [character, end.character]]);
    }
    for (const [at, text] of source.text.split('\n').entries()) {
      const places = (inLine.get(at) ?? []).toSorted(([one], [other]) => other - one);
      const code = places.reduce((left, [start, end]) => `${left.slice(0, start)}''${left.slice(end)}`, text);
      codes.set(text, (codes.get(text) ?? code) === code ? code : text);
    }
  }
  return codes;
}

/**
 * True if the edits only add lines to JavaScript or TypeScript test files, and these lines neither access anything
 * outside nor change anything that other tests share.
 */
export function onlyAddsCases(edits: readonly FileEdit[]): boolean {
  if (edits.length === 0 || !edits.every(({ path }) => isTestFile(path) && SCRIPT.test(path))) return false;
  if (!edits.every(addsOnly)) return false;
  const lines = addedLines(edits).map(({ line }) => line);
  const codeOfLine = codeByLine(edits, mayNameSomething);
  // A title may say that something returns a value *after* something else.
  const isDisturbing = (line: string) => DISTURBING.test(codeOfLine.get(line) ?? line);
  if (lines.some((line) => line.length > MAX_LINE_LENGTH || isDisturbing(line) || changesMember(line.trim())))
    return false;
  if (whatTestDoesOutside({ path: '', text: lines.join('\n') }) !== null) return false;
  const withoutImports = (text: string | null) => (text === null ? null : withoutRunners(text));
  return (
    suspiciousUses(
      edits.map(({ path, before, after }) => ({ path, before: withoutImports(before), after: withoutImports(after) })),
    ).length === 0
  );
}

/** True for an assignment to a member of something that other tests may use. */
function changesMember(line: string): boolean {
  return ASSIGNMENT.test(line) && /^[^=]*[.[]/.test(line) && !line.startsWith('this.');
}

/** The lines that edits add, without empty ones. */
export function addedLines(edits: readonly FileEdit[]): readonly { readonly path: string; readonly line: string }[] {
  return edits.flatMap(({ path, before, after }) =>
    diffLines(before ?? '', after ?? '')
      .filter(({ added }) => added)
      .flatMap(({ value }) => value.split('\n'))
      .filter((line) => line.trim() !== '')
      .map((line) => ({ path, line })),
  );
}
