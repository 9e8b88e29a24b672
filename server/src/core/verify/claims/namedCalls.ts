// Finds the calls whose results new or changed test cases check: a difference in one of them is what the change says
// that it makes.

import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { ASSERTION_NAME, findAssertionNames } from '../../syntax/assertionNames.ts';
import type { NamedCall } from '../differential/plan.ts';
import { collectCases, findRoot } from './planSpecialCase.ts';

/** Maximum number of calls, so that a table with thousands of rows costs little. */
const MAX_CALLS = 500;
/** Matches words of assertions that demand hardly anything. */
const WEAK_PATTERN =
  /^(?:assert|ok|truthy|falsy|isTruthy|isFalsy|toBeDefined|toBeTruthy|toBeFalsy|exists?|not|not[A-Z]\w*|isNot\w*|doesNot\w*|typeOf|instanceOf|toBeInstanceOf|toBeTypeOf)$/;
const EQUALITY_OPERATORS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
]);
/** Name of the object that AVA and tap pass to a test, whose methods assert. */
const TEST_OBJECT = 't';

/** The calls in these edits of tests whose results a new or changed case checks, with arguments that are literals. */
export function collectNamedCalls(tests: readonly FileEdit[]): readonly NamedCall[] {
  const calls = new Map<string, NamedCall>();
  for (const { nodes, values } of tests.flatMap(collectCases)) {
    const [first] = nodes;
    if (!first) continue;
    const source = first.getSourceFile();
    const importedNames = collectImportedNames(source);
    const assertionNames = findAssertionNames(source);
    const checkedNames = new Set(
      nodes.flatMap((node) => (ts.isIdentifier(node) && isInAssertion(node, assertionNames) ? [node.text] : [])),
    );
    for (const node of nodes) {
      if (!ts.isCallExpression(node) || calls.size >= MAX_CALLS) continue;
      const isChecked =
        isInAssertion(node, assertionNames) || findVariables(node).some((name) => checkedNames.has(name));
      if (!isChecked || isAssertion(node, assertionNames)) continue;
      for (const argumentTexts of writeArguments(node.arguments, values.byName))
        for (const name of listNames(node.expression, importedNames)) {
          const call = { name, arguments: argumentTexts };
          calls.set(JSON.stringify(call), call);
        }
    }
  }
  return [...calls.values()];
}

function isAssertion(call: ts.CallExpression, names: ReadonlyMap<string, string | null>): boolean {
  const root = findRoot(call);
  return ASSERTION_NAME.test(root) || names.has(root) || root === TEST_OBJECT;
}

/** True for a node in an argument of an assertion that demands a certain value or error. */
function isInAssertion(node: ts.Node, names: ReadonlyMap<string, string | null>): boolean {
  for (let [child, parent] = [node, node.parent]; parent; [child, parent] = [parent, parent.parent])
    if (ts.isCallExpression(parent) && child !== parent.expression && isAssertion(parent, names))
      return !isWeak(parent, names) || isCompared(node, parent);
  return false;
}

/** True for an assertion that almost any value satisfies, such as `assert.ok(a)` and `expect(a).not.toBe(1)`. */
function isWeak(call: ts.CallExpression, names: ReadonlyMap<string, string | null>): boolean {
  const words = ts.isPropertyAccessExpression(call.expression) ? [call.expression.name.text] : [];
  const root = findRoot(call);
  // `assert(a)`, `ok(a)`
  if (words.length === 0) words.push(names.get(root) ?? root);
  for (let link: ts.Node = call.parent; link; link = link.parent) {
    if (ts.isPropertyAccessExpression(link)) words.push(link.name.text);
    else if (!ts.isCallExpression(link)) break;
  }
  return words.some((word) => WEAK_PATTERN.test(word));
}

/** True if a node of the assertion is compared by `===` or `==` there: `assert.ok(a === 1)`. */
function isCompared(node: ts.Node, assertion: ts.Node): boolean {
  for (let outer = node.parent; outer && outer !== assertion; outer = outer.parent)
    if (ts.isBinaryExpression(outer) && EQUALITY_OPERATORS.has(outer.operatorToken.kind)) return true;
  return false;
}

/** The variables that hold the result of the call. */
function findVariables(call: ts.CallExpression): readonly string[] {
  let value: ts.Node = call;
  while (ts.isAwaitExpression(value.parent) || ts.isParenthesizedExpression(value.parent)) value = value.parent;
  const { parent } = value;
  return ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? [parent.name.text] : [];
}

/** The exported names by the local ones; null for the name of a whole module. */
function collectImportedNames(source: ts.SourceFile): ReadonlyMap<string, string | null> {
  const names = new Map<string, string | null>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const { namedBindings } = statement.importClause ?? {};
    if (namedBindings && ts.isNamespaceImport(namedBindings)) names.set(namedBindings.name.text, null);
    else
      for (const { name, propertyName } of namedBindings?.elements ?? [])
        names.set(name.text, (propertyName ?? name).text);
  }
  return names;
}

/** The names that the called function may have in its own file. */
function listNames(called: ts.Expression, importedNames: ReadonlyMap<string, string | null>): readonly string[] {
  if (ts.isIdentifier(called)) return [importedNames.get(called.text) ?? called.text];
  if (!ts.isPropertyAccessExpression(called) || !ts.isIdentifier(called.expression)) return [];
  const { text } = called.expression;
  // `mean` of `import * as lib` or `const lib = require(…)`; `api.mean` of `import { api }`.
  const isModule = importedNames.get(text) === null || !importedNames.has(text);
  return [`${importedNames.get(text) ?? text}.${called.name.text}`, ...(isModule ? [called.name.text] : [])];
}

/** The arguments as texts: one list, or one for each row of a table. Empty if one of them is not a literal. */
function writeArguments(
  args: readonly ts.Expression[],
  byName: ReadonlyMap<string, readonly ts.Node[]>,
): readonly (readonly string[])[] {
  const plain = args.map((argument) => writeLiteral(argument));
  if (!plain.includes(null)) return [plain as readonly string[]];
  const rows = args.flatMap((argument) => (ts.isIdentifier(argument) ? [byName.get(argument.text)?.length ?? 0] : []));
  return Array.from({ length: Math.max(0, ...rows) }, (_, row) =>
    args.map((argument, index) => {
      const node = ts.isIdentifier(argument) ? byName.get(argument.text)?.[row] : undefined;
      return node ? writeLiteral(toSigned(node)) : plain[index]!;
    }),
  ).filter((texts): texts is string[] => !texts.includes(null));
}

/** The number with its minus, which `collectCaseValues` leaves out. */
function toSigned(node: ts.Node): ts.Node {
  return ts.isPrefixUnaryExpression(node.parent) && ts.isNumericLiteral(node) ? node.parent : node;
}

/** The value of a literal as a text, in the form of `writeValue` of the harness; null for anything else. */
function writeLiteral(node: ts.Node): string | null {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return writeLiteral(node.expression);
  if (ts.isStringLiteralLike(node)) return JSON.stringify(node.text);
  if (ts.isNumericLiteral(node)) return String(Number(node.text));
  if (ts.isBigIntLiteral(node)) return node.text;
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const text = writeLiteral(node.operand);
    return text === null || !/^(?:\d|Infinity)/.test(text) ? null : `-${text}`;
  }
  if (ts.isIdentifier(node)) return /^(?:undefined|NaN|Infinity)$/.test(node.text) ? node.text : null;
  if (node.kind === ts.SyntaxKind.NullKeyword) return 'null';
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'true';
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'false';
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map(writeLiteral);
    return items.includes(null) ? null : `[${items.join(',')}]`;
  }
  if (!ts.isObjectLiteralExpression(node)) return null;
  const fields = node.properties.map((property) => {
    if (!ts.isPropertyAssignment(property)) return null;
    const { name } = property;
    const value = writeLiteral(property.initializer);
    const isFixed = ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name);
    return value === null || !isFixed ? null : `${JSON.stringify(name.text)}:${value}`;
  });
  return fields.includes(null) ? null : `{${fields.toSorted().join(',')}}`;
}
