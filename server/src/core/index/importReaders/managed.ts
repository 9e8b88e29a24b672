// What files of C# use: namespaces and types by their full names.

import type { Node } from 'web-tree-sitter';
import { nodes } from './nodes.ts';

/** `using X = A.B` and `using static A.B` read as `A.B`. */
export function csharpImports(root: Node): string[] {
  return nodes(root, ['using_directive']).map((node) => (node.namedChildren.findLast((child) => child !== null && child.type !== 'comment')?.text ?? '').replace(/^global::/, '').replaceAll(/<[\s\S]*$|\s/g, ''));
}
