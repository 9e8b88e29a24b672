// Finds fragments of equal tokens. Equal fingerprints give candidates; comparing the tokens decides.

import { GRAM_LENGTH, decodeFingerprints } from './fingerprints.ts';
import type { Tokens } from './lexer.ts';

/** A file with its fingerprints in the form of `encodeFingerprints`. */
export interface FingerprintedFile {
  readonly path: string;
  readonly prints: string;
}

/** Tokens `from` to `to` (exclusive) of a file. */
export interface Fragment {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** Two fragments of equal tokens. */
export interface Match {
  readonly a: Fragment;
  readonly b: Fragment;
}

/**
 * Number of bits of a fingerprint's index. Index and hash share one number, so there are at most two million
 * fingerprints (about 300 MB of source).
 */
const INDEX_BITS = 21;
const INDEX_SIZE = 2 ** INDEX_BITS;
/**
 * Maximum number of places of a fingerprint. A fingerprint with more is a common phrase of a language or framework, and
 * is ignored.
 */
const MAX_PLACES = 60;

/** Two places with an equal fingerprint, by file index and token index. */
interface EqualPlaces {
  readonly a: number;
  readonly b: number;
  readonly tokenA: number;
  readonly tokenB: number;
}

/**
 * Maximal matches of at least `minTokens` tokens. Only neighbouring places of one fingerprint are compared, so the cost
 * grows with the number of fingerprints; `groupMatches` joins the matches. `readTokens` reads the tokens of a file, and
 * returns null if the file has changed. Throws the reason of `signal` if it is aborted.
 */
export async function findMatches(
  files: readonly FingerprintedFile[],
  minTokens: number,
  readTokens: (path: string) => Promise<Tokens | null>,
  signal: AbortSignal,
): Promise<readonly Match[]> {
  const matches: Match[] = [];
  const examinedEndByDiagonal = new Map<string, number>();
  for (const { a, b, tokenA, tokenB } of findCandidates(files)) {
    // Candidates of one diagonal (two files, one distance between the places) inside a match would give the same match.
    const diagonal = `${a} ${b} ${tokenB - tokenA}`;
    if ((examinedEndByDiagonal.get(diagonal) ?? -1) >= tokenA) continue;
    signal.throwIfAborted();
    const tokensOfA = await readTokens(files[a]!.path);
    const tokensOfB = a === b ? tokensOfA : await readTokens(files[b]!.path);
    if (!tokensOfA || !tokensOfB) continue;
    const match = extendMatch(tokensOfA, tokensOfB, tokenA, tokenB, a === b);
    examinedEndByDiagonal.set(diagonal, match === null ? tokenA : match.from + match.length);
    if (match === null || match.length < minTokens) continue;
    const shift = tokenB - tokenA;
    matches.push({
      a: { path: files[a]!.path, from: match.from, to: match.from + match.length },
      b: { path: files[b]!.path, from: match.from + shift, to: match.from + shift + match.length },
    });
  }
  return matches;
}

/** Neighbouring places with an equal fingerprint, sorted by file and position, so that each text is read once. */
function findCandidates(files: readonly FingerprintedFile[]): EqualPlaces[] {
  const fileIndices: number[] = [];
  const tokenIndices: number[] = [];
  const hashValues: number[] = [];
  for (const [file, { prints }] of files.entries()) {
    const { hashes, tokens } = decodeFingerprints(prints);
    for (let index = 0; index < hashes.length && fileIndices.length < INDEX_SIZE; index++) {
      fileIndices.push(file);
      tokenIndices.push(tokens[index]!);
      hashValues.push(hashes[index]!);
    }
  }
  const keys = new Float64Array(hashValues.length);
  for (let index = 0; index < keys.length; index++) keys[index] = hashValues[index]! * INDEX_SIZE + index;
  keys.sort();
  const candidates: EqualPlaces[] = [];
  for (let start = 0; start < keys.length; ) {
    const hash = Math.floor(keys[start]! / INDEX_SIZE);
    let end = start + 1;
    while (end < keys.length && Math.floor(keys[end]! / INDEX_SIZE) === hash) end++;
    if (end - start > 1 && end - start <= MAX_PLACES) {
      for (let index = start + 1; index < end; index++) {
        const a = keys[index - 1]! % INDEX_SIZE;
        const b = keys[index]! % INDEX_SIZE;
        candidates.push({ a: fileIndices[a]!, b: fileIndices[b]!, tokenA: tokenIndices[a]!, tokenB: tokenIndices[b]! });
      }
    }
    start = end;
  }
  return candidates.sort((x, y) => x.a - y.a || x.b - y.b || x.tokenA - y.tokenA || x.tokenB - y.tokenB);
}

/**
 * The maximal equal fragment around a common gram; null if only the hashes were equal, or if the two places are too
 * close together. Fragments within one file do not overlap.
 */
function extendMatch(
  left: Tokens,
  right: Tokens,
  tokenA: number,
  tokenB: number,
  isSameFile: boolean,
): { readonly from: number; readonly length: number } | null {
  const [a, b] = [left.hashes, right.hashes];
  const maxLength = isSameFile ? tokenB - tokenA : Infinity;
  for (let step = 0; step < GRAM_LENGTH; step++)
    if (a[tokenA + step] === undefined || a[tokenA + step] !== b[tokenB + step]) return null;
  if (maxLength < GRAM_LENGTH) return null;
  let to = tokenA + GRAM_LENGTH;
  let from = tokenA;
  while (to < a.length && to + tokenB - tokenA < b.length && to - from < maxLength && a[to] === b[to + tokenB - tokenA])
    to++;
  while (
    from > 0 &&
    from + tokenB - tokenA > 0 &&
    to - from < maxLength &&
    a[from - 1] === b[from - 1 + tokenB - tokenA]
  )
    from--;
  return { from, length: to - from };
}
