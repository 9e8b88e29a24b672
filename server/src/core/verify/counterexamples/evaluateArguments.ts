// Evaluates expressions in test code without running it: literals, constants, imported tables, and rows of tables of
// cases.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import {
  findExportedExpression,
  findImport,
  findExportedName,
  findRequireSpecifier,
  type LoadFile,
} from './imports.ts';
import {
  evaluateElements,
  evaluateFields,
  evaluateLiteral,
  evaluateTemplate,
  UNKNOWN,
  unwrapExpression,
  type Unknown,
} from './literals.ts';
import type { ExampleValue } from './plan.ts';
import { findPlainFunction } from './writtenFunction.ts';
import { bindsName } from '../../syntax/names.ts';
import { MODULE_SUFFIXES } from './entry.ts';

/** The value of an expression in test code. Parts of it may be unknown. */
export type Written =
  | Unknown
  | undefined
  | null
  | boolean
  | number
  | string
  | { readonly $: 'array'; readonly of: readonly Written[] }
  | Extract<ExampleValue, { readonly $: 'code' }>
  /** `open`: true if the object may have members beyond `fields`. */
  | {
      readonly $: 'record';
      readonly fields: readonly (readonly [name: string, value: Written])[];
      readonly open?: true;
    };

/** The state of an evaluation: the function that opens files, the known values, and the remaining steps. */
export interface Evaluation {
  readonly load: LoadFile;
  /** Maps each file to the values of its top-level names and exports (`export NAME` for an export). */
  readonly knownValues: WeakMap<ts.SourceFile, Map<string, Written>>;
  /** Remaining number of steps. If there are none, only plain literals still get a value. */
  remainingSteps: number;
}

/** One row of all loops around a call: for each loop or callback, the values of its variables or parameters. */
type Row = ReadonlyMap<ts.Node, readonly Written[]>;

/** Maximum number of rows of one call. */
const MAX_ROWS = 64;
/** Maximum number of steps, so that large tests take less than about a second. */
const MAX_STEPS = 5_000_000;
/** Maximum length of a string or array that is composed of parts. */
const MAX_LENGTH = 10_000;
/** Maximum depth of nested expressions and of names that refer to other names. */
const MAX_DEPTH = 24;
/** Methods that call their argument with each element. */
const EACH_METHODS = new Set(['forEach', 'map', 'flatMap', 'every', 'some', 'filter']);

/** Starts an evaluation. `load`: opens files from which tests import tables. */
export function startEvaluation(load: LoadFile): Evaluation {
  return { load, knownValues: new WeakMap(), remainingSteps: MAX_STEPS };
}

/**
 * The arguments of one call, or of several nested calls such as `match("/a")("/b")`: one result for each row of the
 * loops and tables around the last call with arguments. Skips rows with an unknown argument.
 */
export function evaluateArguments(
  calls: readonly (readonly ts.Expression[])[],
  evaluation: Evaluation = startEvaluation(() => null),
): readonly (readonly (readonly ExampleValue[])[])[] {
  const anchorNode = calls.findLast((args) => args.length > 0)?.[0];
  if (!anchorNode) return [calls.map(() => [])];
  return collectRowsAround(anchorNode, evaluation).flatMap((row) => {
    const lists = calls.map((args) => {
      const values = args.map((arg) => evaluateExpression(arg, row, evaluation, 0));
      while (values.length > 0 && values.at(-1) === undefined) values.pop();
      return values;
    });
    return lists.every((values) => values.every(isExample)) ? [lists as readonly (readonly ExampleValue[])[]] : [];
  });
}

/** The initial value of the variable with this name in the enclosing blocks or the file; null if there is none. */
export function findInitializer(name: ts.Identifier): ts.Expression | null {
  for (let ancestor: ts.Node = name; ancestor.parent; ancestor = ancestor.parent) {
    const scope = ancestor.parent;
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
    for (const statement of scope.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const declaration = statement.declarationList.declarations.find((candidate) =>
        bindsName(candidate.name, name.text),
      );
      if (declaration) return ts.isIdentifier(declaration.name) ? (declaration.initializer ?? null) : null;
    }
  }
  return null;
}

/** True if all parts are known. `undefined` is excluded, because examples are passed to the harness as JSON. */
function isExample(value: Written): boolean {
  if (value === UNKNOWN || value === undefined) return false;
  if (value === null || typeof value !== 'object' || value.$ === 'code') return true;
  return value.$ === 'array'
    ? value.of.every(isExample)
    : value.open !== true && value.fields.every(([, fieldValue]) => isExample(fieldValue));
}

/** All rows of the loops and callbacks around a node, at most `MAX_ROWS`; one empty row if there are none. */
function collectRowsAround(node: ts.Node, evaluation: Evaluation): readonly Row[] {
  const ancestors: ts.Node[] = [];
  for (let ancestor: ts.Node = node; ancestor.parent; ancestor = ancestor.parent) ancestors.unshift(ancestor.parent);
  let rows: readonly Row[] = [new Map()];
  for (const ancestor of ancestors)
    rows = rows
      .flatMap((row): readonly Row[] => {
        const rows = findRows(ancestor, row, evaluation);
        return rows === null ? [row] : rows.slice(0, MAX_ROWS).map((values) => new Map([...row, [ancestor, values]]));
      })
      .slice(0, MAX_ROWS);
  return rows;
}

/**
 * The values that each iteration of a loop or callback binds; null if the node is neither, or if the values are
 * unknown.
 */
function findRows(node: ts.Node, row: Row, evaluation: Evaluation): readonly (readonly Written[])[] | null {
  if (ts.isForOfStatement(node)) return wrapEach(findElements(evaluateExpression(node.expression, row, evaluation, 0)));
  if (ts.isForInStatement(node)) return wrapEach(findKeys(evaluateExpression(node.expression, row, evaluation, 0)));
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return null;
  const call = node.parent;
  if (!ts.isCallExpression(call)) return null;
  const { expression: callee } = call;
  if (ts.isPropertyAccessExpression(callee) && EACH_METHODS.has(callee.name.text) && call.arguments[0] === node) {
    const elements = findElements(evaluateExpression(callee.expression, row, evaluation, 0));
    return elements && elements.map((element, index) => [element, index]);
  }
  // For example `it.each(table)(title, callback)`.
  const isTable =
    ts.isCallExpression(callee) &&
    ts.isPropertyAccessExpression(callee.expression) &&
    callee.expression.name.text === 'each';
  const [table] = isTable ? callee.arguments : [];
  const elements = table ? findElements(evaluateExpression(table, row, evaluation, 0)) : null;
  return elements && elements.map((element) => findElements(element) ?? [element]);
}

function wrapEach(values: readonly Written[] | null): readonly (readonly Written[])[] | null {
  return values && values.map((value) => [value]);
}

function findElements(value: Written): readonly Written[] | null {
  return isObject(value) && value.$ === 'array' ? value.of : null;
}

function findKeys(value: Written): readonly string[] | null {
  return isObject(value) && value.$ === 'record' ? value.fields.map(([name]) => name) : null;
}

function isObject(value: Written): value is Extract<Written, { readonly $: string }> {
  return typeof value === 'object' && value !== null;
}

/** The value of an expression in a row; `UNKNOWN` if it cannot be determined within the limits. */
function evaluateExpression(node: ts.Expression, row: Row, evaluation: Evaluation, depth: number): Written {
  const evaluatePart = (part: ts.Expression) => evaluateExpression(part, row, evaluation, depth + 1);
  const literal = evaluateLiteral(node);
  if (literal !== UNKNOWN) return literal;
  evaluation.remainingSteps -= 1;
  if (depth > MAX_DEPTH || evaluation.remainingSteps < 0) return UNKNOWN;
  const wrapped = unwrapExpression(node);
  if (wrapped) return evaluatePart(wrapped);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const value = evaluatePart(node.operand);
    return typeof value === 'number' ? -value : UNKNOWN;
  }
  if (ts.isIdentifier(node))
    return node.text === 'undefined' ? undefined : evaluateName(node, row, evaluation, depth + 1);
  if (ts.isArrayLiteralExpression(node)) return evaluateArray(node, evaluatePart);
  if (ts.isObjectLiteralExpression(node)) return evaluateRecord(node, evaluatePart);
  if (ts.isTemplateExpression(node)) return unknownIfTooLong(evaluateTemplate(node, evaluatePart));
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [evaluatePart(node.left), evaluatePart(node.right)];
    return typeof left === 'string' && typeof right === 'string' ? unknownIfTooLong(left + right) : UNKNOWN;
  }
  if (ts.isPropertyAccessExpression(node)) return getMember(evaluatePart(node.expression), node.name.text);
  if (ts.isElementAccessExpression(node)) {
    const key = evaluatePart(node.argumentExpression);
    return typeof key === 'string' || typeof key === 'number' ? getMember(evaluatePart(node.expression), key) : UNKNOWN;
  }
  if (ts.isCallExpression(node)) return evaluateCall(node, evaluatePart);
  const code = findPlainFunction(node);
  return code === null ? UNKNOWN : { $: 'code', text: code };
}

function unknownIfTooLong(text: string | Unknown): Written {
  return text === UNKNOWN || text.length > MAX_LENGTH ? UNKNOWN : text;
}

function evaluateArray(node: ts.ArrayLiteralExpression, evaluatePart: (part: ts.Expression) => Written): Written {
  const elements = evaluateElements(node, evaluatePart, findElements, MAX_LENGTH);
  return elements ? { $: 'array', of: elements } : UNKNOWN;
}

function evaluateRecord(node: ts.ObjectLiteralExpression, evaluatePart: (part: ts.Expression) => Written): Written {
  let isOpen = false;
  const fields = evaluateFields(node, evaluatePart, (spread) => {
    if (!isObject(spread) || spread.$ !== 'record') return null;
    isOpen ||= spread.open === true;
    return spread.fields;
  });
  return fields ? { $: 'record', fields, ...(isOpen ? { open: true as const } : {}) } : UNKNOWN;
}

function getMember(value: Written, key: string | number): Written {
  if (!isObject(value)) return UNKNOWN;
  if (value.$ === 'code') return UNKNOWN;
  if (value.$ === 'array') return typeof key === 'number' && key < value.of.length ? value.of[key] : UNKNOWN;
  const field = value.fields.find(([name]) => name === String(key));
  return !field && value.open ? UNKNOWN : field?.[1];
}

/** The value of `Object.entries(…)`, `Object.keys(…)`, `Object.values(…)`, `array.entries()` or `"a".repeat(3)`. */
function evaluateCall(node: ts.CallExpression, evaluatePart: (part: ts.Expression) => Written): Written {
  const { expression: callee, arguments: args } = node;
  if (!ts.isPropertyAccessExpression(callee)) return UNKNOWN;
  const method = callee.name.text;
  const isOfObject = ts.isIdentifier(callee.expression) && callee.expression.text === 'Object';
  const value: Written = isOfObject ? (args[0] ? evaluatePart(args[0]) : UNKNOWN) : evaluatePart(callee.expression);
  const pair = (key: string | number, member: Written): Written => ({ $: 'array', of: [key, member] });
  if (isOfObject && isObject(value) && value.$ === 'record') {
    const elements = value.fields.map(
      ([name, member]): Written =>
        method === 'entries' ? pair(name, member) : method === 'keys' ? name : method === 'values' ? member : UNKNOWN,
    );
    return { $: 'array', of: elements };
  }
  if (method === 'entries' && isObject(value) && value.$ === 'array')
    return { $: 'array', of: value.of.map((element, index) => pair(index, element)) };
  const times = method === 'repeat' && args[0] ? evaluatePart(args[0]) : null;
  return typeof value === 'string' && typeof times === 'number' && times >= 0 && times * value.length < 200
    ? value.repeat(times)
    : UNKNOWN;
}

/** The value of a name in this row: a variable of a loop, a constant, or an import from another file. */
function evaluateName(name: ts.Identifier, row: Row, evaluation: Evaluation, depth: number): Written {
  const evaluatePart = (part: ts.Expression) => evaluateExpression(part, row, evaluation, depth);
  for (let ancestor: ts.Node = name; ancestor.parent; ancestor = ancestor.parent) {
    const scope = ancestor.parent;
    if (ts.isSourceFile(scope))
      return cacheValue(scope, name.text, evaluation, () => {
        evaluation.remainingSteps -= scope.statements.length;
        const binding = evaluateDeclared(scope, name.text, evaluatePart);
        return binding ? binding.value : evaluateImported(scope, name.text, row, evaluation, depth);
      });
    const binding = findValueInScope(scope, name.text, row, evaluation, evaluatePart);
    if (binding) return binding.value;
  }
  return UNKNOWN;
}

/** Caches a value that is the same in all rows. The value is unknown while it is being read, so that cycles end. */
function cacheValue(file: ts.SourceFile, key: string, { knownValues }: Evaluation, read: () => Written): Written {
  const values = knownValues.get(file) ?? new Map<string, Written>();
  knownValues.set(file, values);
  if (values.has(key)) return values.get(key);
  values.set(key, UNKNOWN);
  const value = read();
  values.set(key, value);
  return value;
}

/**
 * The value that a scope gives to a name by a parameter, a loop or a declaration; null if the scope does not declare
 * it.
 */
function findValueInScope(
  scope: ts.Node,
  name: string,
  row: Row,
  evaluation: Evaluation,
  evaluatePart: (part: ts.Expression) => Written,
): { readonly value: Written } | null {
  const values = row.get(scope);
  if (ts.isFunctionLike(scope))
    for (const [index, parameter] of scope.parameters.entries()) {
      const binding = readBoundPart(parameter.name, values ? values[index] : UNKNOWN, name, evaluatePart);
      if (binding) return binding;
    }
  if (
    (ts.isForOfStatement(scope) || ts.isForInStatement(scope)) &&
    ts.isVariableDeclarationList(scope.initializer) &&
    scope.initializer.declarations[0]
  )
    return readBoundPart(scope.initializer.declarations[0].name, values ? values[0] : UNKNOWN, name, evaluatePart);
  if (!ts.isBlock(scope)) return null;
  evaluation.remainingSteps -= scope.statements.length;
  return evaluateDeclared(scope, name, evaluatePart);
}

/**
 * The value of a variable that these statements declare; unknown unless the variable is constant. Null if they do not
 * declare it.
 */
function evaluateDeclared(
  { statements }: ts.Block | ts.SourceFile,
  name: string,
  evaluatePart: (part: ts.Expression) => Written,
): { readonly value: Written } | null {
  for (const statement of statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const isConstant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const { name: bound, initializer } of statement.declarationList.declarations) {
      if (!bindsName(bound, name)) continue;
      // A name that is initialised with `require(…)` is resolved like an import (`evaluateImported`).
      if (isConstant && initializer && findRequireSpecifier(initializer) !== null) return null;
      return readBoundPart(bound, isConstant && initializer ? evaluatePart(initializer) : UNKNOWN, name, evaluatePart);
    }
  }
  return null;
}

/** The part of `value` that the pattern binds to this name; null if the pattern does not bind the name. */
function readBoundPart(
  bound: ts.BindingName,
  value: Written,
  name: string,
  evaluatePart: (part: ts.Expression) => Written,
): { readonly value: Written } | null {
  if (ts.isIdentifier(bound)) return bound.text === name ? { value } : null;
  for (const [index, element] of bound.elements.entries()) {
    if (!ts.isBindingElement(element) || !bindsName(element.name, name)) continue;
    if (element.dotDotDotToken) return { value: UNKNOWN };
    const key = element.propertyName ?? element.name;
    const part = ts.isArrayBindingPattern(bound)
      ? getElement(value, index)
      : ts.isIdentifier(key) || ts.isStringLiteralLike(key)
        ? getMember(value, key.text)
        : UNKNOWN;
    return readBoundPart(
      element.name,
      part === undefined && element.initializer ? evaluatePart(element.initializer) : part,
      name,
      evaluatePart,
    );
  }
  return null;
}

/** The element at an index; undefined if the array is too short. */
function getElement(value: Written, index: number): Written {
  return isObject(value) && value.$ === 'array' ? value.of[index] : UNKNOWN;
}

/** The value that a file imports under this name from another file of the repository. */
function evaluateImported(file: ts.SourceFile, name: string, row: Row, evaluation: Evaluation, depth: number): Written {
  const source = findImport(file, name);
  if (!source || !source.from.startsWith('.')) return UNKNOWN;
  const { load } = evaluation;
  const path = posix.join(posix.dirname(file.fileName), source.from);
  for (const extension of MODULE_SUFFIXES) {
    const module = load(path + extension) ?? load(path.replace(/\.js$/, '.ts') + extension);
    if (!module) continue;
    return cacheValue(module, `export ${source.imported}`, evaluation, () => {
      evaluation.remainingSteps -= module.statements.length;
      if (source.imported === '*') return evaluateExports(module, row, evaluation, depth + 1);
      const exported = findExportedExpression(module, source.imported);
      return exported ? evaluateExpression(exported, row, evaluation, depth + 1) : UNKNOWN;
    });
  }
  return UNKNOWN;
}

/** The exported variables of a file as one object. The object is open, because the file may export more. */
function evaluateExports(file: ts.SourceFile, row: Row, evaluation: Evaluation, depth: number): Written {
  const fields = file.statements.flatMap((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.flatMap(({ name, initializer }): (readonly [string, Written])[] => {
          const exported = ts.isIdentifier(name) ? findExportedName(file, statement, name.text) : null;
          return exported !== null && initializer
            ? [[exported, evaluateExpression(initializer, row, evaluation, depth)]]
            : [];
        })
      : [],
  );
  return { $: 'record', fields, open: true };
}
