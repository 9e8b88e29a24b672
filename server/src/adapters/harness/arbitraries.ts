// Generates values for types. Prefers values at which code often branches: few different ones, so that equal values
// occur, edge cases, and the code's own literals.

import fc from 'fast-check';
import type { DifferentialPlan, Parameter, Shape, ComparedTarget } from '../../core/verify/differential/plan.ts';
import type { Call, ValueSpec } from './messages.ts';
import { createLengths, createMatchingTexts, addLongLists, addLongTexts } from './observed/limitValues.ts';
import { EDGE_NUMBERS, EDGE_TEXTS, STRANGE_NUMBERS } from './observed/edgeValues.ts';
import { createTuples, removeRepeatedNames } from './plausibleValues.ts';
import { createSizes, isTooDeep } from './valueSizes.ts';

type Values = fc.Arbitrary<ValueSpec>;

/** Maximum length of a map, and of a list outside of other values unless the code compares lengths. */
const MAX_LIST_LENGTH = 6;
/** Maximum number of uses of an instance in one call. */
const MAX_STEPS = 5;

/** Creates generators for the types of a plan. `callOf` makes equal values on purpose. */
export function createArbitraries(plan: Pick<DifferentialPlan, 'shapes' | 'constants'>): {
  callOf(target: ComparedTarget): fc.Arbitrary<Call>;
} {
  const { constants } = plan;
  const sizes = createSizes(plan.shapes);
  const cache = new Map<string, Values>();
  const numbersNearConstants = constants.numbers.flatMap((value) => [
    value,
    value - 1,
    value + 1,
    -value,
    value / 2,
    2 * value,
  ]);
  const [matchingTexts, lengths] = [createMatchingTexts(constants), createLengths(constants)];
  const number: Values = fc.oneof(
    { withCrossShrink: true },
    { weight: 5, arbitrary: fc.integer({ min: -3, max: 8 }) },
    ...(numbersNearConstants.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...numbersNearConstants) }] : []),
    { weight: 2, arbitrary: fc.constantFrom(...EDGE_NUMBERS) },
    { weight: 2, arbitrary: fc.constantFrom(0, 1, NaN) },
    { weight: 1, arbitrary: fc.constantFrom(...STRANGE_NUMBERS) },
    { weight: 1, arbitrary: fc.integer() },
    { weight: 1, arbitrary: fc.double() },
    { weight: 2, arbitrary: choosePlaceholder('number') },
  );
  const strings = constants.strings;
  const piece = fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c') },
    { weight: 3, arbitrary: fc.constantFrom(...EDGE_TEXTS) },
    ...(strings.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...strings) }] : []),
    ...(matchingTexts ? [{ weight: 3, arbitrary: matchingTexts }] : []),
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
  );
  const separator = fc.constantFrom(
    ' ',
    ',',
    '-',
    '\n',
    '/',
    '.',
    ...strings.filter(({ length }) => length > 0 && length <= 2),
  );
  const separatedTexts = fc
    .tuple(fc.array(piece, { minLength: 2, maxLength: 4 }), separator)
    .map(([parts, separatorText]) => parts.join(separatorText));
  const string: Values = fc.oneof(
    { withCrossShrink: true },
    { weight: 5, arbitrary: piece },
    { weight: 3, arbitrary: fc.array(piece, { maxLength: 4 }).map((parts) => parts.join('')) },
    { weight: 3, arbitrary: separatedTexts },
    { weight: 2, arbitrary: choosePlaceholder('string') },
  );
  const textOfAnyLength = addLongTexts(string, piece, lengths);
  const bigint: Values = fc.oneof(
    fc.bigInt({ min: -3n, max: 8n }),
    fc.bigInt(),
    ...(constants.bigints.length > 0 ? [fc.constantFrom(...constants.bigints.map(BigInt))] : []),
  );
  const scalar: Values = fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: number },
    { weight: 4, arbitrary: string },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: fc.constantFrom(undefined, null) },
  );

  return {
    callOf(target) {
      if (target.kind === 'value') return fc.constant({ arguments: [], steps: [] });
      const values = argumentsOf(target.parameters);
      if (target.kind === 'function')
        return values.map((argumentSpecs) => replacePlaceholders({ arguments: argumentSpecs, steps: [] }));
      const steps = target.members.map((member, index) =>
        argumentsOf(member.parameters).map((argumentSpecs) => ({ member: index, arguments: argumentSpecs })),
      );
      return fc
        .record({
          arguments: values,
          steps:
            steps.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...steps), { minLength: 1, maxLength: MAX_STEPS }),
        })
        .map(replacePlaceholders);
    },
  };

  /** Values for all parameters. Sometimes the last optional ones are omitted. */
  function argumentsOf(parameters: readonly Parameter[]): fc.Arbitrary<readonly ValueSpec[]> {
    const fixedParameters = parameters.filter(({ rest }) => !rest);
    const restParameter = parameters.find(({ rest }) => rest);
    const fixedValues = fc.tuple(
      ...fixedParameters.map(({ shape, optional }) =>
        optional
          ? fc.oneof({ weight: 4, arbitrary: valueOf(shape, 0) }, { weight: 1, arbitrary: fc.constant(undefined) })
          : valueOf(shape, 0),
      ),
    );
    const extras = restParameter
      ? listOf(restParameter.shape.kind === 'array' ? restParameter.shape.of : { kind: 'any' }, 0)
      : fc.constant([]);
    const requiredCount = fixedParameters.filter(({ optional }) => !optional).length;
    return fc
      .tuple(fixedValues, extras, fc.integer({ min: requiredCount, max: fixedParameters.length }), fc.boolean())
      .map(([values, extra, count, leavesOut]) =>
        leavesOut && extra.length === 0
          ? values.slice(0, Math.max(count, countUpToLastRequired(fixedParameters)))
          : [...values, ...extra],
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
        return depth === 0 ? textOfAnyLength : string;
      case 'bigint':
        return bigint;
      case 'literal':
        return fc.constant(shape.value);
      case 'symbol':
        return fc.constantFrom('a', 'b').map((text): ValueSpec => ({ $: 'symbol', text }));
      case 'any':
        return depth > 1
          ? scalar
          : fc.oneof(
              { weight: 6, arbitrary: scalar },
              { weight: 1, arbitrary: arrayOf({ kind: 'any' }, depth + 1) },
              { weight: 1, arbitrary: anyRecord(depth + 1) },
            );
      case 'object':
        return fc.oneof(arrayOf({ kind: 'any' }, depth + 1), anyRecord(depth + 1));
      case 'date':
        return fc
          .oneof(
            fc.constantFrom(
              0,
              1,
              -1,
              NaN,
              Date.UTC(2024, 1, 29),
              Date.UTC(2023, 11, 31, 23, 59, 59, 999),
              Date.UTC(2024, 1, 29, 12, 34, 56, 789),
            ),
            fc.integer({ min: -(2 ** 40), max: 2 ** 41 }),
          )
          .map((millis): ValueSpec => ({ $: 'date', millis }));
      case 'regexp':
        return fc
          .constantFrom(['a', ''], ['a', 'g'], ['[a-c]+', 'gi'], ['^$', ''], ['\\d+', 'y'])
          .map(([source = '', flags = '']): ValueSpec => ({ $: 'regexp', source, flags }));
      case 'error':
        return piece.map((text): ValueSpec => ({ $: 'error', text }));
      case 'url':
        return fc
          .constantFrom('http://a.example/', 'https://a.example:8080/b/c?d=e&d=f#g', 'file:///a%20b')
          .map((text): ValueSpec => ({ $: 'url', text }));
      case 'signal':
        return fc.boolean().map((aborted): ValueSpec => ({ $: 'signal', aborted }));
      case 'bytes':
        return fc
          .array(fc.oneof(fc.constantFrom(0, 1, 127, 128, 255), fc.integer({ min: 0, max: 255 })), { maxLength: 12 })
          .map((elements): ValueSpec => ({ $: 'bytes', of: elements }));
      case 'union':
        return fc.oneof(...shape.of.map((part) => valueOf(part, depth)));
      case 'array':
        return arrayOf(shape.of, depth);
      case 'set':
        return listOf(shape.of, depth).map((elements): ValueSpec => ({ $: 'set', of: elements }));
      case 'map':
        return fc
          .array(fc.tuple(valueOf(shape.key, depth + 1), valueOf(shape.value, depth + 1)), {
            maxLength: MAX_LIST_LENGTH,
          })
          .map((entries): ValueSpec => ({ $: 'map', entries }));
      case 'iterable':
        return listOf(shape.of, depth).map(
          (elements): ValueSpec => ({ $: 'iterable', of: elements, async: shape.async }),
        );
      case 'promise':
        return fc
          .record({
            of: valueOf(shape.of, depth + 1),
            millis: fc.integer({ min: 0, max: 3 }),
            rejects: fc.integer({ min: 0, max: 7 }).map((number) => number === 7),
          })
          .map((promise): ValueSpec => ({ $: 'promise', ...promise }));
      case 'tuple':
        return tupleOf(shape, depth);
      case 'record':
        return recordOf(shape, sizes.findFittingDepth(shape, depth));
      case 'function':
        return fc
          .array(valueOf(shape.returns, depth + 1), { minLength: 1, maxLength: 3 })
          .map((answers): ValueSpec => ({ $: 'stub', answers }));
      case 'ref': {
        const namedShape = plan.shapes[shape.name];
        const fitting = sizes.findFittingDepth(shape, depth);
        if (!namedShape || isTooDeep(fitting))
          return fc.constant(namedShape?.kind === 'array' ? ({ $: 'array', of: [] } as const) : null);
        // Types that refer to each other are generated once for each depth, not once for each path to them.
        const key = `${shape.name} ${fitting}`;
        const values = cache.get(key) ?? valueOf(namedShape, fitting + 1);
        cache.set(key, values);
        return values;
      }
    }
  }

  function listOf(shape: Shape, depth: number): fc.Arbitrary<readonly ValueSpec[]> {
    const value = valueOf(shape, depth + 1);
    const short = fc.array(value, { maxLength: depth === 0 ? MAX_LIST_LENGTH : 3 });
    return depth === 0 ? addLongLists(short, value, lengths) : short;
  }

  function arrayOf(shape: Shape, depth: number): Values {
    return listOf(shape, depth).map((elements): ValueSpec => ({ $: 'array', of: elements }));
  }

  function anyRecord(depth: number): Values {
    return fc
      .array(
        fc.tuple(
          fc.oneof(fc.constantFrom('a', 'b', 'id', 'name'), piece as fc.Arbitrary<string>),
          valueOf({ kind: 'any' }, depth),
        ),
        { maxLength: 3 },
      )
      .map((fields): ValueSpec => ({ $: 'record', fields: removeRepeatedNames(fields) }));
  }

  function tupleOf(shape: Extract<Shape, { kind: 'tuple' }>, depth: number): Values {
    const parts = shape.of.map((part) => valueOf(part.shape, depth + 1));
    return createTuples(shape, parts, shape.rest ? listOf(shape.rest, depth) : null);
  }

  function recordOf(shape: Extract<Shape, { kind: 'record' }>, depth: number): Values {
    const fields = shape.fields.map(({ name, shape: fieldShape, optional }) =>
      fc.tuple(
        fc.constant(name),
        optional
          ? fc.oneof(
              { weight: 3, arbitrary: valueOf(fieldShape, depth + 1).map((value) => [value]) },
              { weight: 2, arbitrary: fc.constant(null) },
            )
          : valueOf(fieldShape, depth + 1).map((value) => [value]),
      ),
    );
    const indexedValues = shape.index
      ? fc.array(fc.tuple(piece as fc.Arbitrary<string>, valueOf(shape.index, depth + 1)), { maxLength: 4 })
      : fc.constant([]);
    return fc.tuple(fc.tuple(...fields), indexedValues).map(
      ([fieldEntries, indexedEntries]): ValueSpec => ({
        $: 'record',
        fields: removeRepeatedNames([
          ...fieldEntries.flatMap(([name, value]): [string, ValueSpec][] => (value === null ? [] : [[name, value[0]]])),
          ...indexedEntries,
        ]),
      }),
    );
  }
}

/**
 * A placeholder for another number or string of the same call. Mistakes in searching, comparing and counting often show
 * only with equal values, and independently drawn values are hardly ever equal.
 */
function choosePlaceholder(kind: 'number' | 'string'): Values {
  return fc.integer({ min: 0, max: 3 }).map((index): ValueSpec => ({ $: 'placeholder', kind, index }));
}

/** Replaces every placeholder by a number or string of the call; by 0 or the empty text if the call has none. */
function replacePlaceholders(call: Call): Call {
  const drawnValues: { readonly number: number[]; readonly string: string[] } = { number: [], string: [] };
  const allArguments = [...call.arguments, ...call.steps.flatMap((step) => step.arguments)];
  for (const spec of allArguments) collectDrawnValues(spec);
  const parts = call.steps.map((step) => ({ ...step, arguments: step.arguments.map(fillPlaceholder) }));
  return { arguments: call.arguments.map(fillPlaceholder), steps: parts };

  function collectDrawnValues(spec: ValueSpec): void {
    if (typeof spec === 'number') drawnValues.number.push(spec);
    else if (typeof spec === 'string') drawnValues.string.push(spec);
    else if (spec !== null && typeof spec === 'object') for (const part of collectParts(spec)) collectDrawnValues(part);
  }

  function fillPlaceholder(spec: ValueSpec): ValueSpec {
    if (spec === null || typeof spec !== 'object') return spec;
    switch (spec.$) {
      case 'placeholder': {
        const choices = drawnValues[spec.kind];
        return choices[spec.index % Math.max(1, choices.length)] ?? (spec.kind === 'number' ? 0 : '');
      }
      case 'array':
      case 'set':
      case 'iterable':
        return { ...spec, of: spec.of.map(fillPlaceholder) };
      case 'record':
        return { ...spec, fields: spec.fields.map(([name, value]) => [name, fillPlaceholder(value)]) };
      case 'map':
        return { ...spec, entries: spec.entries.map(([key, value]) => [fillPlaceholder(key), fillPlaceholder(value)]) };
      case 'promise':
        return { ...spec, of: fillPlaceholder(spec.of) };
      case 'stub':
        return { ...spec, answers: spec.answers.map(fillPlaceholder) };
      default:
        return spec;
    }
  }
}

/** The values directly inside a value. */
function collectParts(
  spec: Exclude<ValueSpec, string | number | boolean | bigint | null | undefined>,
): readonly ValueSpec[] {
  switch (spec.$) {
    case 'array':
    case 'set':
    case 'iterable':
      return spec.of;
    case 'record':
      return spec.fields.map(([, value]) => value);
    case 'map':
      return spec.entries.flat();
    case 'promise':
      return [spec.of];
    case 'stub':
      return spec.answers;
    default:
      return [];
  }
}

/** The number of parameters up to the last required one. */
function countUpToLastRequired(parameters: readonly Parameter[]): number {
  return parameters.findLastIndex(({ optional }) => !optional) + 1;
}
