// An instance of duplicate code: a fragment of a file, extended to whole lines.

import { GUARANTEED_TOKENS } from '../../analysis/duplicates/fingerprints.ts';
import type { Tokens } from '../../analysis/duplicates/lexer.ts';
import type { Fragment } from '../../analysis/duplicates/matches.ts';
import { isSharableCode, trimFragment, type TrimmedFragment } from '../../analysis/duplicates/trim.ts';

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
  const trimmedFragment = tokensOfFile && trimFragment(tokensOfFile, from, to);
  if (
    !tokensOfFile ||
    !trimmedFragment ||
    trimmedFragment.codeLines < MIN_LINES ||
    2 * trimmedFragment.codeLines < trimmedFragment.endLine - trimmedFragment.startLine + 1 ||
    trimmedFragment.to - trimmedFragment.from < MIN_TOKENS ||
    !isSharableCode(tokensOfFile, trimmedFragment)
  )
    return null;
  let hash = 0;
  for (let index = trimmedFragment.from; index < trimmedFragment.to; index++)
    hash = (Math.imul(hash, 31) + tokensOfFile.hashes[index]!) | 0;
  return { ...trimmedFragment, path, hash: (hash >>> 0).toString(36) };
}
