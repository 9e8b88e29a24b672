// Finds the definitions in C# for the outline.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';
import { getBodyIfLong, type Definition, type OutlineRules, type OutlineScope } from './rule.ts';

const KIND_BY_NODE: Readonly<Record<string, SymbolInfo['kind']>> = {
  class_declaration: 'class',
  struct_declaration: 'class',
  record_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
};
const OPERATOR_NODES = new Set(['operator_declaration', 'conversion_operator_declaration']);

/**
 * Types, members and constants. Namespaces add no name to a path, so that a definition has the same path in whatever
 * form its namespace is written.
 */
export const csharpRules: OutlineRules = {
  containers: new Set([
    'compilation_unit',
    'namespace_declaration',
    'declaration_list',
    'global_statement',
    'preproc_if',
    'preproc_elif',
    'preproc_else',
    'ERROR',
  ]),
  readDefinitions(node, scope) {
    const kind = KIND_BY_NODE[node.type];
    if (kind) return readNamedDefinition(node, kind, scope, node.childForFieldName('body'));
    if (OPERATOR_NODES.has(node.type)) return readOperator(node, scope);
    switch (node.type) {
      case 'method_declaration':
      case 'constructor_declaration':
        return readNamedDefinition(node, 'method', scope, getBodyIfLong(node, node.childForFieldName('body')));
      case 'destructor_declaration':
        return readNamedDefinition(node, 'method', scope, null, '~');
      case 'local_function_statement':
        return readNamedDefinition(node, 'function', scope, null);
      case 'property_declaration':
      case 'event_declaration':
        return readNamedDefinition(node, 'variable', scope, null);
      case 'delegate_declaration':
        return readNamedDefinition(node, 'type', scope, null);
      case 'indexer_declaration':
        return readTokenDefinition(node, 'this', scope);
      case 'field_declaration':
      case 'event_field_declaration':
        return readFields(node, scope);
      default:
        return null;
    }
  },
};

function readNamedDefinition(
  node: Node,
  kind: SymbolInfo['kind'],
  scope: OutlineScope,
  container: Node | null,
  prefix = '',
): Definition[] | null {
  const nameNode = node.childForFieldName('name');
  return nameNode
    ? [{ kind, name: prefix + nameNode.text, nameNode, node, exported: isPublic(node, scope), bodyNode: container }]
    : null;
}

/**
 * The definition of an operator or of a conversion, which is named after its target type; null if the name is missing.
 */
function readOperator(node: Node, scope: OutlineScope): Definition[] | null {
  const nameNode = node.childForFieldName('operator') ?? node.childForFieldName('type');
  return nameNode
    ? [
        {
          kind: 'method',
          name: `operator ${nameNode.text}`,
          nameNode,
          node,
          exported: isPublic(node, scope),
          bodyNode: null,
        },
      ]
    : null;
}

/** A definition that a keyword names, such as the indexer `this`. */
function readTokenDefinition(node: Node, name: string, scope: OutlineScope): Definition[] | null {
  const nameNode = node.children.find((child) => child?.type === name);
  return nameNode ? [{ kind: 'method', name, nameNode, node, exported: isPublic(node, scope), bodyNode: null }] : null;
}

/** Constants and events; other fields are private details of their class. */
function readFields(node: Node, scope: OutlineScope): Definition[] | null {
  const modifiers = collectModifiers(node);
  const isEvent = node.type === 'event_field_declaration';
  const isConstant = modifiers.includes('const') || (modifiers.includes('static') && modifiers.includes('readonly'));
  if (!isEvent && !isConstant) return null;
  const declaration = node.namedChildren.find((child) => child?.type === 'variable_declaration');
  return (
    declaration?.namedChildren.flatMap((declarator) => {
      const nameNode = declarator?.type === 'variable_declarator' ? declarator.childForFieldName('name') : null;
      return nameNode
        ? [
            {
              kind: isEvent ? ('variable' as const) : ('constant' as const),
              name: nameNode.text,
              nameNode,
              node,
              exported: isPublic(node, scope),
              bodyNode: null,
            },
          ]
        : [];
    }) ?? null
  );
}

/** True for a public definition. Members of an interface are public unless they are marked otherwise. */
function isPublic(node: Node, scope: OutlineScope): boolean {
  const modifiers = collectModifiers(node);
  if (scope.inFunction) return false;
  if (scope.kind === 'interface') return scope.exported && !modifiers.includes('private');
  return modifiers.includes('public') && (scope.names.length === 0 || scope.exported);
}

function collectModifiers(node: Node): readonly string[] {
  return node.namedChildren.filter((child) => child?.type === 'modifier').map((child) => child!.text);
}
