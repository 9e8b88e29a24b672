// The types of outline rules. For each language, they tell which syntax nodes define something, and which ones may
// contain definitions. The outline lists the named definitions of a file.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';

/** The context of the current node of the walk. */
export interface OutlineScope {
  /** Names of the enclosing definitions, outermost first. */
  readonly names: readonly string[];
  /** Kind of the innermost enclosing definition; null at the top level. */
  readonly kind: SymbolInfo['kind'] | null;
  /** True inside the body of a function, named or not. */
  readonly inFunction: boolean;
  /** True if all enclosing definitions are visible from outside. */
  readonly exported: boolean;
  /** The definitions that the enclosing body hides, by name or by start index: the result of `findHidden`. */
  readonly hiddenDefinitions?: ReadonlySet<number | string> | null;
}

/**
 * An ancestor of the current node and, by `enclosing`, the further ones up to the body of the enclosing definition. The
 * walk records them, because asking a node for its parent costs a descent from the root.
 */
export interface AncestorNode {
  readonly node: Node;
  readonly type: string;
  readonly enclosing: AncestorNode | null;
}

/** A definition at a node. */
export interface Definition {
  readonly kind: SymbolInfo['kind'];
  readonly name: string;
  readonly nameNode: Node;
  /** The whole definition, including `export`, decorators and template head. */
  readonly node: Node;
  /** The node at which the definition begins, such as a documentation attribute above it, if it is not `node`. */
  readonly from?: Node;
  /** The node at which the definition ends, such as the last equation of a function, if it is not `node`. */
  readonly to?: Node;
  readonly exported: boolean;
  /** Names between the scope and this name, e.g. the receiver of a Go method. */
  readonly qualifiers?: readonly string[];
  /** Node whose children may contain more definitions; null if there is none. */
  readonly bodyNode: Node | null;
}

/** The outline rules of one language. */
export interface OutlineRules {
  /**
   * The definitions at this node; null if there is none. For a node that only adds a scope, `enter` is that scope, and
   * `node` is the node whose children are in it. `type`: the type of `node`, passed along because reading it again
   * costs a call into the parser.
   */
  readDefinitions(
    node: Node,
    scope: OutlineScope,
    type: string,
    above: AncestorNode | null,
  ): readonly Definition[] | { readonly enter: OutlineScope; readonly node: Node } | null;
  /** Types of nodes that are searched for definitions although they define nothing themselves. */
  readonly containers: ReadonlySet<string>;
  /**
   * Containers in which every definition contains one of the markers, such as the brace of a function body. Parts
   * without a marker are skipped, which saves calls into the parser.
   */
  readonly bodies?: { readonly nodeTypes: ReadonlySet<string>; readonly markers: readonly string[] };
  /** True if top-level definitions are visible from outside unless they are marked otherwise. */
  readonly exportedByDefault?: boolean;
  /** Definitions that a statement of this body hides, by name or by start index. Called once per body. */
  findHidden?(body: Node): ReadonlySet<number | string> | null;
  /** Names of definitions that another statement of the file exports, such as `export { a }`. */
  exportedNames?(text: string): { has(path: string): boolean };
}

/**
 * Minimum number of lines of a function whose inner functions are listed, because a shorter function is read as a
 * whole.
 */
const LONG_FUNCTION_LINES = 40;

/** The body of a function; null if it has none, or if the function is too short to list its inner functions. */
export function getBodyIfLong(node: Node, body: Node | null): Node | null {
  return body && isLong(node) ? body : null;
}

/** True if a function is long enough to list its inner functions. */
export function isLong(node: Node): boolean {
  return node.endPosition.row - node.startPosition.row >= LONG_FUNCTION_LINES;
}

/**
 * The node together with the wrappers of the given types around it, e.g. `export` or decorators. A body never counts as
 * a wrapper.
 */
export function includeWrappers(node: Node, types: ReadonlySet<string>, above: AncestorNode | null): Node {
  return findOutermostWrapper(types, above)?.node ?? node;
}

/** The outermost wrapper; null if there is none. */
export function findOutermostWrapper(types: ReadonlySet<string>, above: AncestorNode | null): AncestorNode | null {
  let outer: AncestorNode | null = null;
  for (let next = above; next && types.has(next.type); next = next.enclosing) outer = next;
  return outer;
}

/** True if the node has a direct child of this type and, if `text` is set, with this text. */
export function hasChild(node: Node, type: string, text?: string): boolean {
  return node.children.some(
    (child) => child !== null && child.type === type && (text === undefined || child.text === text),
  );
}
