// Generates values that a caller may plausibly pass. Each level adds values: plain ones, odd ones, unlikely ones.

import fc from 'fast-check';
import type { Parameter, Shape } from '../../core/verify/differential/plan.ts';
import type { ArgumentSources } from '../../core/verify/counterexamples/plan.ts';
import type { ValueSpec } from './messages.ts';
import { createSizes, isTooDeep } from './valueSizes.ts';

/**
 * How unusual the generated values may be. 0: short texts, small numbers, short lists. 1: also empty and negative
 * values, and foreign letters. 2: also values such as `NaN` and `__proto__`.
 */
export type Level = 0 | 1 | 2;

type Values = fc.Arbitrary<ValueSpec>;

const NUMBERS_BY_LEVEL: Readonly<Record<Level, readonly number[]>> = {
  0: [1, 2, 3, 4, 5, 10, 12],
  1: [0, -1, -2, 0.5, 1.5, 100, 1000],
  2: [NaN, Infinity, -Infinity, -0, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e21],
};
const STRINGS_BY_LEVEL: Readonly<Record<Level, readonly string[]>> = {
  0: [
    'a',
    'b',
    'c',
    'ab',
    'foo',
    'bar',
    'Foo',
    'foo bar',
    'fooBar',
    'foo-bar',
    'foo/bar',
    'a1',
    'A',
    'a,b',
    'a.b',
    '1',
  ],
  1: [
    ...['', ' ', '0', '-1', '1.5', 'é', 'ß', 'İ', '日本', '😀', 'e\u0301', '\n', '\t', 'a\nb', ' a '],
    ...['%', '%20', '&', '=', '?', '#', '+', '"', "'", '\\', '<', '>', '$', '$&', '*', '(', '[', '{', '|'],
    ...['.', '/', '//', '-', '_', ':', ',', ';', '@', '!', '~', '^', '`'],
  ],
  2: ['__proto__', '\0', '\u200b', '\ufeff'],
};
/** Names of properties that every object inherits. */
const INHERITED_NAMES = ['constructor', 'toString', 'valueOf'];
/** A leap day, the end of a year, and another time, in milliseconds since the epoch. */
const DATE_TIMESTAMPS = [Date.UTC(2024, 1, 29), Date.UTC(2023, 11, 31, 23, 59, 59, 999), Date.UTC(2020, 0, 1, 12, 30)];
/**
 * Largest number in the code that is used as an argument. Larger ones are mostly sizes and masks, which make calls
 * slow.
 */
const MAX_LITERAL = 1000;
/** Maximum length of a text of the code that is used as an argument. */
const MAX_TEXT_LENGTH = 24;
/** Maximum length of a part that is repeated in a text. */
const MAX_REPEATED_LENGTH = 4;
/** Maximum length of a list that is not in another value. */
const MAX_LIST_LENGTH = 4;

/**
 * Creates generators of arguments and values for the functions of one file, with the values of all levels up to
 * `level`.
 */
export function createPlausibleValues(
  { shapes, constants }: ArgumentSources,
  level: Level,
): {
  argumentsOf(parameters: readonly Parameter[]): fc.Arbitrary<readonly ValueSpec[]>;
  valueOf(shape: Shape): Values;
} {
  const sizes = createSizes(shapes);
  const valuesByNamedDepth = new Map<string, Values>();
  const collectUpToLevel = <T>(all: Readonly<Record<Level, readonly T[]>>): readonly T[] =>
    ([0, 1, 2] as const).filter((rank) => rank <= level).flatMap((rankedLevel) => all[rankedLevel]);
  const usableNumbers = constants.numbers.filter(
    (literal) => Number.isInteger(literal) && literal > 0 && literal <= MAX_LITERAL,
  );
  const number: Values = fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: fc.constantFrom(...collectUpToLevel(NUMBERS_BY_LEVEL)) },
    { weight: 2, arbitrary: fc.integer({ min: level === 0 ? 1 : -3, max: 20 }) },
    ...(usableNumbers.length > 0 ? [{ weight: 2, arbitrary: fc.constantFrom(...usableNumbers) }] : []),
  );
  const textsOfCode = constants.strings.filter(
    (text) => text.length <= MAX_TEXT_LENGTH && (level > 0 || /^[\x21-\x7e][\x20-\x7e]*$/.test(text)),
  );
  const textPiece = fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: fc.constantFrom(...collectUpToLevel(STRINGS_BY_LEVEL)) },
    ...(textsOfCode.length > 0 ? [{ weight: 3, arbitrary: fc.constantFrom(...textsOfCode) }] : []),
  ) as fc.Arbitrary<string>;
  const string: Values = fc.oneof(
    { withCrossShrink: true },
    { weight: 5, arbitrary: textPiece },
    {
      weight: 3,
      arbitrary: fc.array(textPiece, { minLength: 2, maxLength: 3 }).map((parts) => parts.join('')),
    },
    // Repeated parts are frequent, because code that replaces one of them often forgets the others.
    {
      weight: 2,
      arbitrary: fc
        .tuple(textPiece, fc.integer({ min: 2, max: 4 }))
        .map(([part, times]) => part.slice(0, MAX_REPEATED_LENGTH).repeat(times)),
    },
    ...(level > 0 ? [{ weight: 1, arbitrary: fc.constantFrom(...INHERITED_NAMES) }] : []),
    ...(level > 0
      ? [{ weight: 2, arbitrary: fc.string({ unit: level === 1 ? 'grapheme-ascii' : 'grapheme', maxLength: 6 }) }]
      : []),
  );
  const scalar: Values = fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: string },
    { weight: 3, arbitrary: number },
    { weight: 1, arbitrary: fc.boolean() },
  );
  const key = level < 2 ? fc.constantFrom('a', 'b', 'c', 'id', 'name') : textPiece;

  return { argumentsOf, valueOf: (shape) => valueOf(shape, 0) };

  /** Arguments for the parameters. The last optional ones are often omitted. */
  function argumentsOf(parameters: readonly Parameter[]): fc.Arbitrary<readonly ValueSpec[]> {
    const fixedParameters = parameters.filter(({ rest }) => !rest);
    const restParameter = parameters.find(({ rest }) => rest);
    const requiredCount = fixedParameters.findLastIndex(({ optional }) => !optional) + 1;
    const restValues = restParameter
      ? listOf(restParameter.shape.kind === 'array' ? restParameter.shape.of : { kind: 'any' }, 0)
      : fc.constant([]);
    return fc
      .tuple(
        fc.tuple(...fixedParameters.map(({ shape }) => valueOf(shape, 0))),
        restValues,
        fc.oneof(
          { withCrossShrink: true },
          { weight: 1, arbitrary: fc.constant(requiredCount) },
          { weight: 1, arbitrary: fc.integer({ min: requiredCount, max: fixedParameters.length }) },
        ),
      )
      .map(([values, extraEntries, count]) =>
        count < fixedParameters.length ? values.slice(0, count) : [...values, ...extraEntries],
      );
  }

  function valueOf(shape: Shape, depth: number): Values {
    switch (shape.kind) {
      case 'undefined':
        return fc.constant(undefined);
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'number':
        return number;
      case 'string':
        return string;
      case 'bigint':
        return fc.bigInt({ min: level === 0 ? 1n : -3n, max: 12n });
      case 'literal':
        return fc.constant(shape.value);
      case 'symbol':
        return fc.constantFrom('a', 'b').map((text): ValueSpec => ({ $: 'symbol', text }));
      case 'any':
        return depth > 1
          ? scalar
          : fc.oneof(
              { withCrossShrink: true },
              { weight: 6, arbitrary: scalar },
              { weight: 1, arbitrary: arrayOf({ kind: 'any' }, depth + 1) },
              { weight: 1, arbitrary: anyRecord(depth + 1) },
            );
      case 'object':
        return anyRecord(depth + 1);
      case 'date':
        return fc
          .constantFrom(...DATE_TIMESTAMPS, ...(level === 2 ? [NaN] : []))
          .map((millis): ValueSpec => ({ $: 'date', millis }));
      case 'regexp':
        return fc
          .constantFrom(['a', ''], ['a', 'g'], ['\\d+', ''])
          .map(([source = '', flags = '']): ValueSpec => ({ $: 'regexp', source, flags }));
      case 'error':
        return fc.constantFrom('fails', 'a').map((text): ValueSpec => ({ $: 'error', text }));
      case 'url':
        return fc
          .constantFrom('http://a.example/', 'https://a.example:8080/b/c?d=e#g')
          .map((text): ValueSpec => ({ $: 'url', text }));
      case 'signal':
        return fc.constant({ $: 'signal', aborted: false });
      case 'bytes':
        return fc
          .array(fc.oneof(fc.constantFrom(0, 1, 65, 127, 128, 255), fc.integer({ min: 0, max: 255 })), {
            minLength: level === 0 ? 1 : 0,
            maxLength: 8,
          })
          .map((elements): ValueSpec => ({ $: 'bytes', of: elements }));
      case 'union':
        return fc.oneof({ withCrossShrink: true }, ...shape.of.map((part) => valueOf(part, depth)));
      case 'array':
        return arrayOf(shape.of, depth);
      case 'set':
        return listOf(shape.of, depth).map((elements): ValueSpec => ({ $: 'set', of: elements }));
      case 'map':
        return fc
          .array(fc.tuple(valueOf(shape.key, depth + 1), valueOf(shape.value, depth + 1)), { maxLength: 3 })
          .map((entries): ValueSpec => ({ $: 'map', entries }));
      case 'iterable':
        return listOf(shape.of, depth).map(
          (elements): ValueSpec => ({ $: 'iterable', of: elements, async: shape.async }),
        );
      case 'promise':
        return valueOf(shape.of, depth + 1).map(
          (resolved): ValueSpec => ({ $: 'promise', of: resolved, millis: 0, rejects: false }),
        );
      case 'tuple':
        return tupleOf(shape, depth);
      case 'record':
        return recordOf(shape, sizes.findFittingDepth(shape, depth));
      case 'function':
        return valueOf(shape.returns, depth + 1).map((answer): ValueSpec => ({ $: 'stub', answers: [answer] }));
      case 'ref':
        return createValuesOfNamedType(shape, depth);
    }
  }

  function createValuesOfNamedType(shape: Extract<Shape, { kind: 'ref' }>, depth: number): Values {
    const namedShape = shapes[shape.name];
    const fittingDepth = sizes.findFittingDepth(shape, depth);
    if (!namedShape || isTooDeep(fittingDepth))
      return fc.constant(namedShape?.kind === 'array' ? { $: 'array', of: [] } : null);
    const name = `${shape.name} ${fittingDepth}`;
    const values = valuesByNamedDepth.get(name) ?? valueOf(namedShape, fittingDepth + 1);
    valuesByNamedDepth.set(name, values);
    return values;
  }

  function listOf(shape: Shape, depth: number): fc.Arbitrary<readonly ValueSpec[]> {
    return fc.array(valueOf(shape, depth + 1), {
      minLength: level === 0 && depth === 0 ? 1 : 0,
      maxLength: depth === 0 ? MAX_LIST_LENGTH : 2,
    });
  }

  function arrayOf(shape: Shape, depth: number): Values {
    return listOf(shape, depth).map((elements): ValueSpec => ({ $: 'array', of: elements }));
  }

  function anyRecord(depth: number): Values {
    return fc
      .array(fc.tuple(key, valueOf({ kind: 'any' }, depth)), { minLength: level === 0 ? 1 : 0, maxLength: 3 })
      .map((fields): ValueSpec => ({ $: 'record', fields: removeRepeatedNames(fields) }));
  }

  function tupleOf(shape: Extract<Shape, { kind: 'tuple' }>, depth: number): Values {
    const parts = shape.of.map((part) => valueOf(part.shape, depth + 1));
    return createTuples(shape, parts, shape.rest ? listOf(shape.rest, depth) : null);
  }

  function recordOf(shape: Extract<Shape, { kind: 'record' }>, depth: number): Values {
    const fields = shape.fields.map(({ name, shape: fieldShape, optional }) => {
      // Few callers pass an optional member that is undefined, and few maintainers guard against it.
      const valueShape = optional ? removeUndefined(fieldShape) : fieldShape;
      const presentValue = valueOf(valueShape, depth + 1).map((value): readonly ValueSpec[] | null => [value]);
      return fc.tuple(
        fc.constant(name),
        optional
          ? fc.oneof(
              { withCrossShrink: true },
              { weight: 2, arbitrary: fc.constant(null) },
              { weight: 1, arbitrary: presentValue },
            )
          : presentValue,
      );
    });
    const indexedValues = shape.index
      ? fc.array(fc.tuple(key, valueOf(shape.index, depth + 1)), { minLength: level === 0 ? 1 : 0, maxLength: 3 })
      : fc.constant([]);
    return fc.tuple(fc.tuple(...fields), indexedValues).map(
      ([fields, extraEntries]): ValueSpec => ({
        $: 'record',
        fields: removeRepeatedNames([
          ...fields.flatMap(([name, value]): [string, ValueSpec][] => (value === null ? [] : [[name, value[0]]])),
          ...extraEntries,
        ]),
      }),
    );
  }
}

/** The shape without the alternative `undefined`; unchanged if it has no other alternative. */
function removeUndefined(shape: Shape): Shape {
  if (shape.kind !== 'union') return shape;
  const members = shape.of.filter(({ kind }) => kind !== 'undefined');
  return members.length === 0 ? shape : { ...shape, of: members };
}

/**
 * A generator of tuples of these parts, without some optional ones at the end, or with values of `restValues` at the
 * end.
 */
export function createTuples(
  shape: Extract<Shape, { kind: 'tuple' }>,
  parts: readonly Values[],
  restValues: fc.Arbitrary<readonly ValueSpec[]> | null,
): Values {
  const requiredCount = shape.of.filter(({ optional }) => !optional).length;
  return fc
    .tuple(fc.tuple(...parts), restValues ?? fc.constant([]), fc.integer({ min: requiredCount, max: shape.of.length }))
    .map(
      ([values, moreValues, count]): ValueSpec => ({
        $: 'array',
        of: count < shape.of.length ? values.slice(0, count) : [...values, ...moreValues],
      }),
    );
}

/** The fields, of which only the last value of each name is kept, as in an object literal. */
export function removeRepeatedNames(fields: readonly (readonly [string, ValueSpec])[]): [string, ValueSpec][] {
  return [...new Map(fields)];
}
