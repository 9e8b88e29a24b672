// Helpers that read the imports of a file from its syntax tree.

import type { Node } from 'web-tree-sitter';

/** Returns the specifiers in the syntax tree of a file, in text order. */
export type ImportReader = (root: Node) => string[];

/** All nodes of these types below `root`. */
export function collectNodesOfType(root: Node, types: string[]): Node[] {
  return root.descendantsOfType(types).filter((node): node is Node => node !== null);
}

/** The text without its quotes. */
export function removeQuotes(text: string): string {
  return text.replaceAll(/^['"`]+|['"`]+$/g, '');
}
