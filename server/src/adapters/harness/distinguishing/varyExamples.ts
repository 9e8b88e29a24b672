// Makes inputs that differ a little from the inputs of the tests, for example by a missing word, another number or one
// more option.

import fc from 'fast-check';
import type { ExampleValue } from '../../../core/verify/counterexamples/plan.ts';
import type { ValueSpec } from '../messages.ts';

type List = Extract<ValueSpec, { readonly of: readonly ValueSpec[] }>;
type Fields = readonly (readonly [name: string, value: ValueSpec])[];

/** The values from which the changes are made. */
export interface VariationValues {
  /** Texts of the code and its tests. */
  readonly strings: readonly string[];
  /** Numbers of the code and its tests. */
  readonly numbers: readonly number[];
  /** Names of options that the code reads. */
  readonly keys: readonly string[];
  /** True if the function treats negative numbers specially. */
  readonly isSigned: boolean;
  /**
   * True if no argument may be added or removed. This holds for a member, whose two values are the list for the
   * constructor and the list for the member.
   */
  readonly fixed: boolean;
}

/** Number of random numbers for one input. If its changes need more, the numbers are used again. */
export const DRAWS_PER_INPUT = 24;
/** Maximum number of characters of a text of the code that is inserted into another text. */
const MAX_PIECE_LENGTH = 16;
/** Maximum number of characters of a changed text, unless it was longer before. */
const MAX_TEXT_LENGTH = 60;
/** Matches a word, a number, white space, or any other character. */
export const TOKEN_PATTERN = /[A-Za-z]+|\d+|\s+|[^]/g;

/**
 * Creates `count` inputs, always the same ones for the same `seed`; none without examples. Most have one change, some
 * have two or three.
 */
export function varyExamples(
  examples: readonly (readonly ExampleValue[])[],
  ground: VariationValues,
  seed: number,
  count: number,
): readonly (readonly ValueSpec[])[] {
  if (examples.length === 0) return [];
  const drawnNumbers = fc.sample(fc.array(fc.nat(), { minLength: DRAWS_PER_INPUT, maxLength: DRAWS_PER_INPUT }), {
    seed,
    numRuns: count,
  });
  const valuePool = createPool(examples, ground);
  return drawnNumbers.map((numbers, turn) => {
    const draw = createDraw(numbers);
    let args: readonly ValueSpec[] = examples[turn % examples.length]!;
    // Four of six inputs have one change, one has two, and one has three.
    const changeCount = 1 + Math.max(0, draw(6) - 3);
    for (let index = 0; index < changeCount; index += 1) args = changeList(args, draw, valuePool);
    return args;
  });
}

/**
 * Returns a function that changes one of the arguments of a call, with values from these examples. `pieces`: texts that
 * are inserted into other texts, even between two letters, instead of the words of the examples. If it is empty, those
 * words are inserted.
 */
export function createChanges(
  examples: readonly (readonly ExampleValue[])[],
  ground: VariationValues,
  pieces: readonly string[] = [],
): (args: readonly ValueSpec[], draw: Draw) => readonly ValueSpec[] {
  const valuePool = {
    ...createPool(examples, ground),
    ...(pieces.length > 0 && { pieces, strings: pieces, isExact: true }),
  };
  return (args, draw) => (args.length === 0 ? args : changeList(args, draw, valuePool));
}

/** Draws an integer from 0 up to, but not including, `limit`; 0 if `limit` is less than 1. */
export type Draw = (limit: number) => number;

/** Creates a function that draws from these random numbers one after the other, and begins again after the last one. */
export function createDraw(numbers: readonly number[]): Draw {
  let index = 0;
  return (limit) => (limit < 1 ? 0 : numbers[index++ % numbers.length]! % limit);
}

/** The values for the changes, taken from all examples. */
interface ValuePool extends VariationValues {
  /** Words and signs of the texts in the examples, and short texts of the code. */
  readonly pieces: readonly string[];
  /** Items of all lists. */
  readonly items: readonly ValueSpec[];
  /** Fields of all objects. */
  readonly fields: Fields;
  /** The arguments of each example. */
  readonly examples: readonly (readonly ValueSpec[])[];
  /** The number of arguments of the shortest call. */
  readonly fewestArguments: number;
  /** True if texts change at any character. */
  readonly isExact?: boolean;
}

function createPool(examples: readonly (readonly ExampleValue[])[], ground: VariationValues): ValuePool {
  const items: ValueSpec[] = [];
  const fields: (readonly [string, ValueSpec])[] = [];
  const texts = new Set<string>();
  const visit = (value: ValueSpec): void => {
    if (typeof value === 'string') texts.add(value);
    if (typeof value !== 'object' || value === null) return;
    if (value.$ === 'array') items.push(...value.of);
    if (value.$ === 'array') value.of.forEach(visit);
    if (value.$ !== 'record') return;
    fields.push(...value.fields);
    for (const [, fieldValue] of value.fields) visit(fieldValue);
  };
  for (const values of examples) values.forEach(visit);
  const tokens = [...texts].flatMap((text) => text.match(TOKEN_PATTERN) ?? []);
  // Relative imports and titles of tests are not parts of arguments.
  const strings = ground.strings.filter((text) => !/^\.{1,2}\/|^\w+ \w+ /.test(text));
  const shortTexts = strings.filter((text) => text !== '' && text.length <= MAX_PIECE_LENGTH);
  const fewest = Math.min(...examples.map(({ length }) => length));
  return {
    ...ground,
    strings,
    fewestArguments: fewest,
    pieces: [...new Set([...tokens, ...shortTexts])],
    items,
    fields,
    examples,
  };
}

/** The arguments of a call with one of them changed, the last one removed, or one added. */
function changeList(args: readonly ValueSpec[], draw: Draw, valuePool: ValuePool): readonly ValueSpec[] {
  const drawnKind = valuePool.fixed ? 9 : draw(10);
  if (drawnKind === 0 && args.length > valuePool.fewestArguments) return args.slice(0, -1);
  if (drawnKind <= 2) {
    const otherExample = valuePool.examples[draw(valuePool.examples.length)]!;
    const addedArgument =
      otherExample.length > args.length ? otherExample[args.length] : createOptions(draw, valuePool);
    return addedArgument === null ? args : [...args, addedArgument];
  }
  if (args.length === 0) return args;
  const index = draw(args.length);
  return args.with(index, changeValue(args[index], draw, valuePool));
}

function changeValue(value: ValueSpec, draw: Draw, valuePool: ValuePool): ValueSpec {
  if (typeof value === 'string') return changeText(value, draw, valuePool);
  if (typeof value === 'number') return changeNumber(value, draw, valuePool);
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'object' || value === null) return value;
  if (value.$ === 'array') return { ...value, of: changeItems(value, draw, valuePool) };
  return value.$ === 'record' ? { ...value, fields: changeFields(value.fields, draw, valuePool) } : value;
}

function changeText(text: string, draw: Draw, { pieces, strings, isExact }: ValuePool): string {
  if (isExact && draw(2) === 0) return insertPiece(text, draw, pieces);
  const tokens: readonly string[] = text.match(TOKEN_PATTERN) ?? [];
  const index = draw(tokens.length);
  const token = tokens[index] ?? '';
  const piece = pieces[draw(pieces.length)] ?? 'a';
  if (tokens.length === 0) return piece;
  const changedTokens = ((): readonly string[] => {
    switch (draw(9)) {
      case 0:
        return tokens.toSpliced(index, 1);
      case 1:
        return tokens.toSpliced(index, 0, token);
      case 2:
        return tokens.toSpliced(index, 0, piece);
      case 3:
        return [...tokens, piece];
      case 4:
        return tokens.with(index, isLowerCase(token) ? token.toUpperCase() : token.toLowerCase());
      case 5:
        return [strings[draw(strings.length)] ?? text];
      case 6:
        return index > 0 ? tokens.with(index, tokens[index - 1]!).with(index - 1, token) : tokens.slice(1);
      default:
        return tokens.with(index, /^\d+$/.test(token) ? changeDigits(token, draw) : piece);
    }
  })();
  return changedTokens.join('').slice(0, Math.max(MAX_TEXT_LENGTH, text.length));
}

/** The text with a piece inserted at a random offset or in place of a character, or without one character. */
function insertPiece(text: string, draw: Draw, pieces: readonly string[]): string {
  const offset = draw(text.length + 1);
  const piece = draw(4) === 0 ? '' : pieces[draw(pieces.length)]!;
  return `${text.slice(0, offset)}${piece}${text.slice(offset + (piece === '' ? 1 : draw(2)))}`;
}

function isLowerCase(token: string): boolean {
  return token === token.toLowerCase();
}

function changeDigits(digits: string, draw: Draw): string {
  const number = Number(digits.slice(0, 9));
  return String([number + 1, Math.max(0, number - 1), 0, number * 10, `${digits}5`][draw(5)]);
}

function changeNumber(number: number, draw: Draw, { numbers, isSigned }: ValuePool): number {
  const variants = [number + 1, number - 1, number * 2, number / 2, numbers[draw(numbers.length)] ?? 0, 0, -number];
  const otherNumber = variants[draw(variants.length)]!;
  return (otherNumber < 0 && !isSigned && number >= 0) || !Number.isFinite(otherNumber) ? number + 1 : otherNumber;
}

function changeItems({ of }: List, draw: Draw, valuePool: ValuePool): readonly ValueSpec[] {
  const index = draw(of.length);
  switch (draw(6)) {
    case 0:
      return of.toSpliced(index, 1);
    case 1:
      return valuePool.items.length > 0 ? of.toSpliced(index, 0, valuePool.items[draw(valuePool.items.length)]) : of;
    case 2:
      return of.length > 1 ? of.toReversed() : of;
    default:
      return of.length === 0 ? of : of.with(index, changeValue(of[index], draw, valuePool));
  }
}

function changeFields(fields: Fields, draw: Draw, valuePool: ValuePool): Fields {
  const index = draw(fields.length);
  const drawnKind = draw(6);
  if (drawnKind === 0) return fields.toSpliced(index, 1);
  const field = fields[index];
  if (drawnKind > 2 && field) return fields.with(index, [field[0], changeValue(field[1], draw, valuePool)]);
  const addedField = drawnKind === 1 ? valuePool.fields[draw(valuePool.fields.length)] : createOption(draw, valuePool);
  return addedField ? [...new Map([...fields, addedField])] : fields;
}

/** An object with one option; null if none is known. */
function createOptions(draw: Draw, valuePool: ValuePool): ValueSpec {
  const addedField = createOption(draw, valuePool);
  return addedField === null ? null : { $: 'record', fields: [addedField] };
}

/**
 * An option of `keys` with a value; null if `keys` is empty. If the tests set the option, the value has a type that
 * they give it.
 */
function createOption(draw: Draw, { keys, strings, numbers, fields }: ValuePool): readonly [string, ValueSpec] | null {
  if (keys.length === 0) return null;
  const values: readonly ValueSpec[] = [
    true,
    false,
    numbers[draw(numbers.length)] ?? 1,
    strings[draw(strings.length)] ?? 'a',
  ];
  const key = keys[draw(keys.length)]!;
  const testValues = fields.flatMap(([name, value]) => (name === key ? [value] : []));
  const valuesOfTestedType = values.filter((value) =>
    testValues.some((testValue) => typeof testValue === typeof value),
  );
  const choice = testValues.length === 0 ? values : valuesOfTestedType.length === 0 ? testValues : valuesOfTestedType;
  return [key, choice[draw(choice.length)]];
}
