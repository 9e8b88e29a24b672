// Finds the comments of a file that tree-sitter parses, by offset.

import type { Node } from 'web-tree-sitter';
import type { CommentSpan, Comments } from '../suppressionComments.ts';

const COMMENT_PATTERN = /comment|^haddock$/;
/** Matches types of nodes before the first code: `<?php`, `#!/bin/sh`. */
const PREAMBLE_PATTERN = /^(php_tag|shebang|hash_bang_line|shebang_line)$/;

/** The start of the code (`Infinity` if there is none), and a function that finds the comment at an offset. */
export function findTreeComments(root: Node): Comments {
  const code = root.children.find(
    (child) => child && !COMMENT_PATTERN.test(child.type) && !PREAMBLE_PATTERN.test(child.type),
  );
  return { codeStart: code?.startIndex ?? Infinity, commentAround: (offset) => findCommentAt(root, offset) };
}

/**
 * The outermost comment node around an offset, because some grammars have separate nodes for documentation inside a
 * comment; null if there is none.
 */
function findCommentAt(root: Node, offset: number): CommentSpan | null {
  let comment: CommentSpan | null = null;
  for (let node = root.descendantForIndex(offset); node; node = node.parent)
    if (COMMENT_PATTERN.test(node.type)) comment = { start: node.startIndex, end: node.endIndex };
  return comment;
}
