// Collects the arguments that tests pass to functions: examples of what their callers pass.

import { ts } from 'ts-morph';
import type { Example } from './plan.ts';

/** Maximum number of calls of one function. */
const MOST = 24;
const UNREAD = Symbol('unread');

/**
 * The arguments of calls whose arguments are all written out, each list once, by the name of the function. The name of
 * a default import counts as `default`. The arguments of `new Stack(…)` are those of `new Stack`; a call
 * `Stack.from(…)` counts for `from` and for `Stack.from`.
 */
export function examplesIn(tests: readonly ts.Node[]): ReadonlyMap<string, readonly (readonly Example[])[]> {
  const found = new Map<string, Map<string, readonly Example[]>>();
  for (const test of tests) {
    const renamed = importedNames(test);
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isNewExpression(node) && (!ts.isCallExpression(node) || node.arguments.length === 0)) return;
      const names = calledNames(node, renamed);
      const values = names.length === 0 ? UNREAD : allRead(node.arguments ?? []);
      if (values === UNREAD) return;
      for (const name of names) {
        const lists = found.get(name) ?? new Map<string, readonly Example[]>();
        found.set(name, lists);
        if (lists.size < MOST) lists.set(JSON.stringify(values), values);
      }
    };
    visit(test);
  }
  return new Map([...found].map(([name, lists]) => [name, [...lists.values()]]));
}

function calledNames(
  node: ts.CallExpression | ts.NewExpression,
  renamed: ReadonlyMap<string, string>,
): readonly string[] {
  const { expression: called } = node;
  const nameOf = ({ text }: ts.Identifier) => renamed.get(text) ?? text;
  if (ts.isIdentifier(called)) return [ts.isNewExpression(node) ? `new ${nameOf(called)}` : nameOf(called)];
  if (!ts.isPropertyAccessExpression(called)) return [];
  const member = called.name.text;
  if (ts.isNewExpression(node)) return [`new ${member}`];
  const name = renamed.get(member) ?? member;
  return ts.isIdentifier(called.expression) ? [name, `${nameOf(called.expression)}.${member}`] : [name];
}

/** The names by which a test calls what it imports under another name. */
function importedNames(test: ts.Node): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportClause(node) && node.name) names.set(node.name.text, 'default');
    if (ts.isImportSpecifier(node) && node.propertyName) names.set(node.name.text, node.propertyName.text);
    if (ts.isSourceFile(node) || ts.isImportDeclaration(node) || ts.isImportClause(node) || ts.isNamedImports(node))
      ts.forEachChild(node, visit);
  };
  visit(test);
  return names;
}

function allRead(nodes: readonly ts.Expression[]): readonly Example[] | typeof UNREAD {
  const values = nodes.map(read);
  return values.includes(UNREAD) ? UNREAD : (values as readonly Example[]);
}

function read(node: ts.Expression): Example | typeof UNREAD {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return read(node.expression);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const value = read(node.operand);
    return typeof value === 'number' ? -value : UNREAD;
  }
  // `undefined` is no JSON, in which examples travel to the harness.
  if (ts.isIdentifier(node)) return UNREAD;
  if (ts.isArrayLiteralExpression(node)) {
    const of = allRead(node.elements);
    return of === UNREAD ? UNREAD : { $: 'array', of };
  }
  if (ts.isObjectLiteralExpression(node)) return readRecord(node);
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  return node.kind === ts.SyntaxKind.FalseKeyword ? false : UNREAD;
}

function readRecord({ properties }: ts.ObjectLiteralExpression): Example | typeof UNREAD {
  const fields: (readonly [string, Example])[] = [];
  for (const property of properties) {
    if (!ts.isPropertyAssignment(property) || ts.isComputedPropertyName(property.name)) return UNREAD;
    const value = read(property.initializer);
    if (value === UNREAD) return UNREAD;
    fields.push([property.name.text, value]);
  }
  return { $: 'record', fields };
}
