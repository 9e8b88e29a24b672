// What a language tells the outline: which nodes define something, and which may hold definitions.

import type { Node } from 'web-tree-sitter';
import type { SymbolInfo } from '../../model.ts';

/** Where the walk stands. */
export interface Scope {
  /** Enclosing names, outermost first. */
  readonly names: readonly string[];
  /** Kind of the innermost definition around, or null at the top. */
  readonly kind: SymbolInfo['kind'] | null;
  /** Inside the body of a function, named or not. */
  readonly inFunction: boolean;
  /** Whether everything around is visible from outside. */
  readonly exported: boolean;
  /** What `hiddenIn` says of the body around. */
  readonly hidden?: ReadonlySet<number | string> | null;
}

/**
 * The nodes between the walk and the body of the definition around it. Asking a node for its parent would cost a
 * descent from the root.
 */
export interface Above {
  readonly node: Node;
  readonly type: string;
  readonly above: Above | null;
}

export interface Definition {
  readonly kind: SymbolInfo['kind'];
  readonly name: string;
  readonly nameNode: Node;
  /** The whole definition, `export`, decorators and template head included. */
  readonly node: Node;
  /** Where the definition begins or ends when that is not in `node`, e.g. at the documentation attribute above it. */
  readonly from?: Node;
  readonly to?: Node;
  readonly exported: boolean;
  /** Names between the scope and this one, e.g. the receiver of a Go method. */
  readonly qualifiers?: readonly string[];
  /** Node whose children may define more, or null. */
  readonly inside: Node | null;
}

export interface OutlineRules {
  /**
   * Definitions that this node is, or null when it is none. A scope-only node gives `enter`. `type`: that of the node,
   * as each look at it crosses into the parser.
   */
  define(
    node: Node,
    scope: Scope,
    type: string,
    above: Above | null,
  ): readonly Definition[] | { readonly enter: Scope; readonly node: Node } | null;
  /** Node types that are looked into when they define nothing themselves. */
  readonly containers: ReadonlySet<string>;
  /**
   * Containers in which nothing is defined but by what holds one of the signs, such as the brace of a function's body:
   * the rest need not be looked at, and each look crosses into the parser.
   */
  readonly bodies?: { readonly within: ReadonlySet<string>; readonly signs: readonly string[] };
  /** What is visible at the top unless it says otherwise. */
  readonly exportedByDefault?: boolean;
  /** Definitions that a statement of this body hides, by name or by start index; read once for each body. */
  hiddenIn?(body: Node): ReadonlySet<number | string> | null;
  /** Name of a function that is defined elsewhere in the file but made visible by a statement like `export { a }`. */
  exportedNames?(text: string): { has(path: string): boolean };
}

/** Functions shorter than this hide their inner functions: they are read as a whole. */
const LONG_FUNCTION_LINES = 40;

/** The body of a function when it is long enough to look into. */
export function bodyOfLong(node: Node, body: Node | null): Node | null {
  return body && isLong(node) ? body : null;
}

/** Whether a function is long enough to look into. */
export function isLong(node: Node): boolean {
  return node.endPosition.row - node.startPosition.row >= LONG_FUNCTION_LINES;
}

/**
 * The node together with the wrappers of the given types around it, e.g. `export` or decorators. No body is such a
 * wrapper.
 */
export function withWrapper(node: Node, types: ReadonlySet<string>, above: Above | null): Node {
  return wrapping(types, above)?.node ?? node;
}

/** The outermost of the wrappers, or null without one. */
export function wrapping(types: ReadonlySet<string>, above: Above | null): Above | null {
  let outer: Above | null = null;
  for (let next = above; next && types.has(next.type); next = next.above) outer = next;
  return outer;
}

export function hasChild(node: Node, type: string, text?: string): boolean {
  return node.children.some(
    (child) => child !== null && child.type === type && (text === undefined || child.text === text),
  );
}
