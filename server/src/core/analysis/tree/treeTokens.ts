// Which tokens of a tree-sitter tree Halstead's measures count as operators and operands, in any language.

import type { TreeCursor } from 'web-tree-sitter';
import { countToken, type TokenCounts } from '../metrics/halstead.ts';

/**
 * Not counted: closing brackets belong to the opening ones, quotes to the string between them, separators are layout.
 */
const NO_TOKENS: ReadonlySet<string> = new Set([')', ']', '}', ',', ';', '"', "'", '`', '"""', '', '\n']);
/** Named tokens without meaning. */
const SILENT = /comment|_start$|_end$|^(line_continuation|newline|indent|dedent|ERROR)$/;
const SILENT_TYPES = new Map<string, boolean>();

/**
 * Keywords, operators and opening brackets are operators; names and literals are operands. `at` is at a node without
 * children.
 */
export function countTreeToken(counts: TokenCounts, at: TreeCursor, type: string, named: boolean, text: string): void {
  if (!named) {
    if (!NO_TOKENS.has(type)) countToken(counts.operators, type);
    return;
  }
  let ignored = SILENT_TYPES.get(type);
  if (ignored === undefined) SILENT_TYPES.set(type, (ignored = SILENT.test(type)));
  if (!ignored) countToken(counts.operands, text.slice(at.startIndex, at.endIndex));
}
