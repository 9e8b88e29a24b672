// An instance of duplicate code: a fragment of a file, extended to whole lines.

import { GUARANTEED_TOKENS } from '../../analysis/duplicates/fingerprints.ts';
import type { Tokens } from '../../analysis/duplicates/lexer.ts';
import type { Fragment } from '../../analysis/duplicates/matches.ts';
import { isCode, trimFragment, type TrimmedFragment } from '../../analysis/duplicates/trim.ts';

/** Minimum number of lines of code. This is the published default of qlty; jscpd and SonarQube begin at 10 lines. */
export const MIN_LINES = 15;

/** Minimum number of tokens. Equal code of this length is certainly found. */
export const MIN_TOKENS = GUARANTEED_TOKENS;

/** A fragment in whole lines, with a hash of its tokens. */
export interface Instance extends TrimmedFragment {
  readonly path: string;
  readonly hash: string;
}

/**
 * The fragment extended to whole lines; null if it is too short, not code, or mostly documentation.
 */
export async function createInstance(
  { path, from, to }: Fragment,
  readTokens: (path: string) => Promise<Tokens | null>,
): Promise<Instance | null> {
  const tokensOfFile = await readTokens(path);
  const trimmed = tokensOfFile && trimFragment(tokensOfFile, from, to);
  if (
    !tokensOfFile ||
    !trimmed ||
    trimmed.codeLines < MIN_LINES ||
    2 * trimmed.codeLines < trimmed.endLine - trimmed.startLine + 1 ||
    trimmed.to - trimmed.from < MIN_TOKENS ||
    !isCode(tokensOfFile, trimmed)
  )
    return null;
  let hash = 0;
  for (let index = trimmed.from; index < trimmed.to; index++)
    hash = (Math.imul(hash, 31) + tokensOfFile.hashes[index]!) | 0;
  return { ...trimmed, path, hash: (hash >>> 0).toString(36) };
}
