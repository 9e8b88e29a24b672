// Finds tests whose titles show that they are about a function.

import { ts } from 'ts-morph';
import { readMemberOfStep, type Case } from './caseText.ts';

/** The function or class that tests are about. */
export interface TestSubject {
  /** The name of the function, or of the class. */
  readonly name: string;
  /** The subject of the tests: `Stack.size` for a member. */
  readonly qualifiedName: string;
}

/** Finds what the cases are about: the member or the function that the last step of the first case uses. */
export function findSubjectOfCases({
  name,
  qualifiedName,
  cases,
}: TestSubject & { readonly cases: readonly Pick<Case, 'steps'>[] }): TestSubject {
  const lastStep = cases[0]?.steps?.at(-1);
  const usedMember = lastStep && readMemberOfStep(lastStep);
  if (!usedMember) return { name, qualifiedName: qualifiedName };
  return lastStep.imported
    ? { name: usedMember, qualifiedName: usedMember }
    : { name, qualifiedName: `${name}.${usedMember}` };
}

/** Escapes the text for use in a regular expression. */
export function escapeForPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * The pattern of the start of a title that is about the function: `parse `, `parse()`, `Stack#size`,
 * `Stack.prototype.size`, `.size()`.
 */
function createSubjectPattern({ name, qualifiedName }: TestSubject): string {
  const dot = qualifiedName.lastIndexOf('.');
  const member = escapeForPattern(qualifiedName.slice(dot + 1));
  const owner = escapeForPattern(dot < 0 ? name : qualifiedName.slice(0, dot));
  const prefixPattern = dot < 0 ? '' : `(?:${owner}(?:#|::|\\.prototype\\.|\\.)|[#.])`;
  // A longer word such as `parse-all` is another name.
  return `${prefixPattern}${member}(?![\\w$-])`;
}

/**
 * Creates the pattern that matches, in the text of a test file, the start of a test or a group whose title begins with
 * the function.
 */
export function createTitlePattern(testSubject: TestSubject): RegExp {
  return new RegExp(`\\b(?:describe|suite|it|test)(?:\\.\\w+)?\\(\\s*['"\`]${createSubjectPattern(testSubject)}`);
}

/**
 * Finds the last test at the top level of the file whose title begins with the function. Returns its end, and the start
 * of its title that names the function. `call`: the function that defines tests. Null if there is none.
 */
export function findLastTitledTest(
  testSubject: TestSubject,
  call: string,
  file: ts.SourceFile,
): { readonly end: number; readonly subject: string } | null {
  const pattern = new RegExp(`^${createSubjectPattern(testSubject)}(?:\\(\\))?`);
  for (const statement of file.statements.toReversed()) {
    if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) continue;
    const { expression: callee, arguments: callArguments } = statement.expression;
    const [title] = callArguments;
    if (!title || !ts.isStringLiteralLike(title) || readCalledName(callee, file) !== call) continue;
    const subject = pattern.exec(title.text)?.[0];
    if (subject !== undefined) return { end: statement.end, subject };
  }
  return null;
}

/** The called function without a modifier: `test` for `test` and for `test.serial`. */
function readCalledName(callee: ts.Expression, file: ts.SourceFile): string {
  const text = callee.getText(file);
  return text.replace(/\.(?:only|serial|concurrent|skip)$/, '');
}
