// Computes penalties for kinds of files that a query rarely means (tests, generated files and others), unless the query
// asks for such files.

import { GENERATED_PENALTY, pathPenalties, TYPES_PENALTY } from './weights.ts';
import type { FileRecord } from '../../ports/catalogue.ts';

/**
 * The penalties of a file as bits: one for each row of `pathPenalties` that matches its path, and one more for
 * generated files.
 */
export function computePenalties({ path, generated }: Pick<FileRecord, 'path' | 'generated'>): number {
  return pathPenalties.reduce(
    (bits, { matches }, row) => (matches(path) ? bits | (1 << row) : bits),
    generated ? 1 << pathPenalties.length : 0,
  );
}

/** The bits without the one for generated files, for a file that belongs to the product after all. */
export function clearGeneratedBit(bits: number): number {
  return bits & ~(1 << pathPenalties.length);
}

/** Returns a function that computes the factor for the scores of a file's chunks from the bits of the file. */
export function createPenaltyFactor(terms: readonly string[]): (bits: number) => number {
  const factors = [
    ...pathPenalties.map(({ factor, unless }) => (unless.some((word) => terms.includes(word)) ? 1 : factor)),
    GENERATED_PENALTY,
  ];
  const cache = new Map<number, number>();
  return (bits) => {
    let factor = cache.get(bits);
    if (factor === undefined)
      cache.set(
        bits,
        (factor = factors.reduce((product, row, index) => (bits & (1 << index) ? product * row : product), 1)),
      );
    return factor;
  };
}

/** Factor for the scores of a file, by the share of type declarations in it. */
export function computeTypesFactor({ symbols }: Pick<FileRecord, 'symbols'>): number {
  if (symbols.length === 0) return 1;
  return (
    1 - (TYPES_PENALTY * symbols.filter(({ kind }) => kind === 'interface' || kind === 'type').length) / symbols.length
  );
}
