// Makes values smaller while they still show the same behaviour: shorter texts and lists, fewer members, simpler
// numbers.

import type { Shape } from '../../core/verify/differential/plan.ts';
import type { ValueSpec } from './messages.ts';

/** Default maximum number of calls of `shows`. */
const MAX_TRIES = 150;
/** Texts that are easy to read, the plainest first. */
export const PLAIN_WORDS = ['foo', 'bar', 'a', 'b', 'A', 'foo bar', '1'];

/** The parts that may be made smaller, and the limit on tries. */
export interface ShrinkLimits {
  /**
   * Texts of at most this length are only replaced by plain words, which are easier to read than a part of the text. If
   * it is not 0, lists also keep at least one item, and positive numbers do not become negative. Default: 0, with which
   * all texts are shortened.
   */
  readonly maxWordLength?: number;
  /** Texts and numbers that stay as they are, because a reader knows them. */
  readonly keptValues?: ReadonlySet<string | number>;
  /** Indexes of values that stay as they are. */
  readonly fixedIndices?: ReadonlySet<number>;
  /** Maximum number of calls of `shows`. Default: `MAX_TRIES`. */
  readonly maxTries?: number;
}

/** The limits on the form of values. */
type FormLimits = Required<Pick<ShrinkLimits, 'maxWordLength' | 'keptValues'>>;
const ANY_FORM: FormLimits = { maxWordLength: 0, keptValues: new Set() };

/**
 * The smallest values that were found for which `stillShows` still returns true. `findShape`: returns the shape of the value
 * at an index, which smaller values must have.
 */
export async function makeSmaller(
  values: readonly ValueSpec[],
  findShape: (index: number) => Shape,
  shapes: Readonly<Record<string, Shape>>,
  stillShows: (values: readonly ValueSpec[]) => Promise<boolean>,
  { maxWordLength = 0, keptValues = new Set(), fixedIndices, maxTries = MAX_TRIES }: ShrinkLimits = {},
): Promise<readonly ValueSpec[]> {
  let best = values;
  let tries = 0;
  for (let hasShrunk = true; hasShrunk && tries < maxTries; ) {
    hasShrunk = false;
    for (const smallerValues of generateSmallerLists(
      best,
      findShape,
      shapes,
      { maxWordLength: maxWordLength, keptValues: keptValues },
      fixedIndices,
    )) {
      if (tries++ >= maxTries) break;
      if (!(await stillShows(smallerValues))) continue;
      best = smallerValues;
      hasShrunk = true;
      break;
    }
  }
  return best;
}

function* generateSmallerLists(
  values: readonly ValueSpec[],
  findShape: (index: number) => Shape,
  shapes: Readonly<Record<string, Shape>>,
  formLimits: FormLimits,
  fixedIndices: ReadonlySet<number> = new Set(),
): Generator<readonly ValueSpec[]> {
  for (const [valueIndex, spec] of values.entries())
    if (!fixedIndices.has(valueIndex))
      for (const smaller of generateSmallerValues(spec, findShape(valueIndex), shapes, 0, formLimits))
        yield values.with(valueIndex, smaller);
}

/**
 * Values of the same shape that are smaller than `spec`, mostly the smallest first. None if `spec` does not have the
 * shape, or is more than six levels deep.
 */
export function* generateSmallerValues(
  spec: ValueSpec,
  shape: Shape,
  shapes: Readonly<Record<string, Shape>>,
  depth = 0,
  formLimits = ANY_FORM,
): Generator<ValueSpec> {
  if (depth > 6) return;
  if (shape.kind === 'ref') {
    const namedShape = shapes[shape.name];
    if (namedShape) yield* generateSmallerValues(spec, namedShape, shapes, depth + 1, formLimits);
  } else if (shape.kind === 'union') {
    // Only the alternative that the value has is considered. A literal stays, because another text may not be in the
    // union.
    const part = shape.of.find((member) => hasShape(spec, member, shapes));
    if (part) yield* generateSmallerValues(spec, part, shapes, depth + 1, formLimits);
  } else if (typeof spec === 'string') {
    if (shape.kind !== 'string' && shape.kind !== 'any') return;
    if (formLimits.keptValues.has(spec)) return;
    if (formLimits.maxWordLength > 0) yield* generatePlainerTexts(spec);
    if (spec.length > formLimits.maxWordLength) yield* shortenText(spec);
  } else if (typeof spec === 'number') {
    if (formLimits.keptValues.has(spec) || (shape.kind !== 'number' && shape.kind !== 'any')) return;
    // A negative number is a separate case, not a simpler one.
    for (const candidate of simplifyNumber(spec))
      if (formLimits.maxWordLength === 0 || candidate >= 0 || spec < 0) yield candidate;
  } else if (spec !== null && typeof spec === 'object') yield* shrinkObject(spec, shape, shapes, depth, formLimits);
}

function* shrinkObject(
  spec: Exclude<ValueSpec, string | number | bigint | boolean | null | undefined>,
  shape: Shape,
  shapes: Readonly<Record<string, Shape>>,
  depth: number,
  formLimits: FormLimits,
): Generator<ValueSpec> {
  const isAny = shape.kind === 'any';
  if (spec.$ === 'array' && (shape.kind === 'array' || isAny))
    yield* shrinkArray(spec, shape.kind === 'array' ? shape.of : { kind: 'any' }, shapes, depth, formLimits);
  if (spec.$ === 'array' && shape.kind === 'tuple') yield* shrinkTuple(spec, shape, shapes, depth, formLimits);
  if (spec.$ === 'record' && (shape.kind === 'record' || isAny || shape.kind === 'object'))
    yield* shrinkRecord(spec, shape.kind === 'record' ? shape : null, shapes, depth, formLimits);
}

function* shrinkArray(
  spec: Extract<ValueSpec, { readonly of: readonly ValueSpec[] }>,
  elementShape: Shape,
  shapes: Readonly<Record<string, Shape>>,
  depth: number,
  formLimits: FormLimits,
): Generator<ValueSpec> {
  if (spec.of.length > 1 && formLimits.maxWordLength === 0) yield { ...spec, of: [] };
  // An empty list is a separate case, and hard to read as an example.
  if (spec.of.length > 1 || formLimits.maxWordLength === 0)
    for (const index of spec.of.keys()) yield { ...spec, of: spec.of.toSpliced(index, 1) };
  for (const [partIndex, part] of spec.of.entries())
    for (const smaller of generateSmallerValues(part, elementShape, shapes, depth + 1, formLimits))
      yield { ...spec, of: spec.of.with(partIndex, smaller) };
}

/** Omits the last item if it is optional, and makes single items smaller. */
function* shrinkTuple(
  spec: Extract<ValueSpec, { readonly of: readonly ValueSpec[] }>,
  { of, rest }: Extract<Shape, { readonly kind: 'tuple' }>,
  shapes: Readonly<Record<string, Shape>>,
  depth: number,
  formLimits: FormLimits,
): Generator<ValueSpec> {
  const lastIndex = spec.of.length - 1;
  if (lastIndex >= 0 && (of[lastIndex]?.optional ?? true)) yield { ...spec, of: spec.of.slice(0, -1) };
  for (const [partIndex, part] of spec.of.entries())
    for (const smaller of generateSmallerValues(
      part,
      of[partIndex]?.shape ?? rest ?? { kind: 'any' },
      shapes,
      depth + 1,
      formLimits,
    ))
      yield { ...spec, of: spec.of.with(partIndex, smaller) };
}

function* shrinkRecord(
  spec: Extract<ValueSpec, { readonly $: 'record' }>,
  shape: Extract<Shape, { readonly kind: 'record' }> | null,
  shapes: Readonly<Record<string, Shape>>,
  depth: number,
  formLimits: FormLimits,
): Generator<ValueSpec> {
  const fieldByName = shape && new Map(shape.fields.map((field) => [field.name, field]));
  const index: Shape = shape?.index ?? { kind: 'any' };
  for (const [fieldIndex, [name]] of spec.fields.entries())
    if (fieldByName?.get(name)?.optional !== false) yield { ...spec, fields: spec.fields.toSpliced(fieldIndex, 1) };
  for (const [fieldIndex, [name, value]] of spec.fields.entries())
    for (const smaller of generateSmallerValues(
      value,
      fieldByName?.get(name)?.shape ?? index,
      shapes,
      depth + 1,
      formLimits,
    ))
      yield { ...spec, fields: spec.fields.with(fieldIndex, [name, smaller]) };
}

function* shortenText(text: string): Generator<string> {
  if (text === '') return;
  if (text.length > 1) yield '';
  const characters = [...text];
  if (characters.length > 3) {
    yield characters.slice(0, characters.length >> 1).join('');
    yield characters.slice(characters.length >> 1).join('');
  }
  for (const index of characters.keys()) yield characters.toSpliced(index, 1).join('');
  for (const [signIndex, sign] of characters.entries())
    if (sign !== 'a') yield characters.with(signIndex, 'a').join('');
}

/** Plain words, the plainest first. For a text that is itself a plain word, only plainer ones. */
function* generatePlainerTexts(text: string): Generator<string> {
  const rank = PLAIN_WORDS.indexOf(text);
  yield* rank < 0 ? PLAIN_WORDS : PLAIN_WORDS.slice(0, rank);
}

function* simplifyNumber(number: number): Generator<number> {
  if (!Number.isFinite(number)) return;
  for (const candidate of [0, 1, -1, Math.trunc(number / 2), Math.trunc(number)])
    if (Math.abs(candidate) < Math.abs(number) || (Math.abs(candidate) === Math.abs(number) && candidate > number))
      yield candidate;
}

function hasShape(spec: ValueSpec, shape: Shape, shapes: Readonly<Record<string, Shape>>): boolean {
  switch (shape.kind) {
    case 'literal':
      return spec === shape.value;
    case 'string':
    case 'number':
    case 'boolean':
      return typeof spec === shape.kind;
    case 'array':
      return typeof spec === 'object' && spec !== null && spec.$ === 'array';
    case 'record':
      return typeof spec === 'object' && spec !== null && spec.$ === 'record';
    case 'ref':
      return shapes[shape.name] !== undefined && hasShape(spec, shapes[shape.name]!, shapes);
    default:
      return false;
  }
}
