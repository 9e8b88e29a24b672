// Finds the group of tests to which a new test is added.

import { ts } from 'ts-morph';
import { groupTitles } from './caseText.ts';
import type { TestSubject } from './titledTests.ts';

/**
 * Finds the group of tests that is named after the function or the member, otherwise after its class. `expression`: the
 * function as the test file calls it. `subject`: the member that the last of several steps uses, else the function.
 * Returns the start of the group and the end of its last statement; null if there is no such group.
 */
export function findGroup(
  { name, qualifiedName }: TestSubject,
  file: ts.SourceFile,
  expression = name,
  subject: TestSubject = { name, qualifiedName },
): { readonly start: number; readonly end: number } | null {
  return (
    (subject.qualifiedName === qualifiedName
      ? null
      : findGroupTitled(createMemberTitles([expression, name], subject.qualifiedName), file)) ??
    findGroupTitled(groupTitles(qualifiedName), file) ??
    findGroupTitled(name === qualifiedName ? groupTitles(expression) : [], file) ??
    findGroupTitled([name], file) ??
    // A group about the class `Hookable` may be named `hookable`.
    findGroupTitled([name[0]!.toLowerCase() + name.slice(1)], file)
  );
}

/** The possible titles of a group about the member: `accepts.types()`, `Accepts#types`, `.types()`. */
function createMemberTitles(owners: readonly string[], qualifiedName: string): readonly string[] {
  const member = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  const owned = [...owners, ''].flatMap((owner) => [`${owner}.${member}`, `${owner}#${member}`]);
  return owned.flatMap((title) => [title, `${title}()`]);
}

/**
 * Finds the first group with one of the titles. Returns its start and the end of its last statement; null if there is
 * no such group, or if it is empty.
 */
function findGroupTitled(titles: readonly string[], file: ts.SourceFile) {
  let group: { readonly start: number; readonly end: number } | null = null;
  const visit = (node: ts.Node): void => {
    if (group) return;
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'describe') {
      const [title, body] = node.arguments;
      const isNamed = title && ts.isStringLiteralLike(title) && titles.includes(title.text);
      const block = body && (ts.isArrowFunction(body) || ts.isFunctionExpression(body)) ? body.body : null;
      const lastStatement = block && ts.isBlock(block) ? block.statements.at(-1) : null;
      if (isNamed && lastStatement) group = { start: node.getStart(file), end: lastStatement.end };
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return group;
}
