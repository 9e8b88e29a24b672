// Finds the definitions in TypeScript, TSX and JavaScript for the outline.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';
import {
  isLong,
  findOutermostWrapper,
  type AncestorNode,
  type Definition,
  type OutlineRules,
  type OutlineScope,
} from './rule.ts';

/** Statements around a definition that belong to it, such as `export`. */
const WRAPPER_NODES = new Set(['export_statement', 'ambient_declaration']);
const FUNCTION_TYPES = new Set(['arrow_function', 'function_expression', 'function', 'generator_function']);
const CLASS_TYPES = new Set(['class', 'class_declaration', 'abstract_class_declaration']);

const KIND_OF_DECLARATION: Readonly<Record<string, SymbolInfo['kind']>> = {
  function_declaration: 'function',
  generator_function_declaration: 'function',
  function_signature: 'function',
  class_declaration: 'class',
  abstract_class_declaration: 'class',
  interface_declaration: 'interface',
  type_alias_declaration: 'type',
  enum_declaration: 'enum',
  internal_module: 'module',
  module: 'module',
};

/** Members of classes and interfaces. A field is a definition only if its value is a function. */
const MEMBER_TYPES = new Set([
  'method_definition',
  'abstract_method_signature',
  'method_signature',
  'public_field_definition',
  'field_definition',
]);

/** Functions, classes, types, variables, and the functions in object literals and assignments. */
export const ecmaScriptRules: OutlineRules = {
  containers: new Set([
    'program',
    'export_statement',
    'ambient_declaration',
    'class_body',
    'interface_body',
    'statement_block',
    'lexical_declaration',
    'variable_declaration',
    'expression_statement',
    'if_statement',
    'else_clause',
    'call_expression',
    'arguments',
    'parenthesized_expression',
    'arrow_function',
    'function_expression',
    'object',
    'return_statement',
    'assignment_expression',
    'satisfies_expression',
    'as_expression',
    'await_expression',
  ]),
  bodies: {
    nodeTypes: new Set([
      'expression_statement',
      'call_expression',
      'arguments',
      'parenthesized_expression',
      'object',
      'return_statement',
      'assignment_expression',
      'satisfies_expression',
      'as_expression',
      'await_expression',
    ]),
    markers: ['{', '=>'],
  },
  readDefinitions(node, scope, type, above) {
    if (type in KIND_OF_DECLARATION) return readDeclaration(node, scope, KIND_OF_DECLARATION[type]!, above);
    if (MEMBER_TYPES.has(type)) return readMember(node, scope, type);
    if (type === 'variable_declarator') return readVariable(node, scope, above);
    if (type === 'assignment_expression') return readAssignment(node, scope, above);
    if (type === 'pair') return readProperty(node, scope);
    if (type === 'export_statement') return readDefaultExport(node, scope);
    if (FUNCTION_TYPES.has(type)) return { enter: { ...scope, inFunction: true, exported: false }, node };
    return null;
  },
  /** Names in `export { a }`, `export default a` and `module.exports = …`. */
  exportedNames(text) {
    const names = new Set<string>();
    if (!text.includes('export')) return names;
    for (const [, list] of text.matchAll(/(?:\bexport\s*(?:type\s*)?|\bmodule\.exports\s*=\s*)\{([^{}]*)\}/g)) {
      for (const entry of list!.split(',')) {
        const name = /^\s*(?:type\s+)?([\w$]+)/.exec(entry)?.[1];
        if (name) names.add(name);
      }
    }
    for (const [, name] of text.matchAll(/(?:\bexport\s+default|\bmodule\.exports\s*=)\s+([\w$]+)\s*;?\s*$/gm))
      names.add(name!);
    return names;
  },
};

/** A declaration by keyword: function, class, interface, type, enum or namespace. */
function readDeclaration(
  node: Node,
  scope: OutlineScope,
  kind: SymbolInfo['kind'],
  above: AncestorNode | null,
): Definition[] | null {
  const nameNode = node.childForFieldName('name');
  if (!nameNode) return null;
  const outer = findOutermostWrapper(WRAPPER_NODES, above);
  const hasInnerDefinitions =
    kind === 'function' ? isLong(node) : kind === 'class' || kind === 'interface' || kind === 'module';
  const exported =
    !scope.inFunction &&
    (outer?.type === 'export_statement' || (outer?.type === 'ambient_declaration' && scope.names.length > 0));
  return [
    {
      kind,
      name: removeQuotes(nameNode.text),
      nameNode,
      node: outer?.node ?? node,
      exported,
      bodyNode: hasInnerDefinitions ? node.childForFieldName('body') : null,
    },
  ];
}

/** A method, or a field whose value is a function. */
function readMember(node: Node, scope: OutlineScope, type: string): Definition[] | null {
  const nameNode = node.childForFieldName('name') ?? node.childForFieldName('property');
  if (!nameNode) return null;
  const isField = type.endsWith('field_definition');
  const value = node.childForFieldName('value');
  if (isField && !(value && FUNCTION_TYPES.has(value.type))) return null;
  const isPrivate =
    nameNode.type === 'private_property_identifier' ||
    (node.startIndex < nameNode.startIndex &&
      node.children.some((child) => child?.type === 'accessibility_modifier' && child.text !== 'public'));
  const innerBody = isLong(node) ? ((isField ? value : node)?.childForFieldName('body') ?? null) : null;
  return [
    {
      kind: 'method',
      name: removeQuotes(nameNode.text),
      nameNode,
      node,
      exported: scope.exported && !isPrivate,
      bodyNode: innerBody,
    },
  ];
}

/** A variable; inside of functions, only one whose value is a function or a class. */
function readVariable(node: Node, scope: OutlineScope, above: AncestorNode | null): Definition[] | null {
  const value = node.childForFieldName('value');
  const valueType = value?.type ?? '';
  const valueKind = findKind(valueType);
  // Most variables are local ones without a function or class as value, so this check comes first.
  if (scope.inFunction && valueKind !== 'function' && valueKind !== 'class') return null;
  const nameNode = node.childForFieldName('name');
  if (nameNode?.type !== 'identifier' || !above) return null;
  const statement = above.node;
  const outer = findOutermostWrapper(WRAPPER_NODES, above.enclosing);
  const exported = outer?.type === 'export_statement';
  const isOnlyDeclarator =
    statement.namedChildCount === 1 ||
    statement.namedChildren.filter((child) => child?.type === 'variable_declarator').length === 1;
  const kind = valueKind ?? (statement.firstChild?.type === 'const' ? 'constant' : 'variable');
  return [
    {
      kind,
      name: nameNode.text,
      nameNode,
      node: isOnlyDeclarator ? (outer?.node ?? statement) : node,
      exported,
      bodyNode: findBodyNode(node, value, valueType),
    },
  ];
}

/** A function or class that is assigned: `exports.a = function () {}`, `Thing.prototype.run = function () {}`. */
function readAssignment(node: Node, scope: OutlineScope, above: AncestorNode | null): Definition[] | null {
  const target = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  if (target?.type !== 'member_expression' || !right) return null;
  const rightType = right.type;
  const kind = findKind(rightType);
  const nameNode = target.childForFieldName('property');
  if (!nameNode || (kind !== 'function' && kind !== 'class')) return null;
  const qualifiers = target
    .childForFieldName('object')!
    .text.split('.')
    .filter((name) => /^[\w$]+$/.test(name) && !['this', 'module', 'exports', 'prototype', 'self'].includes(name));
  const statement = above?.type === 'expression_statement' ? above.node : node;
  return [
    {
      kind: kind === 'function' && qualifiers.length > 0 ? 'method' : kind,
      name: nameNode.text,
      nameNode,
      node: statement,
      exported: !scope.inFunction || /^(module\.)?exports\b/.test(target.text),
      qualifiers,
      bodyNode: findBodyNode(node, right, rightType),
    },
  ];
}

/** `name: function () {}` or `name: () => …` in an object literal. */
function readProperty(node: Node, scope: OutlineScope): Definition[] | null {
  const nameNode = node.childForFieldName('key');
  const value = node.childForFieldName('value');
  const valueType = value?.type ?? '';
  if (!nameNode || !FUNCTION_TYPES.has(valueType) || nameNode.type === 'computed_property_name') return null;
  return [
    {
      kind: 'method',
      name: removeQuotes(nameNode.text),
      nameNode,
      node,
      exported: scope.exported,
      bodyNode: findBodyNode(node, value, valueType),
    },
  ];
}

/**
 * A function or class expression as the default export: `export default () => …`. Without a name, it is called
 * `default`.
 */
function readDefaultExport(node: Node, scope: OutlineScope): Definition[] | null {
  if (scope.names.length > 0) return null;
  const value = node.childForFieldName('value');
  const valueType = value?.type ?? '';
  if (!value || !(FUNCTION_TYPES.has(valueType) || CLASS_TYPES.has(valueType))) return null;
  const keyword = node.children.find((child) => child?.type === 'default');
  if (!keyword) return null;
  const nameNode = value.childForFieldName('name') ?? keyword;
  const kind = CLASS_TYPES.has(valueType) ? 'class' : 'function';
  return [
    { kind, name: nameNode.text, nameNode, node, exported: true, bodyNode: findBodyNode(node, value, valueType) },
  ];
}

/** The kind of a value with this node type; null if it is neither a function nor a class. */
function findKind(type: string): 'function' | 'class' | null {
  if (FUNCTION_TYPES.has(type)) return 'function';
  return CLASS_TYPES.has(type) ? 'class' : null;
}

/**
 * The node whose children may contain inner definitions; null if there is none. `type`: the type of `value`, passed
 * along because reading it again costs a call into the parser.
 */
function findBodyNode(definition: Node, value: Node | null, type: string): Node | null {
  if (!value) return null;
  if (FUNCTION_TYPES.has(type)) return isLong(definition) ? value.childForFieldName('body') : null;
  if (CLASS_TYPES.has(type)) return value.childForFieldName('body');
  return type === 'object' || type === 'call_expression' || type === 'satisfies_expression' || type === 'as_expression'
    ? value
    : null;
}

function removeQuotes(name: string): string {
  return name.replaceAll(/^['"`]|['"`]$/g, '');
}
