// Reads the values that test code writes out: literals, constants that hold them, and rows of tables of cases.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { binds, exportedFrom, importOf, nameOfExport, requiredFrom, type LoadFile } from './imports.ts';
import type { Example } from './plan.ts';

/** Stands for a part of a value that the code does not write out. */
export const UNREAD: unique symbol = Symbol('unread');

/** A value of which parts may be unknown. */
export type Written =
  | typeof UNREAD
  | undefined
  | null
  | boolean
  | number
  | string
  | { readonly $: 'array'; readonly of: readonly Written[] }
  /** `open`: it may have other members, too. */
  | {
      readonly $: 'record';
      readonly fields: readonly (readonly [name: string, value: Written])[];
      readonly open?: true;
    };

/** What is known of the files that tests import, and how much may still be read. */
export interface Reading {
  readonly load: LoadFile;
  /** The values of top-level names and of exports, by file and name. */
  readonly known: WeakMap<ts.SourceFile, Map<string, Written>>;
  /** Number of steps that are left. At 0, what is not a plain literal counts as unread. */
  steps: number;
}

/** The values that parameters of functions and variables of loops have in one row. */
type Row = ReadonlyMap<ts.Node, readonly Written[]>;

/** Maximum number of rows of one call. */
const MAX_ROWS = 64;
/** Maximum number of steps, which keeps the reading of large tests below about a second. */
const MAX_STEPS = 5_000_000;
/** Maximum length of texts and lists that are put together. */
const MAX_LENGTH = 10_000;
/** Maximum number of names that are followed one after the other. */
const MAX_DEPTH = 24;
const OF_EACH = new Set(['forEach', 'map', 'flatMap', 'every', 'some', 'filter']);
const ENDINGS = ['', '.ts', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'];

/** Starts to read. `load`: opens files from which tests import tables. */
export function readingOf(load: LoadFile): Reading {
  return { load, known: new WeakMap(), steps: MAX_STEPS };
}

/**
 * The arguments of calls that belong together, once for each row of the tables that the last one stands in. Left out is
 * a row in which a part is not written out.
 */
export function writtenArguments(
  calls: readonly (readonly ts.Expression[])[],
  reading: Reading = readingOf(() => null),
): readonly (readonly (readonly Example[])[])[] {
  const place = calls.findLast((args) => args.length > 0)?.[0];
  if (!place) return [calls.map(() => [])];
  return rowsAround(place, reading).flatMap((row) => {
    const lists = calls.map((args) => {
      const values = args.map((arg) => valueOf(arg, row, reading, 0));
      while (values.length > 0 && values.at(-1) === undefined) values.pop();
      return values;
    });
    return lists.every((values) => values.every(isExample)) ? [lists as readonly (readonly Example[])[]] : [];
  });
}

/** The expression to which a constant in a block or a file around the name is set; null if there is none. */
export function constantValue(name: ts.Identifier): ts.Expression | null {
  for (let at: ts.Node = name; at.parent; at = at.parent) {
    const scope = at.parent;
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
    for (const statement of scope.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const found = statement.declarationList.declarations.find((one) => binds(one.name, name.text));
      if (found) return ts.isIdentifier(found.name) ? (found.initializer ?? null) : null;
    }
  }
  return null;
}

/** True if all parts are known. `undefined` is not JSON, in which examples travel to the harness. */
function isExample(value: Written): boolean {
  if (value === UNREAD || value === undefined) return false;
  if (value === null || typeof value !== 'object') return true;
  return value.$ === 'array'
    ? value.of.every(isExample)
    : value.open !== true && value.fields.every(([, one]) => isExample(one));
}

/** All rows of the loops and callbacks around a node; one empty row if there are none. */
function rowsAround(node: ts.Node, reading: Reading): readonly Row[] {
  const around: ts.Node[] = [];
  for (let at: ts.Node = node; at.parent; at = at.parent) around.unshift(at.parent);
  let rows: readonly Row[] = [new Map()];
  for (const at of around)
    rows = rows
      .flatMap((row): readonly Row[] => {
        const own = rowsOf(at, row, reading);
        return own === null ? [row] : own.slice(0, MAX_ROWS).map((values) => new Map([...row, [at, values]]));
      })
      .slice(0, MAX_ROWS);
  return rows;
}

/** What a loop or a callback binds, for each of its rows; null if the node is neither, or its rows are unknown. */
function rowsOf(node: ts.Node, row: Row, reading: Reading): readonly (readonly Written[])[] | null {
  if (ts.isForOfStatement(node)) return single(elementsOf(valueOf(node.expression, row, reading, 0)));
  if (ts.isForInStatement(node)) return single(keysOf(valueOf(node.expression, row, reading, 0)));
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return null;
  const call = node.parent;
  if (!ts.isCallExpression(call)) return null;
  const { expression: callee } = call;
  if (ts.isPropertyAccessExpression(callee) && OF_EACH.has(callee.name.text) && call.arguments[0] === node) {
    const elements = elementsOf(valueOf(callee.expression, row, reading, 0));
    return elements && elements.map((one, at) => [one, at]);
  }
  // `it.each(table)(title, callback)`.
  const isTable =
    ts.isCallExpression(callee) &&
    ts.isPropertyAccessExpression(callee.expression) &&
    callee.expression.name.text === 'each';
  const [table] = isTable ? callee.arguments : [];
  const elements = table ? elementsOf(valueOf(table, row, reading, 0)) : null;
  return elements && elements.map((one) => elementsOf(one) ?? [one]);
}

function single(values: readonly Written[] | null): readonly (readonly Written[])[] | null {
  return values && values.map((value) => [value]);
}

function elementsOf(value: Written): readonly Written[] | null {
  return isObject(value) && value.$ === 'array' ? value.of : null;
}

function keysOf(value: Written): readonly string[] | null {
  return isObject(value) && value.$ === 'record' ? value.fields.map(([name]) => name) : null;
}

function isObject(value: Written): value is Extract<Written, { readonly $: string }> {
  return typeof value === 'object' && value !== null;
}

function valueOf(node: ts.Expression, row: Row, reading: Reading, depth: number): Written {
  const inner = (part: ts.Expression) => valueOf(part, row, reading, depth + 1);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  reading.steps -= 1;
  if (depth > MAX_DEPTH || reading.steps < 0) return UNREAD;
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  )
    return inner(node.expression);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const value = inner(node.operand);
    return typeof value === 'number' ? -value : UNREAD;
  }
  if (ts.isIdentifier(node)) return node.text === 'undefined' ? undefined : named(node, row, reading, depth + 1);
  if (ts.isArrayLiteralExpression(node)) return arrayOf(node, inner);
  if (ts.isObjectLiteralExpression(node)) return recordOf(node, inner);
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression, literal }) => [inner(expression), literal.text] as const);
    const isText = parts.every(([value]) => typeof value === 'string' || typeof value === 'number');
    return isText ? short(node.head.text + parts.map(([value, text]) => String(value) + text).join('')) : UNREAD;
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [inner(node.left), inner(node.right)];
    return typeof left === 'string' && typeof right === 'string' ? short(left + right) : UNREAD;
  }
  if (ts.isPropertyAccessExpression(node)) return memberOf(inner(node.expression), node.name.text);
  if (ts.isElementAccessExpression(node)) {
    const key = inner(node.argumentExpression);
    return typeof key === 'string' || typeof key === 'number' ? memberOf(inner(node.expression), key) : UNREAD;
  }
  return ts.isCallExpression(node) ? listed(node, inner) : UNREAD;
}

function short(text: string): Written {
  return text.length > MAX_LENGTH ? UNREAD : text;
}

function arrayOf({ elements }: ts.ArrayLiteralExpression, inner: (part: ts.Expression) => Written): Written {
  const of: Written[] = [];
  for (const element of elements) {
    const spread: readonly Written[] | null = ts.isSpreadElement(element)
      ? elementsOf(inner(element.expression))
      : [inner(element)];
    if (spread === null || of.length + spread.length > MAX_LENGTH) return UNREAD;
    of.push(...spread);
  }
  return { $: 'array', of };
}

function recordOf({ properties }: ts.ObjectLiteralExpression, inner: (part: ts.Expression) => Written): Written {
  const fields = new Map<string, Written>();
  let open = false;
  for (const property of properties) {
    if (ts.isSpreadAssignment(property)) {
      const spread = inner(property.expression);
      if (!isObject(spread) || spread.$ !== 'record') return UNREAD;
      open ||= spread.open === true;
      for (const [name, value] of spread.fields) fields.set(name, value);
    } else if (ts.isShorthandPropertyAssignment(property)) fields.set(property.name.text, inner(property.name));
    else if (ts.isPropertyAssignment(property) && !ts.isComputedPropertyName(property.name))
      fields.set(property.name.text, inner(property.initializer));
    else if (property.name && !ts.isComputedPropertyName(property.name)) fields.set(property.name.getText(), UNREAD);
    else return UNREAD;
  }
  return { $: 'record', fields: [...fields], ...(open && { open }) };
}

function memberOf(value: Written, key: string | number): Written {
  if (!isObject(value)) return UNREAD;
  if (value.$ === 'array') return typeof key === 'number' && key < value.of.length ? value.of[key] : UNREAD;
  const found = value.fields.find(([name]) => name === String(key));
  return !found && value.open ? UNREAD : found?.[1];
}

/** `Object.entries(…)` and its siblings, `list.entries()`, and `"a".repeat(3)`. */
function listed(node: ts.CallExpression, inner: (part: ts.Expression) => Written): Written {
  const { expression: callee, arguments: args } = node;
  if (!ts.isPropertyAccessExpression(callee)) return UNREAD;
  const method = callee.name.text;
  const isOfObject = ts.isIdentifier(callee.expression) && callee.expression.text === 'Object';
  const value: Written = isOfObject ? (args[0] ? inner(args[0]) : UNREAD) : inner(callee.expression);
  const pair = (key: string | number, one: Written): Written => ({ $: 'array', of: [key, one] });
  if (isOfObject && isObject(value) && value.$ === 'record') {
    const made = value.fields.map(
      ([name, one]): Written =>
        method === 'entries' ? pair(name, one) : method === 'keys' ? name : method === 'values' ? one : UNREAD,
    );
    return { $: 'array', of: made };
  }
  if (method === 'entries' && isObject(value) && value.$ === 'array')
    return { $: 'array', of: value.of.map((one, at) => pair(at, one)) };
  const times = method === 'repeat' && args[0] ? inner(args[0]) : null;
  return typeof value === 'string' && typeof times === 'number' && times >= 0 && times * value.length < 200
    ? value.repeat(times)
    : UNREAD;
}

/** What the name stands for in this row: a variable of a row, a constant, or what is imported from another file. */
function named(name: ts.Identifier, row: Row, reading: Reading, depth: number): Written {
  const inner = (part: ts.Expression) => valueOf(part, row, reading, depth);
  for (let at: ts.Node = name; at.parent; at = at.parent) {
    const scope = at.parent;
    if (ts.isSourceFile(scope))
      return once(scope, name.text, reading, () => {
        reading.steps -= scope.statements.length;
        const found = declaredIn(scope, name.text, inner);
        return found ? found.value : importedIn(scope, name.text, row, reading, depth);
      });
    const found = boundIn(scope, name.text, row, reading, inner);
    if (found) return found.value;
  }
  return UNREAD;
}

/** Reads a value that is the same in all rows, once. Inside itself, it is unread. */
function once(file: ts.SourceFile, key: string, { known }: Reading, read: () => Written): Written {
  const values = known.get(file) ?? new Map<string, Written>();
  known.set(file, values);
  if (values.has(key)) return values.get(key);
  values.set(key, UNREAD);
  const value = read();
  values.set(key, value);
  return value;
}

function boundIn(
  scope: ts.Node,
  name: string,
  row: Row,
  reading: Reading,
  inner: (part: ts.Expression) => Written,
): { readonly value: Written } | null {
  const values = row.get(scope);
  if (ts.isFunctionLike(scope))
    for (const [at, parameter] of scope.parameters.entries()) {
      const found = picked(parameter.name, values ? values[at] : UNREAD, name, inner);
      if (found) return found;
    }
  if (
    (ts.isForOfStatement(scope) || ts.isForInStatement(scope)) &&
    ts.isVariableDeclarationList(scope.initializer) &&
    scope.initializer.declarations[0]
  )
    return picked(scope.initializer.declarations[0].name, values ? values[0] : UNREAD, name, inner);
  if (!ts.isBlock(scope)) return null;
  reading.steps -= scope.statements.length;
  return declaredIn(scope, name, inner);
}

function declaredIn(
  { statements }: ts.Block | ts.SourceFile,
  name: string,
  inner: (part: ts.Expression) => Written,
): { readonly value: Written } | null {
  for (const statement of statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const isConstant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const { name: bound, initializer } of statement.declarationList.declarations) {
      if (!binds(bound, name)) continue;
      // What is required is looked up like what is imported.
      if (isConstant && initializer && requiredFrom(initializer) !== null) return null;
      return picked(bound, isConstant && initializer ? inner(initializer) : UNREAD, name, inner);
    }
  }
  return null;
}

/** The part of `value` that the pattern gives this name; null if it does not bind the name. */
function picked(
  bound: ts.BindingName,
  value: Written,
  name: string,
  inner: (part: ts.Expression) => Written,
): { readonly value: Written } | null {
  if (ts.isIdentifier(bound)) return bound.text === name ? { value } : null;
  for (const [at, element] of bound.elements.entries()) {
    if (!ts.isBindingElement(element) || !binds(element.name, name)) continue;
    if (element.dotDotDotToken) return { value: UNREAD };
    const key = element.propertyName ?? element.name;
    const part = ts.isArrayBindingPattern(bound)
      ? partOfArray(value, at)
      : ts.isIdentifier(key) || ts.isStringLiteralLike(key)
        ? memberOf(value, key.text)
        : UNREAD;
    return picked(
      element.name,
      part === undefined && element.initializer ? inner(element.initializer) : part,
      name,
      inner,
    );
  }
  return null;
}

/** A missing element is undefined. */
function partOfArray(value: Written, at: number): Written {
  return isObject(value) && value.$ === 'array' ? value.of[at] : UNREAD;
}

function importedIn(file: ts.SourceFile, name: string, row: Row, reading: Reading, depth: number): Written {
  const source = importOf(file, name);
  if (!source || !source.from.startsWith('.')) return UNREAD;
  const { load } = reading;
  const path = posix.join(posix.dirname(file.fileName), source.from);
  for (const ending of ENDINGS) {
    const other = load(path + ending) ?? load(path.replace(/\.js$/, '.ts') + ending);
    if (!other) continue;
    return once(other, `export ${source.imported}`, reading, () => {
      reading.steps -= other.statements.length;
      if (source.imported === '*') return allOf(other, row, reading, depth + 1);
      const exported = exportedFrom(other, source.imported);
      return exported ? valueOf(exported, row, reading, depth + 1) : UNREAD;
    });
  }
  return UNREAD;
}

/** The constants that a file exports, as one record. The file may export more, such as what it re-exports. */
function allOf(file: ts.SourceFile, row: Row, reading: Reading, depth: number): Written {
  const fields = file.statements.flatMap((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.flatMap(({ name, initializer }): (readonly [string, Written])[] => {
          const exported = ts.isIdentifier(name) ? nameOfExport(file, statement, name.text) : null;
          return exported !== null && initializer ? [[exported, valueOf(initializer, row, reading, depth)]] : [];
        })
      : [],
  );
  return { $: 'record', fields, open: true };
}
