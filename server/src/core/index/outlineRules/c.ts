// Finds the definitions in C and C++ for the outline.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';
import {
  hasChild,
  includeWrappers,
  type AncestorNode,
  type Definition,
  type OutlineRules,
  type OutlineScope,
} from './rule.ts';

/** Nodes around a definition that belong to it. */
const WRAPPER_NODES = new Set(['template_declaration']);
const KIND_BY_SPECIFIER: Readonly<Record<string, SymbolInfo['kind']>> = {
  struct_specifier: 'class',
  union_specifier: 'class',
  class_specifier: 'class',
  enum_specifier: 'enum',
};

/** Types, functions, variables and macros. All are exported except static ones and those of unnamed namespaces. */
export const cRules: OutlineRules = {
  exportedByDefault: true,
  containers: new Set([
    'translation_unit',
    'preproc_ifdef',
    'preproc_if',
    'preproc_else',
    'preproc_elif',
    'linkage_specification',
    'declaration_list',
    'field_declaration_list',
    'template_declaration',
    'declaration',
    'field_declaration',
  ]),
  readDefinitions(node, scope, type, above) {
    if (type in KIND_BY_SPECIFIER) return readSpecifier(node, scope, KIND_BY_SPECIFIER[type]!, above);
    switch (type) {
      case 'function_definition':
        return readDeclarators(node, scope, true, above);
      case 'declaration':
      case 'field_declaration':
        return readDeclarators(node, scope, false, above);
      case 'namespace_definition':
        return readNamespace(node, scope);
      case 'type_definition':
        return readTypedef(node, scope);
      case 'alias_declaration':
      case 'concept_definition':
        return readSimpleDefinition(node, 'type', scope, above);
      case 'preproc_function_def':
        return readSimpleDefinition(node, 'macro', scope, above);
      case 'preproc_def':
        // A macro without a value is a switch or an include guard.
        return node.childForFieldName('value') ? readSimpleDefinition(node, 'constant', scope, above) : null;
      default:
        return null;
    }
  },
};

/** A definition with a name and without inner definitions. */
function readSimpleDefinition(
  node: Node,
  kind: SymbolInfo['kind'],
  scope: OutlineScope,
  above: AncestorNode | null,
): Definition[] | null {
  const nameNode = node.childForFieldName('name');
  return nameNode
    ? [
        {
          kind,
          name: nameNode.text,
          nameNode,
          node: includeWrappers(node, WRAPPER_NODES, above),
          exported: scope.exported,
          bodyNode: null,
        },
      ]
    : null;
}

/** A struct, union, class or enum with a body; without a body it is only a use of the type. */
function readSpecifier(
  node: Node,
  scope: OutlineScope,
  kind: SymbolInfo['kind'],
  above: AncestorNode | null,
): Definition[] | null {
  const nameNode = node.childForFieldName('name');
  const body = node.childForFieldName('body');
  if (!nameNode || !body) return null;
  return [
    {
      kind,
      name: findLastName(nameNode.text),
      nameNode,
      node: includeWrappers(node, WRAPPER_NODES, above),
      exported: scope.exported,
      bodyNode: kind === 'class' ? body : null,
    },
  ];
}

/** Functions with or without a body, and variables outside of functions and classes. */
function readDeclarators(
  node: Node,
  scope: OutlineScope,
  hasBody: boolean,
  above: AncestorNode | null,
): Definition[] | null {
  const declared = node
    .childrenForFieldName('declarator')
    .flatMap((declarator) => (declarator ? [findName(declarator)] : []))
    .filter((entry) => entry !== null);
  const isField = scope.kind === 'class' && !hasBody;
  const definitions = declared.filter((entry) => entry.isFunction || (!isField && !scope.inFunction));
  // `struct S { … } s;` defines the type as well; the walk finds it inside.
  if (definitions.length === 0 || node.childForFieldName('type')?.childForFieldName('body')) return null;
  const isHidden = hasChild(node, 'storage_class_specifier', 'static') && scope.kind !== 'class';
  const fullNode = includeWrappers(node, WRAPPER_NODES, above);
  return definitions.map(({ nameNode, isFunction }) => {
    const names = nameNode.text
      .replaceAll(/<[^<>]*>/g, '')
      .split('::')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const qualifiers = names.slice(0, -1);
    const kind: SymbolInfo['kind'] = !isFunction
      ? 'variable'
      : qualifiers.length > 0 || scope.kind === 'class'
        ? 'method'
        : 'function';
    return {
      kind,
      name: names.at(-1) ?? nameNode.text,
      nameNode: findInnermostName(nameNode),
      node: fullNode,
      exported: scope.exported && !isHidden,
      qualifiers,
      bodyNode: null,
    };
  });
}

/** The name that a declarator declares, inside pointers, arrays and parentheses; null if there is none. */
function findName(declarator: Node): { readonly nameNode: Node; readonly isFunction: boolean } | null {
  let current: Node | null = declarator;
  let isFunction = false;
  while (current) {
    if (current.type === 'function_declarator') isFunction = true;
    if (/identifier$|_name$/.test(current.type)) return { nameNode: current, isFunction };
    current =
      current.childForFieldName('declarator') ??
      current.namedChildren.find((child) => child !== null && /declarator$|identifier$|_name$/.test(child.type)) ??
      null;
  }
  return null;
}

/** The last name of a qualified one: `c` in `a::b::c`. */
function findInnermostName(node: Node): Node {
  let current = node;
  for (
    let inner = current.childForFieldName('name');
    current.type === 'qualified_identifier' && inner;
    inner = current.childForFieldName('name')
  )
    current = inner;
  return current;
}

/** A namespace. If it has no name, its definitions are visible in this file only. */
function readNamespace(node: Node, scope: OutlineScope): ReturnType<OutlineRules['readDefinitions']> {
  const nameNode = node.childForFieldName('name');
  const body = node.childForFieldName('body');
  if (!body) return null;
  if (!nameNode) return { enter: { ...scope, kind: 'module', exported: false }, node: body };
  const names = nameNode.text.split('::').map((name) => name.trim());
  return [
    {
      kind: 'module',
      name: names.at(-1)!,
      nameNode,
      node,
      exported: scope.exported,
      qualifiers: names.slice(0, -1),
      bodyNode: body,
    },
  ];
}

/** The names of a `typedef`. */
function readTypedef(node: Node, scope: OutlineScope): Definition[] | null {
  const type = node.childForFieldName('type');
  const kind = (type?.childForFieldName('body') && KIND_BY_SPECIFIER[type.type]) || 'type';
  const declarators = node
    .childrenForFieldName('declarator')
    .flatMap((declarator) => (declarator ? [findName(declarator)] : []))
    .filter((entry) => entry !== null);
  return declarators.map(({ nameNode }) => ({
    kind,
    name: nameNode.text,
    nameNode,
    node,
    exported: scope.exported,
    bodyNode: null,
  }));
}

function findLastName(text: string): string {
  return text
    .replaceAll(/<[^<>]*>/g, '')
    .split('::')
    .at(-1)!
    .trim();
}
