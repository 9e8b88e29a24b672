// Finds the definitions in Rust for the outline.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';
import { hasChild, type Definition, type OutlineRules, type OutlineScope } from './rule.ts';

const KIND_BY_NODE: Readonly<Record<string, SymbolInfo['kind']>> = {
  function_item: 'function',
  function_signature_item: 'function',
  struct_item: 'class',
  union_item: 'class',
  enum_item: 'enum',
  trait_item: 'interface',
  mod_item: 'module',
  macro_definition: 'macro',
  type_item: 'type',
  associated_type: 'type',
  const_item: 'constant',
  static_item: 'variable',
};

/**
 * Items, also those in modules, traits and `impl` blocks. Exported are `pub` items, items of exported traits and of
 * their implementations, and macros with `macro_export`.
 */
export const rustRules: OutlineRules = {
  containers: new Set(['source_file', 'declaration_list', 'foreign_mod_item']),
  readDefinitions(node, scope) {
    if (node.type === 'impl_item') return readImplementation(node, scope);
    const kind = KIND_BY_NODE[node.type];
    return kind ? readItem(node, scope, kind) : null;
  },
};

function readItem(node: Node, scope: OutlineScope, kind: SymbolInfo['kind']): Definition[] | null {
  const nameNode = node.childForFieldName('name');
  if (!nameNode) return null;
  const body = node.childForFieldName('body');
  if (kind === 'module' && !body) return null;
  const isInType = scope.kind === 'class' || scope.kind === 'interface';
  const exported =
    hasChild(node, 'visibility_modifier') ||
    (scope.kind === 'interface' && scope.exported) ||
    (kind === 'macro' && node.previousNamedSibling?.text.includes('macro_export') === true);
  return [
    {
      kind: kind === 'function' && isInType ? 'method' : kind,
      name: nameNode.text,
      nameNode,
      node,
      exported,
      bodyNode: kind === 'module' || kind === 'interface' ? body : null,
    },
  ];
}

/**
 * Reads `impl`, which adds a name to the paths of its items, but defines nothing itself. Items that implement a trait
 * count as public.
 */
function readImplementation(node: Node, scope: OutlineScope): ReturnType<OutlineRules['readDefinitions']> {
  const type = node.childForFieldName('type');
  const body = node.childForFieldName('body');
  if (!type || !body) return null;
  const name = type.text
    .replace(/<[\s\S]*$/, '')
    .replace(/^.*::/, '')
    .replace(/^&\s*/, '')
    .trim();
  const isOfTrait = node.childForFieldName('trait') !== null;
  return {
    enter: {
      names: [...scope.names, name],
      kind: isOfTrait ? 'interface' : 'class',
      inFunction: false,
      exported: isOfTrait,
    },
    node: body,
  };
}
