// Counts the tokens of a tree-sitter tree as operators and operands for Halstead's measures, in any language.

import type { TreeCursor } from 'web-tree-sitter';
import { countToken, type TokenCounts } from '../metrics/halstead.ts';

/**
 * Tokens that are not counted: closing brackets belong to the opening ones, quotes to the string between them,
 * separators are layout.
 */
const UNCOUNTED_TOKENS: ReadonlySet<string> = new Set([')', ']', '}', ',', ';', '"', "'", '`', '"""', '', '\n']);
/** Matches types of named tokens without meaning. */
const IGNORED_PATTERN = /comment|_start$|_end$|^(line_continuation|newline|indent|dedent|ERROR)$/;
/** By type of node: true if tokens of this type are not counted. */
const IGNORED_BY_TYPE = new Map<string, boolean>();

/**
 * Adds the token at `cursor`, a node without children, to `counts`. Keywords, operators and opening brackets are
 * operators; names and literals are operands.
 */
export function countTreeToken(
  counts: TokenCounts,
  cursor: TreeCursor,
  type: string,
  isNamed: boolean,
  text: string,
): void {
  if (!isNamed) {
    if (!UNCOUNTED_TOKENS.has(type)) countToken(counts.operators, type);
    return;
  }
  let isIgnored = IGNORED_BY_TYPE.get(type);
  if (isIgnored === undefined) IGNORED_BY_TYPE.set(type, (isIgnored = IGNORED_PATTERN.test(type)));
  if (!isIgnored) countToken(counts.operands, text.slice(cursor.startIndex, cursor.endIndex));
}
