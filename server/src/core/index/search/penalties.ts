// Penalties for kinds of files, unless the question asks for them.
import { GENERATED_PENALTY, pathPenalties, TYPES_PENALTY } from './weights.ts';
import type { FileRecord } from '../../ports/catalogue.ts';

/** Bits say which rows of `pathPenalties` a path matches; one more bit is for generated files. */
export function penaltiesOf({ path, generated }: Pick<FileRecord, 'path' | 'generated'>): number {
  return pathPenalties.reduce(
    (bits, { fits }, row) => (fits(path) ? bits | (1 << row) : bits),
    generated ? 1 << pathPenalties.length : 0,
  );
}

/** The same for a file that only seemed to be somebody else's. */
export function withoutGenerated(bits: number): number {
  return bits & ~(1 << pathPenalties.length);
}

/** By such bits: the factor for the scores of the file's chunks. */
export function penaltyFactors(terms: readonly string[]): (bits: number) => number {
  const factors = [
    ...pathPenalties.map(({ factor, unless }) => (unless.some((word) => terms.includes(word)) ? 1 : factor)),
    GENERATED_PENALTY,
  ];
  const known = new Map<number, number>();
  return (bits) => {
    let factor = known.get(bits);
    if (factor === undefined)
      known.set(bits, (factor = factors.reduce((product, row, at) => (bits & (1 << at) ? product * row : product), 1)));
    return factor;
  };
}

/** Factor for the scores of a file by how much of it is declarations of types. */
export function typesFactor({ symbols }: Pick<FileRecord, 'symbols'>): number {
  if (symbols.length === 0) return 1;
  return (
    1 - (TYPES_PENALTY * symbols.filter(({ kind }) => kind === 'interface' || kind === 'type').length) / symbols.length
  );
}
