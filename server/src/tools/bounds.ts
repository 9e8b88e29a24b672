// Limits the size of answers: agents pay for every token, and clients cut long answers in the middle.

import { condenseOutput } from '../core/verify/parse/condense/condenseOutput.ts';
import { CHARACTERS_PER_TOKEN, cutToTokens, estimateTokens, sizeOf } from '../util/tokens.ts';
import { counted } from '../util/counted.ts';

/** Maximum number of tokens of a list in one answer. The most common clients warn from 10,000 tokens on. */
export const MAX_TOKENS = 6_000;
const OMISSION_MARK = '…';

/** A part of a list. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
  /** Offset of the next page; null if this is the last one. */
  readonly nextOffset: number | null;
}

/**
 * Rows from `offset` on: at most `limit`, and at most as many as fit into `tokens`, but at least one, so that paging
 * continues.
 */
export function cutPage<T>(allRows: readonly T[], offset: number, limit: number, tokens = MAX_TOKENS): Page<T> {
  const rows: T[] = [];
  let remaining = tokens;
  for (const row of allRows.slice(offset, offset + limit)) {
    remaining -= estimateTokens(JSON.stringify(row));
    if (remaining < 0 && rows.length > 0) break;
    rows.push(row);
  }
  const nextIndex = offset + rows.length;
  return { rows, total: allRows.length, nextOffset: rows.length > 0 && nextIndex < allRows.length ? nextIndex : null };
}

/** The start of a text, about this many tokens; if a part was cut off, also its size. */
export function truncate(text: string, tokens: number): string {
  const beginning = cutToTokens(text, tokens);
  if (beginning.length === text.length) return text;
  return `${beginning}${OMISSION_MARK} (${counted(text.length - beginning.length, 'more character')})`;
}

/** The output of a command, condensed to about this many tokens: lines that name a failure are left out last. */
export function condenseToTokens(output: string, tokens: number): string {
  return condenseOutput(
    output,
    Math.floor((tokens * CHARACTERS_PER_TOKEN * output.length) / Math.max(1, sizeOf(output))),
  );
}

/** One line of plain text, for a sentence that quotes foreign text: without line breaks and invisible characters. */
export function toOneLine(text: string, characters = 200): string {
  const oneLine = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return oneLine.length <= characters
    ? oneLine
    : `${oneLine.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')}${OMISSION_MARK}`;
}

/**
 * A block of text from the repository, marked as data. The fence is longer than any in the text, so that the text
 * cannot end the block.
 */
export function toCodeBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}
