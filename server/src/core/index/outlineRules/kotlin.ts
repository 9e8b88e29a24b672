// Finds the definitions in Kotlin for the outline.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';
import { getBodyIfLong, hasChild, type Definition, type OutlineRules, type OutlineScope } from './rule.ts';

/** Types, functions and properties. They are exported unless they are marked otherwise. */
export const kotlinRules: OutlineRules = {
  exportedByDefault: true,
  containers: new Set([
    'source_file',
    'class_body',
    'enum_class_body',
    'function_body',
    'block',
    'statements',
    'ERROR',
  ]),
  readDefinitions(node, scope) {
    switch (node.type) {
      case 'class_declaration':
        return readTypeDefinition(node, scope);
      case 'object_declaration':
        return readNamedDefinition(node, node.childForFieldName('name'), 'class', scope, findChild(node, 'class_body'));
      case 'companion_object':
        return readCompanion(node, scope);
      case 'function_declaration':
        return readNamedDefinition(
          node,
          node.childForFieldName('name'),
          scope.kind !== null && !scope.inFunction ? 'method' : 'function',
          scope,
          getBodyIfLong(node, findChild(node, 'function_body')),
        );
      case 'secondary_constructor':
        return readNamedDefinition(
          node,
          node.children.find((part) => part?.type === 'constructor') ?? null,
          'method',
          scope,
          null,
        );
      case 'property_declaration':
        return readProperties(node, scope);
      case 'type_alias':
        return readNamedDefinition(
          node,
          node.childForFieldName('type') ?? findChild(node, 'identifier'),
          'type',
          scope,
          null,
        );
      default:
        return null;
    }
  },
};

function readTypeDefinition(node: Node, scope: OutlineScope): Definition[] | null {
  const isEnum = findChild(node, 'modifiers')?.namedChildren.some((modifier) => modifier?.text === 'enum');
  const kind = hasChild(node, 'interface') ? 'interface' : isEnum ? 'enum' : 'class';
  return readNamedDefinition(
    node,
    node.childForFieldName('name'),
    kind,
    scope,
    findChild(node, 'class_body') ?? findChild(node, 'enum_class_body'),
  );
}

/** A companion object. Without a name, its members have the same paths as members of the class. */
function readCompanion(node: Node, scope: OutlineScope): ReturnType<OutlineRules['readDefinitions']> {
  const nameNode = node.childForFieldName('name');
  const body = findChild(node, 'class_body');
  if (nameNode) return readNamedDefinition(node, nameNode, 'class', scope, body);
  return body ? { enter: { ...scope, kind: 'class', exported: scope.exported && !isHidden(node) }, node: body } : null;
}

/**
 * The properties outside of functions. In a class, a hidden property counts only if it is constant or computed, because
 * the others are private details.
 */
function readProperties(node: Node, scope: OutlineScope): Definition[] | null {
  if (scope.inFunction) return null;
  const isConst = findChild(node, 'modifiers')?.namedChildren.some((modifier) => modifier?.text === 'const') ?? false;
  const isComputed = findChild(node, 'getter') !== null || findChild(node, 'property_delegate') !== null;
  if (scope.kind !== null && scope.kind !== 'interface' && !isConst && !isComputed && isHidden(node)) return null;
  const declared = findChild(node, 'multi_variable_declaration') ?? node;
  return declared.namedChildren.flatMap((declaration) => {
    const nameNode =
      declaration?.type === 'variable_declaration'
        ? declaration.namedChildren.find((part) => part?.type === 'identifier')
        : null;
    return nameNode ? (readNamedDefinition(node, nameNode, isConst ? 'constant' : 'variable', scope, null) ?? []) : [];
  });
}

function readNamedDefinition(
  node: Node,
  nameNode: Node | null,
  kind: SymbolInfo['kind'],
  scope: OutlineScope,
  container: Node | null,
): Definition[] | null {
  return nameNode
    ? [
        {
          kind,
          name: nameNode.text.replaceAll('`', ''),
          nameNode,
          node,
          exported: scope.exported && !scope.inFunction && !isHidden(node),
          bodyNode: container,
        },
      ]
    : null;
}

/** True for a definition that is marked as not public. */
function isHidden(node: Node): boolean {
  return (
    findChild(node, 'modifiers')?.namedChildren.some(
      (modifier) => modifier?.type === 'visibility_modifier' && modifier.text !== 'public',
    ) ?? false
  );
}

function findChild(node: Node, type: string): Node | null {
  return node.namedChildren.find((part) => part?.type === type) ?? null;
}
