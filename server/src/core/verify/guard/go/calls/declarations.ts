// Reads the declarations of a Go package: functions with their types, named types, and constants.

import type { Node } from 'web-tree-sitter';
import type { Range } from '../../../../model.ts';

/** A file of a package with the root of its syntax tree. */
export interface ParsedGoFile {
  readonly path: string;
  readonly text: string;
  readonly root: Node;
}

/**
 * A parameter of a function. `variadic`: true if it takes any number of values; `type` is then the type of one value.
 */
export interface GoParameter {
  /** Empty if the parameter has no name. */
  readonly name: string;
  readonly type: string;
  readonly variadic: boolean;
}

/** A function or method of the package. */
export interface GoFunction {
  readonly path: string;
  readonly node: Node;
  /** For example `Parse`, or `Version.Compare` for a method. */
  readonly name: string;
  /** Name and type of the receiver, without `*`; null if it is not a method. */
  readonly receiver: { readonly name: string; readonly type: string } | null;
  readonly parameters: readonly GoParameter[];
  readonly results: readonly string[];
  readonly generic: boolean;
}

/** The declarations in some files of a package. */
export interface GoDeclarations {
  readonly functions: readonly GoFunction[];
  /** The declared types of the package by name, as written. */
  readonly types: ReadonlyMap<string, string>;
  /** Maps each constant at the top of the package to its declared type; empty if it has none. */
  readonly constants: ReadonlyMap<string, string>;
}

const BASIC_PATTERN = /^(?:string|bool|byte|rune|u?int(?:8|16|32|64)?|float(?:32|64))$/;

/** True for Go types whose values are plain literals. */
export function isBasic(type: string): boolean {
  return BASIC_PATTERN.test(type);
}

/** The declarations at the top of these files. */
export function collectDeclarations(files: readonly ParsedGoFile[]): GoDeclarations {
  const functions: GoFunction[] = [];
  const types = new Map<string, string>();
  const constants = new Map<string, string>();
  for (const { path, root } of files)
    for (const node of root.namedChildren) {
      if (/^(?:function|method)_declaration$/.test(node.type)) functions.push(readFunction(path, node));
      if (node.type === 'type_declaration')
        for (const child of node.namedChildren)
          types.set(child.childForFieldName('name')?.text ?? '', child.childForFieldName('type')?.text ?? '');
      if (node.type === 'const_declaration') readConstants(node, constants);
    }
  return { functions, types, constants };
}

function readConstants(node: Node, constants: Map<string, string>): void {
  let lastType = '';
  for (const constant of node.descendantsOfType('const_spec')) {
    if (!constant) continue;
    // A constant without a type and a value repeats the type and the value of the previous one.
    const type = constant.childForFieldName('type')?.text ?? (constant.childForFieldName('value') ? '' : lastType);
    for (const name of constant.childrenForFieldName('name'))
      if (name?.type === 'identifier') constants.set(name.text, type);
    lastType = type;
  }
}

function readFunction(path: string, node: Node): GoFunction {
  const name = node.childForFieldName('name')?.text ?? '';
  const [receiver] = node.childForFieldName('receiver')?.namedChildren ?? [];
  const type = receiver?.childForFieldName('type')?.text.replace(/^\*/, '').replace(/\[.*$/s, '') ?? '';
  return {
    path,
    node,
    name: receiver ? `${type}.${name}` : name,
    receiver: receiver ? { name: receiver.childForFieldName('name')?.text ?? '', type } : null,
    parameters: collectParameters(node.childForFieldName('parameters')),
    results: collectResults(node.childForFieldName('result')),
    generic: node.childForFieldName('type_parameters') !== null || receiver?.text.includes('[') === true,
  };
}

function collectParameters(list: Node | null): readonly GoParameter[] {
  return (list?.namedChildren ?? []).flatMap((child) => {
    const type = child.childForFieldName('type')?.text;
    if (type === undefined) return [];
    const variadic = child.type === 'variadic_parameter_declaration';
    const names = child.childrenForFieldName('name').map((name) => name?.text ?? '');
    return (names.length === 0 ? [''] : names).map((name) => ({ name, type, variadic }));
  });
}

function collectResults(result: Node | null): readonly string[] {
  if (!result) return [];
  return result.type === 'parameter_list' ? collectParameters(result).map(({ type }) => type) : [result.text];
}

/** The ranges of a node and of its name. */
export function getRanges(node: Node): { readonly range: Range; readonly nameRange: Range } {
  return { range: toRange(node), nameRange: toRange(node.childForFieldName('name') ?? node) };
}

function toRange({ startPosition, endPosition }: Node): Range {
  return {
    startLine: startPosition.row + 1,
    startColumn: startPosition.column + 1,
    endLine: endPosition.row + 1,
    endColumn: endPosition.column + 1,
  };
}
