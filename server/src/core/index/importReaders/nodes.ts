// Small helpers that the import readers share.

import type { Node } from 'web-tree-sitter';

export type ImportReader = (root: Node) => string[];

export function nodes(root: Node, types: string[]): Node[] {
  return root.descendantsOfType(types).filter((node): node is Node => node !== null);
}

export function unquoted(text: string): string {
  return text.replaceAll(/^['"`]+|['"`]+$/g, '');
}
