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

/**
 * What a strange argument costs if the tests show what is passed there, what one costs that is made of their words, and
 * what a strange text costs otherwise.
 */
const [STRANGE_ARGUMENT, KINDRED_ARGUMENT, STRANGE_TEXT] = [40, 12, 8];
/** What nothing costs as an argument: an empty text or list. Few maintainers want a test of it. */
const EMPTY_ARGUMENT = 60;

/**
 * What it costs a reader that these arguments are unlike those of the tests, or, without examples, that their texts are
 * not familiar.
 */
export function strangeness(
  values: readonly ValueSpec[],
  examples: readonly (readonly Example[])[],
  familiar: ReadonlySet<string | number>,
): number {
  const empty = EMPTY_ARGUMENT * values.filter(isEmpty).length;
  if (examples.length === 0)
    return (
      empty + STRANGE_TEXT * leavesOf(values).filter((leaf) => typeof leaf === 'string' && !familiar.has(leaf)).length
    );
  const known = (value: ValueSpec, at: number) =>
    examples.some((one) => at < one.length && JSON.stringify(one[at]) === JSON.stringify(value));
  const isPlain = (value: ValueSpec) => typeof value === 'boolean' || value === undefined || typeof value === 'bigint';
  const words = wordsIn(examples);
  return values
    .filter((value, at) => !isPlain(value) && !known(value, at))
    .reduce<number>((sum, value) => sum + (isKindred(value, words) ? KINDRED_ARGUMENT : STRANGE_ARGUMENT), empty);
}

/** True if the tests show all words of the value, though not the value, and no text begins or ends with a blank. */
export function isKindred(value: ValueSpec, words: ReadonlySet<string>): boolean {
  return leavesOf([value]).every(
    (leaf) => typeof leaf !== 'string' || (leaf === leaf.trim() && wordsOf(leaf).every((word) => words.has(word))),
  );
}

/** The words of all texts. */
export function wordsIn(examples: readonly (readonly ValueSpec[])[]): ReadonlySet<string> {
  return new Set(
    examples.flatMap((one) => leavesOf(one)).flatMap((leaf) => (typeof leaf === 'string' ? wordsOf(leaf) : [])),
  );
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[A-Za-z]+/g) ?? [];
}

/** True for an argument that holds nothing. */
function isEmpty(value: ValueSpec): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object' || value === null) return value === null || value === undefined;
  if (value.$ === 'record') return value.fields.length === 0;
  return value.$ === 'array' && value.of.every(isEmpty);
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
