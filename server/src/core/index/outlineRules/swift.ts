// Finds the definitions in Swift for the outline.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';
import { getBodyIfLong, type Definition, type OutlineRules, type OutlineScope } from './rule.ts';

const KIND_BY_KEYWORD: Readonly<Record<string, SymbolInfo['kind']>> = {
  class: 'class',
  struct: 'class',
  actor: 'class',
  enum: 'enum',
};

/**
 * Types, functions, properties and macros. Exported are public and open ones, and members of exported protocols and
 * extensions that are not hidden.
 */
export const swiftRules: OutlineRules = {
  containers: new Set([
    'source_file',
    'class_body',
    'enum_class_body',
    'protocol_body',
    'function_body',
    'statements',
    'ERROR',
  ]),
  readDefinitions(node, scope) {
    switch (node.type) {
      case 'class_declaration':
        return readTypeDefinition(node, scope);
      case 'protocol_declaration':
        return readNamedDefinition(
          node,
          node.childForFieldName('name'),
          'interface',
          scope,
          node.childForFieldName('body'),
        );
      case 'function_declaration':
      case 'protocol_function_declaration':
        return readNamedDefinition(
          node,
          node.childForFieldName('name'),
          scope.names.length > 0 && !scope.inFunction ? 'method' : 'function',
          scope,
          getBodyIfLong(node, node.childForFieldName('body')),
        );
      case 'init_declaration':
        return readNamedDefinition(node, findToken(node, 'init'), 'method', scope, null);
      case 'subscript_declaration':
        return readNamedDefinition(node, findToken(node, 'subscript'), 'method', scope, null);
      case 'typealias_declaration':
      case 'associatedtype_declaration':
        return readNamedDefinition(node, node.childForFieldName('name'), 'type', scope, null);
      case 'macro_declaration':
        return readNamedDefinition(
          node,
          node.namedChildren.find((child) => child?.type === 'simple_identifier') ?? null,
          'macro',
          scope,
          null,
        );
      case 'property_declaration':
      case 'protocol_property_declaration':
        return readProperties(node, scope);
      default:
        return null;
    }
  },
};

/**
 * A type or an extension. An extension adds a name to the paths of its members, but defines nothing itself. All members
 * of a public extension are public.
 */
function readTypeDefinition(node: Node, scope: OutlineScope): ReturnType<OutlineRules['readDefinitions']> {
  const keyword = node.childForFieldName('declaration_kind')?.text ?? 'class';
  const nameNode = node.childForFieldName('name');
  const body = node.childForFieldName('body');
  if (keyword !== 'extension')
    return readNamedDefinition(node, nameNode, KIND_BY_KEYWORD[keyword] ?? 'class', scope, body);
  if (!nameNode || !body) return null;
  const names = [...scope.names, ...nameNode.text.replace(/^([^<]*)<[\s\S]*>/, '$1').split('.')];
  return {
    enter: {
      names,
      kind: findVisibility(node) === 'public' ? 'interface' : 'class',
      inFunction: false,
      exported: true,
    },
    node: body,
  };
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
          exported: isExported(node, scope),
          bodyNode: container,
        },
      ]
    : null;
}

/**
 * Properties of a file, protocol or public extension, and static, computed and exported ones of a type. The others are
 * private details of their type.
 */
function readProperties(node: Node, scope: OutlineScope): Definition[] | null {
  const exported = isExported(node, scope);
  const isStatic =
    node.namedChildren
      .find((child) => child?.type === 'modifiers')
      ?.namedChildren.some((child) => child?.type === 'property_modifier' && /^(static|class)$/.test(child.text)) ??
    false;
  if (
    scope.inFunction ||
    (scope.kind !== null &&
      scope.kind !== 'interface' &&
      !isStatic &&
      !exported &&
      !node.childForFieldName('computed_value'))
  )
    return null;
  const isConstant = node.namedChildren.some(
    (child) => child?.type === 'value_binding_pattern' && child.text === 'let',
  );
  return node.childrenForFieldName('name').flatMap((pattern) => {
    const nameNode = pattern?.childForFieldName('bound_identifier');
    return nameNode
      ? [
          {
            kind: isConstant && (isStatic || scope.kind === null) ? ('constant' as const) : ('variable' as const),
            name: nameNode.text,
            nameNode,
            node,
            exported,
            bodyNode: null,
          },
        ]
      : [];
  });
}

function isExported(node: Node, scope: OutlineScope): boolean {
  const visibility = findVisibility(node);
  if (scope.inFunction || visibility === 'hidden') return false;
  if (scope.kind === 'interface') return scope.exported;
  return visibility === 'public' && (scope.names.length === 0 || scope.exported);
}

/** The visibility that modifiers set; null if no modifier sets one, and for `internal`. */
function findVisibility(node: Node): 'public' | 'hidden' | null {
  const modifiers =
    node.namedChildren
      .find((child) => child?.type === 'modifiers')
      ?.namedChildren.filter((child) => child?.type === 'visibility_modifier')
      .map((child) => child!.text) ?? [];
  if (modifiers.some((modifier) => modifier === 'public' || modifier === 'open')) return 'public';
  return modifiers.some((modifier) => modifier === 'private' || modifier === 'fileprivate') ? 'hidden' : null;
}

function findToken(node: Node, type: string): Node | null {
  return node.children.find((child) => child?.type === type) ?? null;
}
