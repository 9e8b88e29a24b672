// Defines a bug pattern: code that its author certainly did not mean, whatever the types are.

import type { ts } from 'ts-morph';

/** An occurrence of a pattern. */
export interface BugPattern {
  /** Name of the pattern, which the recipe and the evidence use. */
  readonly name: string;
  /** The part of the code that is wrong. */
  readonly node: ts.Node;
  /** The same part in other words: what happens, and why it is wrong. One sentence without a capital. */
  readonly message: string;
  /** Set if an author may have meant it, so that a comment beside it is taken as the reason. */
  readonly mayBeMeant?: true;
  /** The new text of `node`, if it is certain that the author meant it. */
  readonly replacement?: string;
  /** The place with which `node` is in conflict. */
  readonly other?: { readonly node: ts.Node; readonly message: string };
}

/** Finds a pattern at a node of the kinds in `nodes`. */
export interface BugPatternFinder {
  readonly nodes: readonly ts.SyntaxKind[];
  readonly find: (node: ts.Node, sourceFile: ts.SourceFile) => BugPattern | null;
}
