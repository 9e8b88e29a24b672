// Types of bug patterns. A bug pattern is code that its author did not intend, whatever the types of its values are.

import type { ts } from 'ts-morph';

/** An occurrence of a pattern. */
export interface BugPatternMatch {
  /** Name of the pattern, which the recipe and the evidence use. */
  readonly name: string;
  /** The part of the code that is wrong. */
  readonly node: ts.Node;
  /** The explanation of what happens and why it is wrong: one clause without a capital or full stop. */
  readonly message: string;
  /** Set if the code may be intended; then a comment beside it suppresses the finding. */
  readonly mayBeIntended?: true;
  /** The new text of `node`, if the intended code is certain. */
  readonly replacement?: string;
  /** The place with which `node` is in conflict, and the message about it. */
  readonly conflicting?: { readonly node: ts.Node; readonly message: string };
}

/** Finds patterns at nodes of certain kinds. `find` returns null if there is no pattern at the node. */
export interface BugPatternFinder {
  readonly nodeKinds: readonly ts.SyntaxKind[];
  readonly find: (node: ts.Node, sourceFile: ts.SourceFile) => BugPatternMatch | null;
}
