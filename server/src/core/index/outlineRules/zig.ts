// Finds the definitions in Zig for the outline.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';
import { getBodyIfLong, hasChild, type Definition, type OutlineRules, type OutlineScope } from './rule.ts';

const KIND_BY_NODE: Readonly<Record<string, SymbolInfo['kind']>> = {
  struct_declaration: 'class',
  union_declaration: 'class',
  opaque_declaration: 'class',
  enum_declaration: 'enum',
  error_set_declaration: 'enum',
};

/** Functions, types, constants, variables and tests. `pub` and `export` make a definition exported. */
export const zigRules: OutlineRules = {
  containers: new Set([
    'source_file',
    'block',
    'expression_statement',
    'return_expression',
    'struct_declaration',
    'union_declaration',
    'enum_declaration',
    'opaque_declaration',
    'ERROR',
  ]),
  readDefinitions(node, scope) {
    switch (node.type) {
      case 'function_declaration':
        return readFunction(node, scope);
      case 'variable_declaration':
        return readVariable(node, scope);
      case 'test_declaration':
        return createDefinition(
          node,
          node.namedChildren.find((child) => child?.type === 'string' || child?.type === 'identifier') ?? null,
          'function',
          false,
          null,
        );
      default:
        return null;
    }
  },
};

/** A function. If it returns a type, it counts as a class. */
function readFunction(node: Node, scope: OutlineScope): Definition[] | null {
  const body = node.childForFieldName('body');
  const returnsType = node.childForFieldName('type')?.text === 'type';
  const kind = returnsType ? 'class' : scope.kind === null || scope.inFunction ? 'function' : 'method';
  return createDefinition(
    node,
    node.childForFieldName('name'),
    kind,
    isPublic(node, scope),
    returnsType ? body : getBodyIfLong(node, body),
  );
}

/** Types, constants and variables. A local name for an import is not a definition. */
function readVariable(node: Node, scope: OutlineScope): Definition[] | null {
  const [nameNode, ...otherNodes] = node.namedChildren;
  const value = otherNodes.at(-1);
  if (nameNode?.type !== 'identifier' || nameNode.text === '_' || /^@(import|cImport)\b/.test(value?.text ?? ''))
    return null;
  const kind = value ? KIND_BY_NODE[value.type] : undefined;
  if (!kind && scope.inFunction) return null;
  return createDefinition(
    node,
    nameNode,
    kind ?? (hasChild(node, 'const') ? 'constant' : 'variable'),
    isPublic(node, scope),
    kind && value ? value : null,
  );
}

function createDefinition(
  node: Node,
  nameNode: Node | null,
  kind: SymbolInfo['kind'],
  isExported: boolean,
  container: Node | null,
): Definition[] | null {
  const name = nameNode?.text.replaceAll(/^@?"|"$/g, '');
  return nameNode && name ? [{ kind, name, nameNode, node, exported: isExported, bodyNode: container }] : null;
}

function isPublic(node: Node, scope: OutlineScope): boolean {
  return (
    !scope.inFunction &&
    (scope.names.length === 0 || scope.exported) &&
    (hasChild(node, 'pub') || hasChild(node, 'export'))
  );
}
