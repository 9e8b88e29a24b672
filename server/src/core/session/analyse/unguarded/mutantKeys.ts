// Creates keys that identify mutants of a file across searches.

import { sha256 } from '../../../../util/hash.ts';
import type { Mutant } from '../../../verify/guard/planMutants.ts';

/** The key of a mutant: its range and a hash of its text. It stays the same as long as the file does. */
export function mutantKey({ start, end, text }: Mutant): string {
  return `${start}-${end} ${sha256(text).slice(0, 8)}`;
}

/** The keys of these mutants, by path. */
export function groupKeysByPath(mutants: Iterable<Mutant>): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>();
  for (const mutant of mutants) keys.set(mutant.path, [...(keys.get(mutant.path) ?? []), mutantKey(mutant)]);
  return keys;
}
