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
const MAX_TEXT_LENGTH = 10_000;
/** Number of texts of a pattern that are generated in advance. */
const ADVANCE_COUNT = 3;
/** Estimated maximum number of repetitions that are generated if a pattern sets no limit. */
const REPETITIONS = 8;
/** Reads a pattern: an escape, a class, a number of repetitions, or one other character. */
const PATTERN_PART = /\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+)(,\d*)?\}|[^]/g;

/**
 * A generator of texts that one of the patterns matches or nearly matches; null if there is no pattern for which texts
 * can be generated.
 */
export function createMatchingTexts({ patterns = [] }: Constants): fc.Arbitrary<string> | null {
  const arbitraries = patterns.flatMap(({ source, flags }) => {
    try {
      const length = estimateLength(source);
      if (length > MAX_TEXT_LENGTH) return [];
      const texts = fc.stringMatching(new RegExp(source, /[uv]/.test(flags) ? 'u' : ''), { size: 'small' });
      return [
        length <= MAX_QUICK_LENGTH ? texts : fc.constantFrom(...fc.sample(texts, { numRuns: ADVANCE_COUNT, seed: 1 })),
      ];
    } catch {
      // The generator does not support every kind of pattern. The words of the pattern are generated anyway.
      return [];
    }
  });
  if (arbitraries.length === 0) return null;
  const matchingText = fc.oneof(...arbitraries);
  const nearMiss = fc
    .tuple(matchingText, fc.nat(), fc.constantFrom('', 'a', ' ', '-'))
    .map(([text, index, replacementText]) => {
      const offset = index % Math.max(1, text.length);
      return `${text.slice(0, offset)}${replacementText}${text.slice(offset + 1)}`;
    });
  const upperCase = matchingText.map((text) => text.toUpperCase());
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: matchingText },
    { weight: 1, arbitrary: nearMiss },
    { weight: 1, arbitrary: upperCase },
    { weight: 1, arbitrary: fc.tuple(matchingText, matchingText).map(([left, right]) => left + right) },
  );
}

/**
 * Estimates the maximum number of characters of a text that is generated for the pattern. All alternatives are added
 * up.
 */
function estimateLength(source: string): number {
  /** The number of characters of each open group. */
  const groupLengths = [0];
  let lastLength = 0;
  for (const [part, minimum, hasMaximum] of source.matchAll(PATTERN_PART)) {
    const repetitions =
      Number(minimum ?? 1) + (hasMaximum !== undefined || part === '+' || part === '*' ? REPETITIONS : 0);
    if (part === '(') groupLengths.push(0);
    if (part === '(' || part === '|') lastLength = 0;
    else if (minimum !== undefined || repetitions > 1)
      groupLengths[groupLengths.length - 1]! += lastLength * (repetitions - 1);
    else {
      lastLength = part === ')' && groupLengths.length > 1 ? groupLengths.pop()! : 1;
      groupLengths[groupLengths.length - 1]! += lastLength;
    }
  }
  return Math.max(...groupLengths);
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
  const longTexts = fc.tuple(lengths, fc.oneof(fc.constant('ab'), piece)).map(([length, text]) => {
    const repeatedText = text === '' ? 'a' : text;
    return repeatedText.repeat(Math.ceil(length / repeatedText.length)).slice(0, length);
  });
  return addRarely(values, longTexts);
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
  const longLists = fc
    .tuple(lengths, fc.array(value, { minLength: 1, maxLength: 4 }))
    .map(([length, values]) => Array.from({ length }, (_, index) => values[index % values.length]!));
  return addRarely(lists, longLists);
}

/** Adds a generator of long values. They are rare, because they take time to compare. */
function addRarely<Value, Long>(
  values: fc.Arbitrary<Value>,
  longValues: fc.Arbitrary<Long>,
): fc.Arbitrary<Value | Long> {
  return fc.oneof({ withCrossShrink: true }, { weight: 11, arbitrary: values }, { weight: 1, arbitrary: longValues });
}
