// A syntax tree that is read where it is asked, from a parser that is a program of its own: what there is to know of it here.

/**
 * A node by oxc's names (those of its Rust types: `StaticMemberExpression`, `BindingIdentifier`). Asked for twice, it is the same
 * object. Offsets are of UTF-16, as ours. What it holds is as its type says; there are no types of the library's for it.
 */
export type LazyNode = { readonly type: string; readonly start: number; readonly end: number } & { readonly [field: string]: any };

/** By type of node, `TYPE:exit` when it is left. Between nodes that are met, the rest of the tree is passed by without being read. */
export type LazyHandlers = { readonly [type: string]: (node: LazyNode) => void };

/** Handlers that the parser has sorted. */
export type LazyVisitor = { readonly brand: 'visitor' };

export interface LazyTree {
  readonly program: LazyNode;
  visit(visitor: LazyVisitor): void;
}

export interface LazyParser {
  visitor(handlers: LazyHandlers): LazyVisitor;
  /**
   * What `read` makes of the tree, which is gone afterwards. Null where the parser finds anything wrong with the text.
   * `commonJs`: a `return` may stand outside of functions.
   */
  parse<T>(text: string, dialect: 'ts' | 'tsx' | 'dts' | 'jsx', commonJs: boolean, read: (tree: LazyTree) => T): T | null;
}
