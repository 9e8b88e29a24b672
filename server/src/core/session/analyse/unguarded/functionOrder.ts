// Decides in which order functions are called and their mutants are tried, so that a short time goes to the most
// promising functions, and no function takes the time of all others.

import type { SearchPlan } from '../../../verify/counterexamples/plan.ts';

type Subject = SearchPlan['subjects'][number];

/** By function: the mutants that calls of it are known to show. */
export type ShownBy = ReadonlyMap<Subject, readonly number[]>;

/**
 * Functions that tests call with plain arguments come first, objects that take several steps come last. Functions of
 * equal rank keep their order.
 */
export function sortPromisingFirst<T extends Pick<Subject, 'examples' | 'used'>>(subjects: readonly T[]): readonly T[] {
  const rankOf = ({ examples, used }: T) => (used ? 2 : examples.length > 0 ? 0 : 1);
  return subjects.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/**
 * Orders these mutants in turns: one of each function, then the next one of each, and so on. A mutant belongs to the
 * first function whose calls show it; those of no function come last.
 */
export function sortInTurns(mutants: readonly number[], shownBy: ShownBy): readonly number[] {
  const openMutants = new Set(mutants);
  const queues = [...shownBy.values()].map((shown) => shown.filter((mutant) => openMutants.delete(mutant)));
  const maxLength = Math.max(0, ...queues.map(({ length }) => length));
  const turns = Array.from({ length: maxLength }, (_, turn) => queues.flatMap((queue) => queue[turn] ?? []));
  return [...turns.flat(), ...openMutants];
}
