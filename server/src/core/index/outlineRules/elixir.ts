// Finds the definitions in Elixir for the outline: calls of macros whose names begin with `def`, and attributes.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';
import { getBodyIfLong, type Definition, type OutlineRules, type OutlineScope } from './rule.ts';

/** Kinds of definitions by the macros that define functions and macros. */
const KIND_BY_FUNCTION_WORD: Readonly<Record<string, SymbolInfo['kind']>> = {
  def: 'function',
  defp: 'function',
  defdelegate: 'function',
  defn: 'function',
  defnp: 'function',
  defmacro: 'macro',
  defmacrop: 'macro',
  defguard: 'macro',
  defguardp: 'macro',
};
/** Kinds of definitions by the macros that define modules. */
const KIND_BY_MODULE_WORD: Readonly<Record<string, SymbolInfo['kind']>> = {
  defmodule: 'module',
  defprotocol: 'interface',
  defimpl: 'module',
};
/** Kinds of definitions by the attributes that define types and callbacks. */
const TYPE_ATTRIBUTES: Readonly<Record<string, SymbolInfo['kind']>> = {
  type: 'type',
  typep: 'type',
  opaque: 'type',
  callback: 'function',
  macrocallback: 'macro',
};
/** Attributes that describe the definition after them. */
const DESCRIBING_ATTRIBUTES = new Set([
  'doc',
  'spec',
  'impl',
  'deprecated',
  'since',
  'typedoc',
  'tag',
  'dialyzer',
  'compile',
  'decorate',
]);
/** Attributes with a meaning in the language or its tools; any other attribute is a constant. */
const RESERVED_ATTRIBUTES = new Set([
  ...DESCRIBING_ATTRIBUTES,
  'moduledoc',
  'moduletag',
  'describetag',
  'behaviour',
  'derive',
  'before_compile',
  'after_compile',
  'on_definition',
  'on_load',
  'external_resource',
  'enforce_keys',
  'optional_callbacks',
  'vsn',
  'file',
  'nifs',
  'fallback_to_any',
  'protocol',
  'for',
]);

/** Modules, functions, macros, types and constants. All are exported except those of private keywords (`defp`). */
export const elixirRules: OutlineRules = {
  exportedByDefault: true,
  containers: new Set(['source', 'call', 'do_block', 'else_block', 'body', 'block', 'ERROR']),
  readDefinitions(node, scope) {
    if (node.type === 'unary_operator') return readAttribute(node, scope);
    if (node.type !== 'call') return null;
    const target = node.childForFieldName('target')?.text ?? '';
    if (Object.hasOwn(KIND_BY_MODULE_WORD, target)) return readModule(node, KIND_BY_MODULE_WORD[target]!, scope);
    return Object.hasOwn(KIND_BY_FUNCTION_WORD, target)
      ? readDefinition(node, KIND_BY_FUNCTION_WORD[target]!, scope, !/p$/.test(target))
      : null;
  },
};

/** A module, protocol or implementation. `defimpl Size, for: Map` defines the module `Size.Map`. */
function readModule(node: Node, kind: SymbolInfo['kind'], scope: OutlineScope): Definition[] | null {
  const args = collectArguments(node);
  const nameNode = args[0];
  if (nameNode?.type !== 'alias') return null;
  const target =
    args[1]?.type === 'keywords'
      ? args[1].namedChildren
          .find((pair) => pair?.childForFieldName('key')?.text.trim() === 'for:')
          ?.childForFieldName('value')
      : null;
  const hasSingleTarget = target?.type === 'alias';
  const names = [...nameNode.text.split('.'), ...(hasSingleTarget ? target.text.split('.') : [])];
  return [
    {
      kind,
      name: names.at(-1)!,
      nameNode: hasSingleTarget ? target : nameNode,
      node,
      exported: scope.exported,
      qualifiers: names.slice(0, -1),
      bodyNode: findBlock(node),
    },
  ];
}

/** A function or macro with its describing attributes. */
function readDefinition(
  node: Node,
  kind: SymbolInfo['kind'],
  scope: OutlineScope,
  isPublic: boolean,
): Definition[] | null {
  let head = collectArguments(node)[0];
  if (head?.type === 'binary_operator' && head.childForFieldName('operator')?.text === 'when')
    head = head.childForFieldName('left') ?? undefined;
  const nameNode = head && (head.childForFieldName('operator') ?? head.childForFieldName('target') ?? head);
  // The name in `def unquote(name)(…)` is known at compile time only.
  if (!nameNode || (head?.type === 'call' && nameNode.type !== 'identifier') || nameNode.text === 'unquote')
    return null;
  return [
    {
      kind,
      name: nameNode.text,
      nameNode,
      node,
      from: findFirstAttribute(node),
      exported: isPublic && scope.exported && !scope.inFunction,
      bodyNode: getBodyIfLong(node, findBlock(node)),
    },
  ];
}

/** `@type t :: …`, `@callback run(…) :: …`, and attributes that serve as constants. */
function readAttribute(node: Node, scope: OutlineScope): Definition[] | null {
  const operand = node.childForFieldName('operand');
  const label = operand?.type === 'call' ? operand.childForFieldName('target') : null;
  if (!operand || !label || scope.inFunction || node.childForFieldName('operator')?.text !== '@') return null;
  if (!Object.hasOwn(TYPE_ATTRIBUTES, label.text)) {
    return RESERVED_ATTRIBUTES.has(label.text) || scope.names.length === 0
      ? null
      : [{ kind: 'constant', name: label.text, nameNode: label, node, exported: false, bodyNode: null }];
  }
  let head: Node | null | undefined = collectArguments(operand)[0];
  while (head?.type === 'binary_operator' && ['::', 'when'].includes(head.childForFieldName('operator')?.text ?? ''))
    head = head.childForFieldName('left');
  const nameNode = head?.childForFieldName('target') ?? head;
  return nameNode?.type === 'identifier'
    ? [
        {
          kind: TYPE_ATTRIBUTES[label.text]!,
          name: nameNode.text,
          nameNode,
          node,
          from: findFirstAttribute(node),
          exported: scope.exported && label.text !== 'typep',
          bodyNode: null,
        },
      ]
    : null;
}

/** The first of the describing attributes directly above this definition; the definition itself if there is none. */
function findFirstAttribute(node: Node): Node {
  let firstNode = node;
  for (
    let sibling = node.previousNamedSibling;
    sibling?.type === 'unary_operator';
    sibling = sibling.previousNamedSibling
  ) {
    if (!DESCRIBING_ATTRIBUTES.has(sibling.childForFieldName('operand')?.childForFieldName('target')?.text ?? ''))
      break;
    firstNode = sibling;
  }
  return firstNode;
}

function findBlock(node: Node): Node | null {
  return node.namedChildren.find((child) => child?.type === 'do_block') ?? null;
}

function collectArguments(call: Node): Node[] {
  return (
    call.namedChildren
      .find((child) => child?.type === 'arguments')
      ?.namedChildren.filter((child): child is Node => child !== null && child.type !== 'comment') ?? []
  );
}
