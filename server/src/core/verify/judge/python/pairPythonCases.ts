// Pairs the Python tests before a change with those after it.

import type { PythonCase } from '../frame/pythonFrame.ts';
import { computeSimilarity, MIN_SIMILARITY } from '../pairCases.ts';

type Paired = Pick<PythonCase, 'name' | 'body'> & Partial<Pick<PythonCase, 'statements'>>;

/** Pairs tests by their name, by an equal body, or by equal statements without decorators and what skips them. */
export function pairEqualCases<T extends Paired>(before: readonly T[], after: readonly T[]): ReadonlyMap<T, T> {
  const pairs = new Map<T, T>();
  const free = new Set(after);
  const bodyOf = ({ name, body }: T) => body.replace(name.split(' › ').at(-1)!, '');
  for (const fits of [
    (old: T, current: T) => old.name === current.name,
    (old: T, current: T) => bodyOf(old) === bodyOf(current),
    (old: T, current: T) => Boolean(old.statements) && old.statements === current.statements,
  ])
    for (const old of before) {
      const current = pairs.has(old) ? undefined : [...free].find((candidate) => fits(old, candidate));
      if (!current) continue;
      pairs.set(old, current);
      free.delete(current);
    }
  return pairs;
}

/** Pairs tests that were renamed or moved, and changed at the same time, by similar statements: most similar first. */
export function pairSimilarCases<T extends Paired>(before: readonly T[], after: readonly T[]): ReadonlyMap<T, T> {
  const pairs = new Map<T, T>();
  const free = new Set(after);
  const alike = before
    .flatMap((old) =>
      after.map((current) => ({
        ...{ old, current },
        similarity: computeSimilarity(old.statements ?? '', current.statements ?? ''),
      })),
    )
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity);
  for (const { old, current } of alike) {
    if (pairs.has(old) || !free.has(current)) continue;
    pairs.set(old, current);
    free.delete(current);
  }
  return pairs;
}
