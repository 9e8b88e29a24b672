// The figures of one function of a tree-sitter tree while the walk is inside it, and what becomes of them at its end.

import type { Node } from 'web-tree-sitter';
import { ANONYMOUS, type FunctionKind, type FunctionUnit } from '../functionUnit.ts';
import type { LanguageTable } from './languageTables.ts';

export interface TreeFrame {
  readonly node: Node;
  readonly kind: FunctionKind;
  cyclomatic: number;
  cognitive: number;
  nested: number;
  depth: number;
  deepestDepth: number;
  deepest: number | null;
  statements: number;
}

/** First parameters that the caller does not write. */
const RECEIVERS = new Set(['self', 'cls', 'self_parameter']);

export function newTreeFrame(node: Node, kind: FunctionKind): TreeFrame {
  return { node, kind, cyclomatic: 1, cognitive: 0, nested: 0, depth: 0, deepestDepth: 0, deepest: null, statements: 0 };
}

export function treeUnitOf(frame: TreeFrame, table: LanguageTable): FunctionUnit {
  const { node } = frame;
  const name = nameOf(node);
  return {
    kind: frame.kind === 'function' && table.classes.has(node.parent?.parent?.type ?? '') ? 'method' : frame.kind,
    name: name?.text ?? ANONYMOUS,
    start: node.startIndex,
    end: node.endIndex,
    nameStart: name?.startIndex ?? node.startIndex,
    nameEnd: name?.endIndex ?? node.startIndex + 1,
    hasBlock: true,
    injected: false,
    cyclomatic: frame.cyclomatic,
    cognitive: frame.cognitive,
    nesting: frame.deepestDepth,
    deepest: frame.deepest,
    statements: frame.statements,
    parameters: parametersOf(node),
    halstead: null,
    maintainability: null,
  };
}

/** C and C++ hide the name in nested declarators. */
function nameOf(node: Node): Node | null {
  const name = node.childForFieldName('name');
  if (name) return name;
  let declarator = node.childForFieldName('declarator');
  while (declarator) {
    const inner: Node | null = declarator.childForFieldName('declarator');
    if (!inner) break;
    declarator = inner;
  }
  return declarator;
}

function parametersOf(node: Node): number {
  const list = node.childForFieldName('parameters') ?? functionDeclaratorOf(node)?.childForFieldName('parameters');
  let count = 0;
  for (const [index, parameter] of (list?.namedChildren ?? []).entries()) {
    if (!parameter || parameter.type.endsWith('comment') || parameter.type.endsWith('separator') || parameter.type === 'attribute_item') continue;
    if (index === 0 && (RECEIVERS.has(parameter.type) || RECEIVERS.has(parameter.text) || parameter.text === 'void')) continue;
    // Go: `a, b int` is one node with two names.
    count += parameter.type === 'parameter_declaration' ? Math.max(1, parameter.childrenForFieldName('name').length) : 1;
  }
  return count;
}

function functionDeclaratorOf(node: Node): Node | null {
  let declarator = node.childForFieldName('declarator');
  while (declarator && declarator.type !== 'function_declarator') declarator = declarator.childForFieldName('declarator');
  return declarator;
}
