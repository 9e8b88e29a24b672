// Collects the metrics of a function in a tree-sitter tree during the walk through it, and computes the result at its
// end.

import type { Node } from 'web-tree-sitter';
import { ANONYMOUS_NAME, TOP_LEVEL, type FunctionKind, type FunctionUnit } from '../functionUnit.ts';
import { countLines, type LineStarts } from '../lines.ts';
import { computeHalstead, computeMaintainability, type TokenCounts } from '../metrics/halstead.ts';

/** The metrics of a function so far. */
export interface TreeFrame {
  readonly node: Node;
  readonly kind: FunctionKind;
  cyclomatic: number;
  cognitive: number;
  /** The level of nesting at the current node, by which cognitive complexity grows. */
  nested: number;
  /** The number of control structures that are open at the current node. */
  depth: number;
  /** The maximum of `depth` so far. */
  deepestDepth: number;
  /** The offset at which `depth` first had this maximum; null if there is no control structure. */
  deepestOffset: number | null;
  statements: number;
  tokens: TokenCounts;
}

/** First parameters for which the caller writes no argument. */
const RECEIVER_NAMES = new Set(['self', 'cls', 'self_parameter']);

/** The metrics of a function at the start of its walk. */
export function createTreeFrame(node: Node, kind: FunctionKind): TreeFrame {
  return {
    node,
    kind,
    cyclomatic: 1,
    cognitive: 0,
    nested: 0,
    depth: 0,
    deepestDepth: 0,
    deepestOffset: null,
    statements: 0,
    tokens: { operators: new Map(), operands: new Map() },
  };
}

/** The metrics of a function whose nodes have all been visited. `lines`: the line starts of the whole text. */
export function createTreeUnit(frame: TreeFrame, lines: LineStarts): FunctionUnit {
  const { node, kind, cyclomatic } = frame;
  const name = kind === 'topLevel' ? null : findName(node);
  const start = kind === 'topLevel' ? 0 : node.startIndex;
  const halstead = computeHalstead(frame.tokens);
  return {
    kind,
    name: kind === 'topLevel' ? TOP_LEVEL : (name?.text ?? ANONYMOUS_NAME),
    start,
    end: node.endIndex,
    nameStart: name?.startIndex ?? start,
    nameEnd: name?.endIndex ?? start + 1,
    hasBlock: true,
    hasInjectedParameters: false,
    cyclomatic,
    cognitive: frame.cognitive,
    nesting: frame.deepestDepth,
    deepestOffset: frame.deepestOffset,
    statements: frame.statements,
    parameters: countParameters(node),
    halstead,
    maintainability: computeMaintainability({
      volume: halstead.volume,
      cyclomatic,
      lines: countLines(lines, { start, end: node.endIndex }),
    }),
  };
}

/** The node of the function's name; null if it has none. In C and C++, the name is nested in declarators. */
function findName(node: Node): Node | null {
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

/** Number of parameters of a function, without its receiver (`self`, `cls`) and without C's `void`. */
function countParameters(node: Node): number {
  const list = node.childForFieldName('parameters') ?? findFunctionDeclarator(node)?.childForFieldName('parameters');
  let count = 0;
  for (const [index, parameter] of (list?.namedChildren ?? []).entries()) {
    if (
      !parameter ||
      parameter.type.endsWith('comment') ||
      parameter.type.endsWith('separator') ||
      parameter.type === 'attribute_item'
    )
      continue;
    if (
      index === 0 &&
      (RECEIVER_NAMES.has(parameter.type) || RECEIVER_NAMES.has(parameter.text) || parameter.text === 'void')
    )
      continue;
    // Go: `a, b int` is one node with two names.
    count +=
      parameter.type === 'parameter_declaration' ? Math.max(1, parameter.childrenForFieldName('name').length) : 1;
  }
  return count;
}

/** The declarator of a function in C or C++; null in other languages. */
function findFunctionDeclarator(node: Node): Node | null {
  let declarator = node.childForFieldName('declarator');
  while (declarator && declarator.type !== 'function_declarator')
    declarator = declarator.childForFieldName('declarator');
  return declarator;
}
