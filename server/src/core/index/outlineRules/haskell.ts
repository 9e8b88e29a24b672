// Finds the definitions in Haskell for the outline.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';
import type { Definition, OutlineRules, OutlineScope } from './rule.ts';

const KIND_BY_NODE: Readonly<Record<string, SymbolInfo['kind']>> = {
  data_type: 'class',
  newtype: 'class',
  // The grammar of tree-sitter has this spelling.
  type_synomym: 'type',
  type_family: 'type',
  data_family: 'type',
  class: 'interface',
};
const EQUATION_NODES = new Set(['function', 'bind']);
const COMMENT_NODES = new Set(['comment', 'haddock', 'pragma']);

/** Types, classes, functions and fields. The head of the module lists what is exported. */
export const haskellRules: OutlineRules = {
  containers: new Set([
    'haskell',
    'declarations',
    'class_declarations',
    'data_constructors',
    'data_constructor',
    'newtype_constructor',
    'record',
    'fields',
    'foreign_import',
    'default_signature',
    'ERROR',
  ]),
  readDefinitions(node, scope) {
    const type = KIND_BY_NODE[node.type];
    if (type) return readType(node, type, scope);
    if (node.type === 'instance') return readInstance(node, scope);
    if (node.type === 'signature') return readSignature(node, scope);
    if (EQUATION_NODES.has(node.type)) return readEquation(node, scope);
    if (node.type === 'field') return createDefinition(node, node.childForFieldName('name'), 'variable');
    return null;
  },
  exportedNames: collectExportedNames,
};

/** A type or class with its constructors or methods. */
function readType(node: Node, kind: SymbolInfo['kind'], scope: OutlineScope): Definition[] | null {
  const innerNode =
    node.childForFieldName('declarations') ??
    node.childForFieldName('constructors') ??
    node.childForFieldName('constructor');
  const [definition] = createDefinition(node, node.childForFieldName('name'), kind) ?? [];
  return definition && !scope.inFunction ? [{ ...definition, bodyNode: innerNode }] : null;
}

/** An instance adds the name of its type to the paths of its methods. */
function readInstance(node: Node, scope: OutlineScope): ReturnType<OutlineRules['readDefinitions']> {
  const body = node.childForFieldName('declarations');
  const type = /[\p{Lu}][\p{L}\p{N}_']*/u.exec(node.childForFieldName('patterns')?.text ?? '')?.[0];
  return body
    ? {
        enter: { ...scope, names: type ? [...scope.names, type] : scope.names, kind: 'class' },
        node: body,
      }
    : null;
}

/**
 * A signature above equations of its name belongs to them (null). Without equations, it declares a method of a class or
 * a foreign function.
 */
function readSignature(node: Node, scope: OutlineScope): Definition[] | null {
  const next = findSibling(node, 'nextNamedSibling');
  if (next && EQUATION_NODES.has(next.type) && findBareName(next) === findBareName(node)) return null;
  return createDefinition(node, findName(node), findKind(scope));
}

/**
 * The definition of a function: all of its equations and its signature. Null for an equation that is not the first one.
 */
function readEquation(node: Node, scope: OutlineScope): Definition[] | null {
  const nameNode = findName(node);
  const previousNode = findSibling(node, 'previousNamedSibling');
  const name = findBareName(node);
  if (!nameNode || (previousNode && EQUATION_NODES.has(previousNode.type) && findBareName(previousNode) === name))
    return null;
  let lastNode = node;
  for (
    let next = findSibling(node, 'nextNamedSibling');
    next && EQUATION_NODES.has(next.type) && findBareName(next) === name;
    next = findSibling(next, 'nextNamedSibling')
  )
    lastNode = next;
  const from = previousNode?.type === 'signature' && findBareName(previousNode) === name ? previousNode : node;
  return (createDefinition(node, nameNode, findKind(scope)) ?? []).map((definition) => ({
    ...definition,
    from,
    to: lastNode,
  }));
}

function createDefinition(node: Node, nameNode: Node | null, kind: SymbolInfo['kind']): Definition[] | null {
  const name = removeMarks(nameNode);
  return nameNode && name ? [{ kind, name, nameNode, node, exported: false, bodyNode: null }] : null;
}

function findKind(scope: OutlineScope): 'function' | 'method' {
  return scope.names.length > 0 ? 'method' : 'function';
}

/** The name that a node defines, or the operator of an equation in infix form. */
function findName(node: Node): Node | null {
  return (
    node.childForFieldName('name') ??
    node.namedChildren.find((child) => child?.type === 'infix')?.childForFieldName('operator') ??
    null
  );
}

/** The name without its marks: `(<+>)` and `` `plus` `` become `<+>` and `plus`. */
function removeMarks(nameNode: Node | null): string {
  return nameNode?.text.replaceAll(/^[(`]|[)`]$/g, '').trim() ?? '';
}

function findBareName(node: Node): string {
  return removeMarks(findName(node));
}

/** The next or previous sibling that is not a comment. */
function findSibling(node: Node, side: 'nextNamedSibling' | 'previousNamedSibling'): Node | null {
  let sibling = node[side];
  while (sibling && COMMENT_NODES.has(sibling.type)) sibling = sibling[side];
  return sibling;
}

/** A comment. Dashes next to another symbol are an operator, such as `-->` (Haskell 2010 Report, 2.3). */
const COMMENT_PATTERN =
  /(?<![-!#$%&*+./<=>?@\\^|~:])--+(?![-!#$%&*+./<=>?@\\^|~:])[^\n]*|\{-[\s\S]*?(?:-\}|(?![\s\S]))/g;

/**
 * The names that the head of the module exports; all names if it has no list. The methods and fields of an exported
 * type count as exported, even if the list contains only the type (`T` instead of `T (..)`).
 */
function collectExportedNames(text: string): { has(path: string): boolean } {
  const code = text.replaceAll(COMMENT_PATTERN, '');
  const head = /^module\s+([\w.']+)/m.exec(code);
  const codeAfterHead = head ? code.slice(head.index + head[0].length) : '';
  // The list ends at the first `where`. Only the text after the first head is searched, so that the time stays linear
  // in a text with many heads.
  const exportList = codeAfterHead.slice(0, Math.max(0, codeAfterHead.search(/\bwhere\b/))).trim();
  if (!head || exportList === '') return { has: () => true };
  const names = new Set(
    [...exportList.matchAll(/(?:^|[(,])\s*(?:(?:type|pattern)\s+)?(module\s+)?(?:\(\s*)?([^\s(),]+)/g)].map(
      ([, module, name]) => (module ? `module ${name}` : name!),
    ),
  );
  if (names.has(`module ${head[1]}`)) return { has: () => true };
  return { has: (path) => names.has(path) || path.split('.').some((part) => names.has(part)) };
}
