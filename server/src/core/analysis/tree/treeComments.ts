// Finds the comments of a file that tree-sitter parses, by offset.

import type { Node } from 'web-tree-sitter';
import type { Comment, Comments } from '../suppressionComments.ts';

const COMMENT = /comment|^haddock$/;
/** Nodes before the first code: `<?php`, `#!/bin/sh`. */
const PREAMBLE = /^(php_tag|shebang|hash_bang_line|shebang_line)$/;

/** The start of the code, and a lookup of the comment at an offset. */
export function findTreeComments(root: Node): Comments {
  const code = root.children.find((child) => child && !COMMENT.test(child.type) && !PREAMBLE.test(child.type));
  return { codeStart: code?.startIndex ?? Infinity, at: (offset) => commentAt(root, offset) };
}

/** The outermost comment node: grammars have separate nodes for documentation comments inside it. */
function commentAt(root: Node, offset: number): Comment | null {
  let comment: Comment | null = null;
  for (let node = root.descendantForIndex(offset); node; node = node.parent)
    if (COMMENT.test(node.type)) comment = { start: node.startIndex, end: node.endIndex };
  return comment;
}
