// Makes inputs out of the calls that tests make: each as it is, and with one argument replaced.

import type { Example } from '../../../core/verify/counterexamples/plan.ts';
import type { ValueSpec } from '../messages.ts';

const MOST = 160;

/**
 * The examples, then each with an argument of another one, then each with one of the values in `made`. Tests that
 * notice nothing of a mistake are often one argument away from a call that shows it.
 */
export function aroundExamples(
  examples: readonly (readonly Example[])[],
  made: readonly (readonly ValueSpec[])[],
): readonly (readonly ValueSpec[])[] {
  const crossed = examples.flatMap((one) =>
    examples.flatMap((other) => other.flatMap((value, at) => replaced(one, at, value))),
  );
  const changed = made.flatMap((given, turn) => {
    const one = examples[turn % examples.length];
    return one === undefined ? [] : given.flatMap((value, at) => replaced(one, at, value));
  });
  const half = MOST / 2;
  return [...examples, ...crossed.slice(0, half), ...changed.slice(0, half)];
}

function replaced(one: readonly ValueSpec[], at: number, value: ValueSpec): readonly (readonly ValueSpec[])[] {
  if (at > one.length || value === one[at]) return [];
  return [at === one.length ? [...one, value] : one.with(at, value)];
}

/** True if one of the values is a negative number, or holds one. */
export function hasNegative(values: readonly ValueSpec[]): boolean {
  return leavesOf(values).some((leaf) => typeof leaf === 'number' && leaf < 0);
}

/** What a strange argument costs if the tests show what is passed there, and what a strange text costs otherwise. */
const [STRANGE_ARGUMENT, STRANGE_TEXT] = [40, 8];

/**
 * What it costs a reader that these arguments are unlike those of the tests, or, without examples, that their texts are
 * not familiar.
 */
export function strangeness(
  values: readonly ValueSpec[],
  examples: readonly (readonly Example[])[],
  familiar: ReadonlySet<string | number>,
): number {
  if (examples.length === 0)
    return STRANGE_TEXT * leavesOf(values).filter((leaf) => typeof leaf === 'string' && !familiar.has(leaf)).length;
  const known = (value: ValueSpec, at: number) =>
    examples.some((one) => at < one.length && JSON.stringify(one[at]) === JSON.stringify(value));
  const isPlain = (value: ValueSpec) => typeof value === 'boolean' || value === undefined || typeof value === 'bigint';
  return STRANGE_ARGUMENT * values.filter((value, at) => !isPlain(value) && !known(value, at)).length;
}

/** The texts and numbers in these values. */
export function scalarsIn(values: readonly ValueSpec[]): readonly (string | number)[] {
  return leavesOf(values).filter((leaf) => typeof leaf === 'string' || typeof leaf === 'number');
}

function leavesOf(values: readonly ValueSpec[]): readonly ValueSpec[] {
  return values.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return [value];
    if (value.$ === 'record') return leavesOf(value.fields.map(([, of]) => of));
    return value.$ === 'array' || value.$ === 'set' ? leavesOf(value.of) : [];
  });
}
