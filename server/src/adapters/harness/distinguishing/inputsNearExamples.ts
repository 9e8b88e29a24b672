// Makes inputs from the calls of tests, unchanged and with one argument replaced. Also rates how strange the arguments
// of a call are to a reader of the tests.

import type { ExampleValue } from '../../../core/verify/counterexamples/plan.ts';
import type { ValueSpec } from '../messages.ts';
import { TOKEN_PATTERN } from './varyExamples.ts';

/** Maximum number of inputs in addition to the examples themselves. */
const MAX_INPUTS = 160;
/** Cost for a reader of an argument that no test passes at this place. */
const STRANGE_ARGUMENT_COST = 40;
/** Cost for a reader of an argument that no test passes at this place, but that consists of words of the tests. */
const KINDRED_ARGUMENT_COST = 12;
/**
 * Cost of each further word or sign, after the first one, in which a text differs from the nearest text of the tests.
 */
const FURTHER_CHANGE_COST = 8;
/** Maximum edit distance that is counted. All texts that differ more cost the same. */
const MAX_DISTANCE = 8;
/** Cost of a text that does not occur in the code, for a function without tests. */
const STRANGE_TEXT_COST = 8;
/** Cost of an empty text or list as an argument. Few maintainers want a test of it. */
const EMPTY_ARGUMENT_COST = 60;

/**
 * The examples, then examples with one argument of another example, then examples with one argument of a `generated`
 * call. There are at most `MAX_INPUTS / 2` of the second kind, and as many of the third. Tests that miss a mistake are
 * often one argument away from a call that shows it.
 */
export function findInputsNearExamples(
  examples: readonly (readonly ExampleValue[])[],
  generated: readonly (readonly ValueSpec[])[],
): readonly (readonly ValueSpec[])[] {
  const crossedExamples = examples.flatMap((example) =>
    examples.flatMap((otherExample) => otherExample.flatMap((value, index) => replaceArgument(example, index, value))),
  );
  const changedExamples = generated.flatMap((args, turn) => {
    const example = examples[turn % examples.length];
    return example === undefined ? [] : args.flatMap((value, index) => replaceArgument(example, index, value));
  });
  const half = MAX_INPUTS / 2;
  return [...examples, ...crossedExamples.slice(0, half), ...changedExamples.slice(0, half)];
}

/** A list with one element: the arguments with `value` at an index. Empty if that changes nothing or leaves a gap. */
function replaceArgument(
  args: readonly ValueSpec[],
  index: number,
  value: ValueSpec,
): readonly (readonly ValueSpec[])[] {
  if (index > args.length || value === args[index]) return [];
  return [index === args.length ? [...args, value] : args.with(index, value)];
}

/** True if one of the values is or contains a negative number. */
export function hasNegative(values: readonly ValueSpec[]): boolean {
  return collectLeaves(values).some((leaf) => typeof leaf === 'number' && leaf < 0);
}

/**
 * The cost for a reader of empty arguments, and of arguments that differ from those of the tests. If there are no
 * examples, texts that are not in `familiarValues` cost instead of arguments that differ.
 */
export function computeStrangeness(
  values: readonly ValueSpec[],
  examples: readonly (readonly ExampleValue[])[],
  familiarValues: ReadonlySet<string | number>,
): number {
  const emptyCost = EMPTY_ARGUMENT_COST * values.filter(isEmpty).length;
  if (examples.length === 0)
    return (
      emptyCost +
      STRANGE_TEXT_COST *
        collectLeaves(values).filter((leaf) => typeof leaf === 'string' && !familiarValues.has(leaf)).length
    );
  const isInTests = (value: ValueSpec, index: number) =>
    examples.some((example) => index < example.length && JSON.stringify(example[index]) === JSON.stringify(value));
  const hasFewValues = (value: ValueSpec) =>
    typeof value === 'boolean' || value === undefined || typeof value === 'bigint';
  const knownWords = collectWords(examples);
  const countChanges = (value: ValueSpec, index: number) => {
    const knownTexts = collectLeaves(
      examples.flatMap((example) => (index < example.length ? [example[index]] : [])),
    ).filter(isText);
    return collectLeaves([value])
      .filter(isText)
      .reduce(
        (sum, text) =>
          sum +
          (knownTexts.length === 0
            ? 0
            : Math.min(...knownTexts.map((knownText) => computeEditDistance(text, knownText)))),
        0,
      );
  };
  return values.reduce<number>((sum, value, index) => {
    if (hasFewValues(value) || isInTests(value, index)) return sum;
    const furtherChanges = Math.max(0, Math.min(MAX_DISTANCE, countChanges(value, index)) - 1);
    return (
      sum +
      (isKindred(value, knownWords) ? KINDRED_ARGUMENT_COST : STRANGE_ARGUMENT_COST) +
      FURTHER_CHANGE_COST * furtherChanges
    );
  }, emptyCost);
}

function isText(value: ValueSpec): value is string {
  return typeof value === 'string';
}

/** The edit distance of two texts (Levenshtein), in words and signs. */
function computeEditDistance(text: string, otherText: string): number {
  const [tokens, otherTokens] = [text.match(TOKEN_PATTERN) ?? [], otherText.match(TOKEN_PATTERN) ?? []];
  if (Math.abs(tokens.length - otherTokens.length) >= MAX_DISTANCE) return MAX_DISTANCE;
  let row = Array.from({ length: otherTokens.length + 1 }, (_, index) => index);
  for (const [rowIndex, token] of tokens.entries()) {
    const next = [rowIndex + 1];
    for (const [column, otherToken] of otherTokens.entries())
      next.push(Math.min(row[column]! + (otherToken === token ? 0 : 1), row[column + 1]! + 1, next[column]! + 1));
    row = next;
  }
  return row.at(-1)!;
}

/**
 * True if all words of the texts in the value are among `knownWords`, and none of these texts begins or ends with a
 * space.
 */
export function isKindred(value: ValueSpec, knownWords: ReadonlySet<string>): boolean {
  return collectLeaves([value]).every(
    (leaf) =>
      typeof leaf !== 'string' || (leaf === leaf.trim() && splitWords(leaf).every((word) => knownWords.has(word))),
  );
}

/** The words of all texts in these examples. */
export function collectWords(examples: readonly (readonly ValueSpec[])[]): ReadonlySet<string> {
  return new Set(
    examples
      .flatMap((example) => collectLeaves(example))
      .flatMap((leaf) => (typeof leaf === 'string' ? splitWords(leaf) : [])),
  );
}

function splitWords(text: string): readonly string[] {
  return text.match(/[A-Za-z]+/g) ?? [];
}

/** True for null, undefined, a text of white space only, and a list or object without content. */
function isEmpty(value: ValueSpec): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object' || value === null) return value === null || value === undefined;
  if (value.$ === 'record') return value.fields.length === 0;
  return value.$ === 'array' && value.of.every(isEmpty);
}

/** The texts and numbers in these values. */
export function collectScalars(values: readonly ValueSpec[]): readonly (string | number)[] {
  return collectLeaves(values).filter((leaf) => typeof leaf === 'string' || typeof leaf === 'number');
}

/** The different texts of all functions in these lists, long ones first. */
export function collectFunctions(examples: readonly (readonly ValueSpec[])[]): readonly string[] {
  const texts = collectLeaves(examples.flat()).flatMap((leaf) =>
    typeof leaf === 'object' && leaf?.$ === 'code' ? [leaf.text] : [],
  );
  return [...new Set(texts)].toSorted((a, b) => b.length - a.length);
}

/** The values in lists, sets and objects, at any depth, that are not lists, sets or objects themselves. */
function collectLeaves(values: readonly ValueSpec[]): readonly ValueSpec[] {
  return values.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return [value];
    if (value.$ === 'record') return collectLeaves(value.fields.map(([, fieldValue]) => fieldValue));
    if (value.$ === 'code') return [value];
    return value.$ === 'array' || value.$ === 'set' ? collectLeaves(value.of) : [];
  });
}
