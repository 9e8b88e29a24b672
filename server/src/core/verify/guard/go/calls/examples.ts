// Reads the values with which Go tests call functions: values in the call, in variables, and in the rows of tables that
// a loop passes on.

import type { Node } from 'web-tree-sitter';
import { isBasic, type ParsedGoFile } from './declarations.ts';

/** A possible value of a name. `value`: null if it is not a plain value. `fields`: the plain values of a struct. */
interface Row {
  readonly value: string | null;
  readonly fields: ReadonlyMap<string, string>;
}
type Scope = Map<string, readonly Row[]>;

/** A call in a test: the name of the function or method, and the arguments; null for an unknown argument. */
export interface GoExample {
  readonly name: string;
  readonly given: readonly (string | null)[];
}

/** Maximum number of rows of a table. */
const MAX_ROWS = 60;
const LITERAL_PATTERN =
  /^(?:(?:interpreted|raw)_string_literal|int_literal|float_literal|rune_literal|true|false|nil)$/;
const FUNCTION_PATTERN = /^(?:function|method)_declaration$/;

/** The calls in these tests. `constants`: names of the package's constants, which count as values. */
export function findExampleCalls(
  files: readonly Pick<ParsedGoFile, 'root'>[],
  constants: ReadonlySet<string>,
): readonly GoExample[] {
  const structs = new Map<string, readonly string[]>();
  for (const { root } of files)
    for (const spec of root.descendantsOfType('type_spec')) {
      const type = spec?.childForFieldName('type');
      if (spec && type?.type === 'struct_type')
        structs.set(spec.childForFieldName('name')?.text ?? '', collectFields(type));
    }
  const reader = { structs, constants };
  return files.flatMap(({ root }) => {
    const examples: GoExample[] = [];
    const global: Scope = new Map();
    for (const node of root.namedChildren)
      if (!FUNCTION_PATTERN.test(node.type)) collectExamples(node, global, examples, reader);
    for (const node of root.namedChildren)
      if (FUNCTION_PATTERN.test(node.type)) collectExamples(node, new Map(global), examples, reader);
    return examples;
  });
}

interface Reader {
  readonly structs: ReadonlyMap<string, readonly string[]>;
  readonly constants: ReadonlySet<string>;
}

/** Collects the calls below the node, and keeps track of the values of names in `scope`. */
function collectExamples(node: Node, scope: Scope, examples: GoExample[], reader: Reader): void {
  if (node.type === 'short_var_declaration' || node.type === 'var_spec' || node.type === 'const_spec')
    assignNames(node, scope, reader);
  if (node.type === 'range_clause') assignRows(node, scope, reader);
  if (node.type === 'call_expression') examples.push(...collectCallsAt(node, scope, reader));
  for (const child of node.namedChildren) collectExamples(child, scope, examples, reader);
}

/** Assigns the values in a declaration to the declared names. Forgets a name whose value is unknown. */
function assignNames(node: Node, scope: Scope, reader: Reader): void {
  const isShort = node.type === 'short_var_declaration';
  const names = isShort
    ? (node.childForFieldName('left')?.namedChildren ?? [])
    : node.childrenForFieldName('name').filter((name) => name?.type === 'identifier');
  const values = node.childForFieldName(isShort ? 'right' : 'value')?.namedChildren ?? [];
  for (const [index, name] of names.entries()) {
    if (!name) continue;
    const value = names.length === values.length ? values[index] : undefined;
    const rows = value && findRows(value, scope, reader);
    if (rows) scope.set(name.text, rows);
    else scope.delete(name.text);
  }
}

/** For `for _, row := range table`, assigns all rows of the table to the name of the row. */
function assignRows(node: Node, scope: Scope, reader: Reader): void {
  const names = node.childForFieldName('left')?.namedChildren ?? [];
  const right = node.childForFieldName('right');
  const rows = right && findElements(right, scope, reader);
  const isMap = right?.childForFieldName('type')?.type === 'map_type';
  const name = names[1]?.text;
  if (name !== undefined && rows) scope.set(name, rows);
  else if (name !== undefined) scope.delete(name);
  const keys = isMap && right ? collectKeys(right, reader) : null;
  if (keys && names[0]) scope.set(names[0].text, keys);
}

/** The elements of a table that a literal or a variable holds; null if they are unknown. */
function findElements(node: Node, scope: Scope, reader: Reader): readonly Row[] | null {
  if (node.type === 'identifier') return scope.get(`${node.text}[]`) ?? null;
  return node.type === 'composite_literal' ? readTableRows(node, reader) : null;
}

/** The possible values of a variable. The elements of a table are stored under its name followed by brackets. */
function findRows(value: Node, scope: Scope, reader: Reader): readonly Row[] | null {
  const text = readGoLiteral(value, reader.constants);
  if (value.type === 'composite_literal') {
    const name = findName(value);
    const rows = readTableRows(value, reader);
    if (name !== null && rows) scope.set(`${name}[]`, rows);
  }
  if (text !== null) return [{ value: text, fields: new Map() }];
  return value.type === 'identifier' || value.type === 'selector_expression'
    ? (findValuesAt(value, scope)?.map((elementValue) => ({ value: elementValue, fields: new Map() })) ?? null)
    : null;
}

/** The first name in the declaration to which this value directly belongs; null if there is none. */
function findName(value: Node): string | null {
  const owner = value.parent?.parent;
  if (owner?.type === 'short_var_declaration') return owner.childForFieldName('left')?.namedChildren[0]?.text ?? null;
  return owner?.type === 'var_spec' ? (owner.childForFieldName('name')?.text ?? null) : null;
}

/** The elements of a literal of a slice, an array or a map, up to `MAX_ROWS`; null for any other literal. */
function readTableRows(literal: Node, reader: Reader): readonly Row[] | null {
  const type = literal.childForFieldName('type');
  const body = literal.childForFieldName('body');
  if (!type || !body || !/^(?:slice_type|array_type|implicit_length_array_type|map_type)$/.test(type.type)) return null;
  const element = type.childForFieldName(type.type === 'map_type' ? 'value' : 'element');
  const fields =
    element?.type === 'struct_type'
      ? collectFields(element)
      : (reader.structs.get(element?.text.replace(/^\*/, '') ?? '') ?? []);
  return collectParts(body)
    .slice(0, MAX_ROWS)
    .map(({ value }) => {
      const inner = unwrapElement(value);
      const elements = inner.type === 'literal_value' ? inner : inner.childForFieldName('body');
      const text = readGoLiteral(inner, reader.constants);
      const valueByField = new Map<string, string>();
      if (elements && fields.length > 0)
        for (const [index, part] of collectParts(elements).entries()) {
          const name = part.key?.text ?? fields[index];
          const exampleText = readGoLiteral(unwrapElement(part.value), reader.constants);
          if (name !== undefined && exampleText !== null) valueByField.set(name, exampleText);
        }
      return { value: text, fields: valueByField };
    });
}

/** The keys of a map literal that are plain values, at most `MAX_ROWS`. */
function collectKeys(literal: Node, { constants }: Reader): readonly Row[] {
  return collectParts(literal.childForFieldName('body')!)
    .slice(0, MAX_ROWS)
    .flatMap(({ key }) => {
      const value = key && readGoLiteral(unwrapElement(key), constants);
      return value ? [{ value, fields: new Map<string, string>() }] : [];
    });
}

interface Part {
  readonly key: Node | null;
  readonly value: Node;
}

/** The elements of a literal, with or without a key. */
function collectParts(body: Node): readonly Part[] {
  return body.namedChildren.flatMap((node): readonly Part[] => {
    if (node.type === 'comment') return [];
    if (node.type !== 'keyed_element') return [{ key: null, value: node }];
    const [key, value] = node.namedChildren;
    return key && value ? [{ key, value }] : [];
  });
}

/** The node inside a wrapper `literal_element`; otherwise the node itself. */
function unwrapElement(node: Node): Node {
  return node.type === 'literal_element' ? (node.namedChildren[0] ?? node) : node;
}

/** The names of the fields of a struct, in order. */
function collectFields(struct: Node): readonly string[] {
  return struct
    .descendantsOfType('field_declaration')
    .filter((node) => node?.parent?.parent?.id === struct.id)
    .flatMap((node) => node?.childrenForFieldName('name').map((name) => name?.text ?? '') ?? []);
}

/** The calls that this node makes: one for each row of the table whose fields it passes. */
function collectCallsAt(node: Node, scope: Scope, { constants }: Reader): readonly GoExample[] {
  const callee = node.childForFieldName('function');
  const name = callee?.type === 'selector_expression' ? callee.childForFieldName('field')?.text : callee?.text;
  const argumentNodes =
    node.childForFieldName('arguments')?.namedChildren.filter(({ type }) => type !== 'comment') ?? [];
  if (name === undefined || argumentNodes.length === 0 || !/^\w+$/.test(name)) return [];
  const values = argumentNodes.map((argument) => {
    const text = readGoLiteral(argument, constants);
    return text === null ? (findValuesAt(argument, scope) ?? [null]) : [text];
  });
  const count = Math.max(...values.map(({ length }) => length));
  return Array.from({ length: count }, (_, index) => ({
    name,
    given: values.map((texts) => (texts.length === 1 ? texts[0]! : (texts[index] ?? null))),
  })).filter((example) => example.given.some((value) => value !== null));
}

/** The possible values of a variable or of a field of a row. */
function findValuesAt(node: Node, scope: Scope): readonly (string | null)[] | null {
  if (node.type === 'identifier') return scope.get(node.text)?.map(({ value }) => value) ?? null;
  if (node.type !== 'selector_expression') return null;
  const [owner, field] = [node.childForFieldName('operand')?.text ?? '', node.childForFieldName('field')?.text ?? ''];
  return scope.get(owner)?.map(({ fields }) => fields.get(field) ?? null) ?? null;
}

/** The code of a node that is a plain value; null for any other node. */
function readGoLiteral(node: Node, constants: ReadonlySet<string>): string | null {
  if (LITERAL_PATTERN.test(node.type)) return node.text;
  if (node.type === 'literal_element') return readGoLiteral(unwrapElement(node), constants);
  if (node.type === 'identifier') return constants.has(node.text) ? node.text : null;
  if (node.type === 'unary_expression') {
    const operand = node.childForFieldName('operand');
    return operand && /^(?:int|float)_literal$/.test(operand.type) ? node.text : null;
  }
  if (node.type === 'type_conversion_expression' || node.type === 'call_expression') {
    const type = node.childForFieldName('type') ?? node.childForFieldName('function');
    const operand = node.childForFieldName('operand') ?? node.childForFieldName('arguments')?.namedChildren[0];
    if (!type || !operand || !(isBasic(type.text) || /^\[\](?:byte|rune)$/.test(type.text))) return null;
    return readGoLiteral(operand, constants) === null ? null : node.text;
  }
  if (node.type !== 'composite_literal') return null;
  const type = node.childForFieldName('type')?.text ?? '';
  const body = node.childForFieldName('body');
  if (!body || !isPlainList(type)) return null;
  const parts = collectParts(body);
  const hasOnlyLiterals = parts.every(
    ({ key, value }) => key === null && readGoLiteral(unwrapElement(value), constants) !== null,
  );
  return hasOnlyLiterals && !node.text.includes('\n') ? node.text : null;
}

/** True for slices of basic types. */
export function isPlainList(type: string): boolean {
  return type.startsWith('[]') && isBasic(type.slice(2));
}
