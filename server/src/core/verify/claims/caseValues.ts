// Finds the values that a test case gets from outside its body: constants of the file, rows of its table, and loops
// around it.

import { ts } from 'ts-morph';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { readPlainValue } from './literalPlaces.ts';

/** The values that one case gets from outside. */
export interface CaseValues {
  /** The tables, looped arrays and constants outside of the case from which it gets values. */
  readonly sources: readonly ts.Node[];
  /** Maps each name in the case to the literals that are its values, one for each row. */
  readonly byName: ReadonlyMap<string, readonly ts.Node[]>;
}

/** Methods that create a case for each row of a table: `test.each`, `test.for`. */
const TABLE_METHODS = new Set(['each', 'for']);

/** Collects the values of one case. `statement`: the call that defines the case. `nodes`: all nodes of its file. */
export function collectCaseValues(statement: ts.ExpressionStatement, nodes: readonly ts.Node[]): CaseValues {
  const constants = new Map<string, ts.Expression>();
  for (const node of nodes)
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer && !isInside(node, statement))
      constants.set(node.name.text, skipWrappers(node.initializer));
  const sources: ts.Node[] = [];
  const byName = new Map<string, ts.Node[]>();
  /** Adds the value, or its parts, to `byName` under the names in the pattern. */
  const bindPattern = (pattern: ts.Node | undefined, value: ts.Expression | undefined): void => {
    if (!pattern || !value) return;
    if (ts.isIdentifier(pattern) && readPlainValue(unwrapLiteral(value)) !== null)
      byName.set(pattern.text, [...(byName.get(pattern.text) ?? []), unwrapLiteral(value)]);
    if (ts.isArrayBindingPattern(pattern) && ts.isArrayLiteralExpression(value))
      pattern.elements.forEach(
        (element, index) => ts.isBindingElement(element) && bindPattern(element.name, value.elements[index]),
      );
    if (ts.isObjectBindingPattern(pattern) && ts.isObjectLiteralExpression(value))
      for (const element of pattern.elements)
        bindPattern(element.name, findProperty(value, (element.propertyName ?? element.name).getText()));
  };
  /** The elements of a table, which is added to the sources. Empty unless the table is an array literal. */
  const readRows = (table: ts.Expression): readonly ts.Expression[] => {
    const rows = ts.isIdentifier(table) ? constants.get(table.text) : skipWrappers(table);
    if (!rows) return [];
    sources.push(rows);
    return ts.isArrayLiteralExpression(rows) ? rows.elements : [];
  };

  for (const name of collectNodesBelow(statement)) {
    const constant = ts.isIdentifier(name) ? constants.get(name.text) : undefined;
    if (!constant || !ts.isIdentifier(name) || byName.has(name.text) || !isData(constant)) continue;
    sources.push(constant);
    bindPattern(name, constant);
  }
  const table = findTable(statement);
  for (const row of table ? readRows(table.rows) : []) {
    bindPattern(table?.parameters[0]?.name, row);
    if (ts.isArrayLiteralExpression(row))
      table?.parameters.forEach(({ name }, index) => bindPattern(name, row.elements[index]));
  }
  for (let outer: ts.Node = statement.parent; outer; outer = outer.parent) {
    const loop = findLoop(outer);
    if (loop) for (const row of readRows(loop.rows)) bindPattern(loop.name, row);
  }
  return { sources, byName };
}

/** The rows of `test.each(rows)(title, (…) => …)`, and the parameters that receive them; null for any other call. */
function findTable({ expression }: ts.ExpressionStatement) {
  if (!ts.isCallExpression(expression) || !ts.isCallExpression(expression.expression)) return null;
  const { expression: callee, arguments: args } = expression.expression;
  const body = expression.arguments.find(
    (argument) => ts.isArrowFunction(argument) || ts.isFunctionExpression(argument),
  );
  const isTable = ts.isPropertyAccessExpression(callee) && TABLE_METHODS.has(callee.name.text);
  return isTable && args[0] && body ? { rows: args[0], parameters: body.parameters } : null;
}

/** The rows and the variable of `for (const name of rows)` or `rows.forEach((name) => …)`; null for any other node. */
function findLoop(node: ts.Node): { readonly rows: ts.Expression; readonly name: ts.Node | undefined } | null {
  if (ts.isForOfStatement(node))
    return ts.isVariableDeclarationList(node.initializer)
      ? { rows: node.expression, name: node.initializer.declarations[0]?.name }
      : null;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const [body] = node.arguments;
  const isLoop = node.expression.name.text === 'forEach' && body && ts.isFunctionLike(body);
  return isLoop ? { rows: node.expression.expression, name: body.parameters[0]?.name } : null;
}

/** The value of the property with this name; undefined if the object literal does not set it by `name: value`. */
function findProperty(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const matching = object.properties.find((property) => property.name?.getText() === name);
  return matching && ts.isPropertyAssignment(matching) ? matching.initializer : undefined;
}

function skipWrappers(expression: ts.Expression): ts.Expression {
  let inner = expression;
  while (ts.isAsExpression(inner) || ts.isSatisfiesExpression(inner) || ts.isParenthesizedExpression(inner))
    inner = inner.expression;
  return inner;
}

/** The literal itself; for a negative number, the number without its minus. */
function unwrapLiteral(expression: ts.Expression): ts.Node {
  const inner = skipWrappers(expression);
  return ts.isPrefixUnaryExpression(inner) ? inner.operand : inner;
}

/** True for a literal, an array literal or an object literal. */
function isData(value: ts.Expression): boolean {
  return (
    readPlainValue(unwrapLiteral(value)) !== null ||
    ts.isArrayLiteralExpression(value) ||
    ts.isObjectLiteralExpression(value)
  );
}

function isInside(node: ts.Node, { pos, end }: ts.Node): boolean {
  return pos <= node.pos && node.end <= end;
}
