// Limits the size of answers to agents: agents pay for every token, and their clients cut long answers in the middle.

import { condenseOutput } from '../core/verify/parse/condense/condenseOutput.ts';
import { CHARACTERS_PER_TOKEN, cutToTokens, estimateTokens, sizeOf } from '../util/tokens.ts';
import { formatCount } from '../util/counted.ts';

/**
 * Maximum number of tokens of a list in one answer. It leaves room for other parts of the answer, because the most
 * common clients warn from 10,000 tokens on.
 */
export const MAX_LIST_TOKENS = 6_000;
const OMISSION_MARK = '…';

/** A part of a list. */
export interface Page<T> {
  readonly rows: readonly T[];
  /** Number of rows of the complete list. */
  readonly total: number;
  /** Offset of the next page; null if this is the last one. */
  readonly nextOffset: number | null;
}

/**
 * The rows from `offset` on: at most `limit`, and no more than fit into `tokens`. At least one row is returned if there
 * is one, so that paging continues.
 */
export function cutPage<T>(allRows: readonly T[], offset: number, limit: number, tokens = MAX_LIST_TOKENS): Page<T> {
  const rows: T[] = [];
  let remainingTokens = tokens;
  for (const row of allRows.slice(offset, offset + limit)) {
    remainingTokens -= estimateTokens(JSON.stringify(row));
    if (remainingTokens < 0 && rows.length > 0) break;
    rows.push(row);
  }
  const nextIndex = offset + rows.length;
  return { rows, total: allRows.length, nextOffset: rows.length > 0 && nextIndex < allRows.length ? nextIndex : null };
}

/**
 * The start of a text, about this many tokens long; if a part was cut off, the result ends with the size of that part.
 */
export function truncate(text: string, tokens: number): string {
  const beginning = cutToTokens(text, tokens);
  if (beginning.length === text.length) return text;
  return `${beginning}${OMISSION_MARK} (${formatCount(text.length - beginning.length, 'more character')})`;
}

/** The output of a command, condensed to about this many tokens. Lines that name a failure are omitted last. */
export function condenseToTokens(output: string, tokens: number): string {
  return condenseOutput(
    output,
    Math.floor((tokens * CHARACTERS_PER_TOKEN * output.length) / Math.max(1, sizeOf(output))),
  );
}

/**
 * The text as one line, without control characters and invisible characters, for a sentence that quotes foreign text.
 */
export function toOneLine(text: string, characters = 200): string {
  const oneLine = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return oneLine.length <= characters
    ? oneLine
    : `${oneLine.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')}${OMISSION_MARK}`;
}

/**
 * A code block that marks text from the repository as data. Its fence is longer than any run of backticks in the text,
 * so that the text cannot end the block.
 */
export function toCodeBlock(text: string): string {
  const longestRun = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longestRun + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}
