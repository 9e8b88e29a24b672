// Computes the form of a fragment of code (its tokens without names and values), and the similarity of two forms.

import { NAME_KIND, NUMBER_KIND, TEXT_KIND, tokenize, type Tokens } from './lexer.ts';

/** The form of a fragment of code. */
export interface Form {
  /** Hashes of all distinct runs of `SHINGLE_LENGTH` tokens, without names and values. */
  readonly shingles: ReadonlySet<number>;
  /** Hashes of all distinct names. */
  readonly names: ReadonlySet<number>;
  /**
   * The smallest hash under each of `SKETCH_LENGTH` functions. The share of equal entries estimates the similarity of
   * the shingles (A. Broder, "On the resemblance and containment of documents", 1997).
   */
  readonly sketch: Uint32Array;
}

/** Number of tokens of a shingle. */
const SHINGLE_LENGTH = 5;
/** Number of entries of a sketch. */
const SKETCH_LENGTH = 32;
/**
 * Number of rows of the sketch in one band. Of pairs with a similarity of 0.8, 98 % are equal in at least one of the
 * eight bands.
 */
const ROWS_PER_BAND = 4;
/** Hashes of keywords of many languages. Keywords stay in the form; other names are replaced by their kind. */
const KEYWORDS = new Set(
  tokenize(
    'if else for while do switch case return throw try catch finally new await async yield function class const let var def elif except raise with lambda fn match loop func go defer select in of not and or is null undefined None nil true false True False this self super break continue',
    'javascript',
  ).hashes,
);

/** The form of the tokens from `from` (inclusive) to `to` (exclusive). */
export function computeForm({ hashes, kinds }: Tokens, from: number, to: number): Form {
  const normalisedTokens: number[] = [];
  const names = new Set<number>();
  for (let tokenIndex = from; tokenIndex < to; tokenIndex++) {
    const kind = kinds[tokenIndex]!;
    const isKeyword = kind === NAME_KIND && KEYWORDS.has(hashes[tokenIndex]!);
    if (kind === NAME_KIND && !isKeyword) names.add(hashes[tokenIndex]!);
    normalisedTokens.push(
      isKeyword
        ? hashes[tokenIndex]!
        : kind === NAME_KIND || kind === NUMBER_KIND || kind === TEXT_KIND
          ? kind
          : hashes[tokenIndex]!,
    );
  }
  const shingles = new Set<number>();
  for (let index = 0; index + SHINGLE_LENGTH <= normalisedTokens.length; index++) {
    let value = 0;
    for (let step = 0; step < SHINGLE_LENGTH; step++)
      value = Math.imul(value ^ normalisedTokens[index + step]!, 0x01000193) ^ (value >>> 15);
    shingles.add(value >>> 0);
  }
  const sketch = new Uint32Array(SKETCH_LENGTH).fill(0xffffffff);
  for (const shingle of shingles) {
    for (let row = 0; row < SKETCH_LENGTH; row++) {
      let value = Math.imul(shingle ^ Math.imul(row + 1, 0x9e3779b1), 0x85ebca6b);
      value = (value ^ (value >>> 13)) >>> 0;
      if (value < sketch[row]!) sketch[row] = value;
    }
  }
  return { shingles, names, sketch };
}

/** Pairs of indices of forms that may be similar, each once. A band that more than `maxMembers` forms share is ignored. */
export function findCandidatePairs(forms: readonly Form[], maxMembers: number): readonly (readonly [number, number])[] {
  const pairs = new Map<string, readonly [number, number]>();
  for (let band = 0; band < SKETCH_LENGTH; band += ROWS_PER_BAND) {
    const indicesByKey = new Map<string, number[]>();
    for (const [index, { sketch }] of forms.entries()) {
      const key = sketch.subarray(band, band + ROWS_PER_BAND).join(' ');
      indicesByKey.set(key, [...(indicesByKey.get(key) ?? []), index]);
    }
    for (const members of indicesByKey.values()) {
      if (members.length > maxMembers) continue;
      for (const [index, a] of members.entries())
        for (const b of members.slice(index + 1)) pairs.set(`${a} ${b}`, [a, b]);
    }
  }
  return [...pairs.values()];
}

/** Size of the intersection divided by the size of the union, from 0 to 1; 0 for two empty sets. */
export function computeJaccardSimilarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const [smaller, larger] = a.size < b.size ? [a, b] : [b, a];
  let sharedCount = 0;
  for (const item of smaller) if (larger.has(item)) sharedCount++;
  return sharedCount === 0 ? 0 : sharedCount / (a.size + b.size - sharedCount);
}
