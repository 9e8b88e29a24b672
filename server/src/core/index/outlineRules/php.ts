// Finds the definitions in PHP for the outline.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';
import { getBodyIfLong, type Definition, type OutlineRules, type OutlineScope } from './rule.ts';

const KIND_BY_NODE: Readonly<Record<string, SymbolInfo['kind']>> = {
  class_declaration: 'class',
  trait_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
};

/** Types, functions, methods and constants. They are exported unless they are private or protected. */
export const phpRules: OutlineRules = {
  exportedByDefault: true,
  containers: new Set([
    'program',
    'namespace_definition',
    'compound_statement',
    'declaration_list',
    'enum_declaration_list',
    'if_statement',
    'else_clause',
    'else_if_clause',
    'expression_statement',
    'try_statement',
    'colon_block',
  ]),
  readDefinitions(node, scope) {
    const kind = KIND_BY_NODE[node.type];
    if (kind) return readNamedDefinition(node, kind, scope, node.childForFieldName('body'));
    switch (node.type) {
      case 'method_declaration':
        return readNamedDefinition(node, 'method', scope, null);
      case 'function_definition':
        return readNamedDefinition(node, 'function', scope, getBodyIfLong(node, node.childForFieldName('body')));
      case 'const_declaration':
        return readConstants(node, scope);
      case 'function_call_expression':
        return readDefineCall(node, scope);
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
): Definition[] | null {
  const nameNode = node.childForFieldName('name');
  return nameNode
    ? [{ kind, name: nameNode.text, nameNode, node, exported: isVisible(node, scope), bodyNode: container }]
    : null;
}

/** The constants of a declaration: `const A = 1, B = 2;`. */
function readConstants(node: Node, scope: OutlineScope): Definition[] {
  return node.namedChildren.flatMap((element) => {
    const nameNode = element?.type === 'const_element' ? element.namedChildren[0] : null;
    return nameNode
      ? [
          {
            kind: 'constant' as const,
            name: nameNode.text,
            nameNode,
            node,
            exported: isVisible(node, scope),
            bodyNode: null,
          },
        ]
      : [];
  });
}

/** The constant that `define('NAME', 1)` defines. */
function readDefineCall(node: Node, scope: OutlineScope): Definition[] | null {
  if (node.childForFieldName('function')?.text.toLowerCase() !== 'define' || scope.inFunction) return null;
  const nameNode = node.childForFieldName('arguments')?.namedChildren[0]?.descendantsOfType('string_content')[0];
  return nameNode
    ? [{ kind: 'constant', name: nameNode.text, nameNode, node: node.parent ?? node, exported: true, bodyNode: null }]
    : null;
}

function isVisible(node: Node, scope: OutlineScope): boolean {
  const modifier = node.namedChildren.find((child) => child?.type === 'visibility_modifier')?.text;
  return scope.exported && !scope.inFunction && modifier !== 'private' && modifier !== 'protected';
}
