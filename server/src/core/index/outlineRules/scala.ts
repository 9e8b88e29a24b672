// Finds the definitions in Scala 2 and 3 for the outline.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';
import { getBodyIfLong, type Definition, type OutlineRules, type OutlineScope } from './rule.ts';

const KIND_BY_NODE: Readonly<Record<string, SymbolInfo['kind']>> = {
  class_definition: 'class',
  object_definition: 'class',
  trait_definition: 'interface',
  enum_definition: 'enum',
  package_object: 'module',
};
const KIND_BY_VALUE_NODE: Readonly<Record<string, SymbolInfo['kind']>> = {
  val_definition: 'constant',
  val_declaration: 'constant',
  var_definition: 'variable',
  var_declaration: 'variable',
  given_definition: 'constant',
};

/** Types, functions and values. They are exported unless they have an access modifier. */
export const scalaRules: OutlineRules = {
  exportedByDefault: true,
  containers: new Set([
    'compilation_unit',
    'package_clause',
    'template_body',
    'enum_body',
    'extension_definition',
    'block',
    'indented_block',
    'with_template_body',
    'instance_expression',
    'ERROR',
  ]),
  readDefinitions(node, scope) {
    const type = KIND_BY_NODE[node.type];
    if (type) return readNamedDefinition(node, type, scope, node.childForFieldName('body'));
    if (node.type in KIND_BY_VALUE_NODE) return readValueDefinitions(node, KIND_BY_VALUE_NODE[node.type]!, scope);
    switch (node.type) {
      case 'function_definition':
        return readNamedDefinition(
          node,
          findKindOfFunction(scope),
          scope,
          getBodyIfLong(node, node.childForFieldName('body')),
        );
      case 'function_declaration':
        return readNamedDefinition(node, findKindOfFunction(scope), scope, null);
      case 'type_definition':
        return readNamedDefinition(node, 'type', scope, null);
      default:
        return null;
    }
  },
};

function findKindOfFunction(scope: OutlineScope): 'function' | 'method' {
  return scope.inFunction || scope.kind === null || scope.kind === 'module' ? 'function' : 'method';
}

function readNamedDefinition(
  node: Node,
  kind: SymbolInfo['kind'],
  scope: OutlineScope,
  container: Node | null,
): Definition[] | null {
  const nameNode = node.childForFieldName('name');
  return nameNode
    ? [
        {
          kind,
          name: nameNode.text.replaceAll('`', ''),
          nameNode,
          node,
          exported: isVisible(node, scope),
          bodyNode: container,
        },
      ]
    : null;
}

/**
 * The definitions of a value: `val a, b = 1`, `val (a, b) = …`. Null for a local value and for a `given` without a
 * name.
 */
function readValueDefinitions(node: Node, kind: SymbolInfo['kind'], scope: OutlineScope): Definition[] | null {
  const pattern = node.childForFieldName('pattern') ?? node.childForFieldName('name');
  if (!pattern || scope.inFunction) return null;
  const nameNodes = /identifier$/.test(pattern.type)
    ? [pattern]
    : pattern.namedChildren.filter((child): child is Node => child?.type === 'identifier');
  const body = node.childForFieldName('value') ?? node.childForFieldName('body');
  return nameNodes.map((nameNode) => ({
    kind,
    name: nameNode.text.replaceAll('`', ''),
    nameNode,
    node,
    exported: isVisible(node, scope),
    bodyNode: nameNodes.length === 1 ? getBodyIfLong(node, body) : null,
  }));
}

function isVisible(node: Node, scope: OutlineScope): boolean {
  const modifiers = node.namedChildren.find((child) => child?.type === 'modifiers');
  return (
    scope.exported && !scope.inFunction && !modifiers?.namedChildren.some((child) => child?.type === 'access_modifier')
  );
}
