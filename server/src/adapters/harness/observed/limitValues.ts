// Generates values at the limits of the touched code: texts that its regular expressions match, texts that they nearly
// match, and texts and lists of the lengths that its numbers name.

import fc from 'fast-check';
import type { DifferentialPlan } from '../../../core/verify/differential/plan.ts';

type Constants = DifferentialPlan['constants'];

/**
 * Maximum number of characters of the texts of a pattern that are generated one by one. Longer ones take time, so only
 * a few of them are generated in advance.
 */
const MAX_QUICK_LENGTH = 250;
/** Maximum number of characters of the texts of a pattern. For a pattern with longer ones, none are generated. */
const MAX_LENGTH = 10_000;
/** Number of texts of a pattern that are generated in advance. */
const FEW = 3;
/** Estimated maximum number of repetitions that are generated if a pattern sets no limit. */
const REPETITIONS = 8;
/** Reads a pattern: an escape, a class, a number of repetitions, or one other character. */
const PATTERN_PART = /\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+)(,\d*)?\}|[^]/g;

/**
 * A generator of texts that one of the patterns matches or nearly matches; null if there is no pattern for which texts
 * can be generated.
 */
export function createMatchingTexts({ patterns = [] }: Constants): fc.Arbitrary<string> | null {
  const matches = patterns.flatMap(({ source, flags }) => {
    try {
      const length = estimateLength(source);
      if (length > MAX_LENGTH) return [];
      const texts = fc.stringMatching(new RegExp(source, /[uv]/.test(flags) ? 'u' : ''), { size: 'small' });
      return [length <= MAX_QUICK_LENGTH ? texts : fc.constantFrom(...fc.sample(texts, { numRuns: FEW, seed: 1 }))];
    } catch {
      // The generator does not support every kind of pattern. The words of the pattern are generated anyway.
      return [];
    }
  });
  if (matches.length === 0) return null;
  const match = fc.oneof(...matches);
  const nearMiss = fc.tuple(match, fc.nat(), fc.constantFrom('', 'a', ' ', '-')).map(([text, index, mark]) => {
    const offset = index % Math.max(1, text.length);
    return `${text.slice(0, offset)}${mark}${text.slice(offset + 1)}`;
  });
  const upperCase = match.map((text) => text.toUpperCase());
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: match },
    { weight: 1, arbitrary: nearMiss },
    { weight: 1, arbitrary: upperCase },
    { weight: 1, arbitrary: fc.tuple(match, match).map(([left, right]) => left + right) },
  );
}

/**
 * Estimates the maximum number of characters of a text that is generated for the pattern. All alternatives are added
 * up.
 */
function estimateLength(source: string): number {
  /** The number of characters of each open group. */
  const totals = [0];
  let lastLength = 0;
  for (const [part, minimum, hasMaximum] of source.matchAll(PATTERN_PART)) {
    const repetitions =
      Number(minimum ?? 1) + (hasMaximum !== undefined || part === '+' || part === '*' ? REPETITIONS : 0);
    if (part === '(') totals.push(0);
    if (part === '(' || part === '|') lastLength = 0;
    else if (minimum !== undefined || repetitions > 1) totals[totals.length - 1]! += lastLength * (repetitions - 1);
    else {
      lastLength = part === ')' && totals.length > 1 ? totals.pop()! : 1;
      totals[totals.length - 1]! += lastLength;
    }
  }
  return Math.max(...totals);
}

/** A generator of the lengths that the code names, and of those one above and one below; null if it names none. */
export function createLengths({ lengths = [] }: Constants): fc.Arbitrary<number> | null {
  if (lengths.length === 0) return null;
  return fc.constantFrom(...lengths.flatMap((length) => [length + 1, length, length - 1]));
}

/**
 * Extends a generator of values: it also generates, rarely, texts of one of these lengths, which repeat a short text.
 * Unchanged if `lengths` is null.
 */
export function addLongTexts<Value>(
  values: fc.Arbitrary<Value>,
  piece: fc.Arbitrary<string>,
  lengths: fc.Arbitrary<number> | null,
): fc.Arbitrary<Value | string> {
  if (!lengths) return values;
  const long = fc.tuple(lengths, fc.oneof(fc.constant('ab'), piece)).map(([length, text]) => {
    const repeated = text === '' ? 'a' : text;
    return repeated.repeat(Math.ceil(length / repeated.length)).slice(0, length);
  });
  return addRarely(values, long);
}

/**
 * Extends a generator of lists: it also generates, rarely, lists of one of these lengths, which repeat a few values.
 * Unchanged if `lengths` is null.
 */
export function addLongLists<Value>(
  lists: fc.Arbitrary<readonly Value[]>,
  value: fc.Arbitrary<Value>,
  lengths: fc.Arbitrary<number> | null,
): fc.Arbitrary<readonly Value[]> {
  if (!lengths) return lists;
  const long = fc
    .tuple(lengths, fc.array(value, { minLength: 1, maxLength: 4 }))
    .map(([length, values]) => Array.from({ length }, (_, index) => values[index % values.length]!));
  return addRarely(lists, long);
}

/** Adds a generator of long values. They are rare, because they take time to compare. */
function addRarely<Value, Long>(values: fc.Arbitrary<Value>, long: fc.Arbitrary<Long>): fc.Arbitrary<Value | Long> {
  return fc.oneof({ withCrossShrink: true }, { weight: 11, arbitrary: values }, { weight: 1, arbitrary: long });
}
