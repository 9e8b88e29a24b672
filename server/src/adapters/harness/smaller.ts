// Makes values smaller as long as they show the same behaviour: shorter texts and lists, fewer members, simpler
// numbers.

import type { Shape } from '../../core/verify/differential/plan.ts';
import type { Made } from './messages.ts';

/** Default of the maximum number of calls that try smaller values. */
const MAX_TRIES = 150;
const PLAIN_WORDS = ['foo', 'bar', 'a', 'b', 'A', 'foo bar', '1'];

export interface Limits {
  /**
   * Texts of at most this length are replaced by plain words and not taken apart, because words are easier to read than
   * letters. Left out: 0.
   */
  readonly words?: number;
  /** Texts and numbers that stay as they are, because a reader knows them. */
  readonly kept?: ReadonlySet<string | number>;
  /** Maximum number of calls. If omitted, `MAX_TRIES`. */
  readonly most?: number;
}

type Form = Required<Pick<Limits, 'words' | 'kept'>>;
const ANY_FORM: Form = { words: 0, kept: new Set() };

/**
 * The smallest values that were found and for which `shows` still holds. `shapeAt`: the shape of each value, which
 * smaller ones keep.
 */
export async function madeSmaller(
  values: readonly Made[],
  shapeAt: (at: number) => Shape,
  shapes: Readonly<Record<string, Shape>>,
  shows: (values: readonly Made[]) => Promise<boolean>,
  { words = 0, kept = new Set(), most: maxTries = MAX_TRIES }: Limits = {},
): Promise<readonly Made[]> {
  let best = values;
  let tries = 0;
  for (let hasShrunk = true; hasShrunk && tries < maxTries; ) {
    hasShrunk = false;
    for (const next of smallerLists(best, shapeAt, shapes, { words, kept })) {
      if (tries++ >= maxTries) break;
      if (!(await shows(next))) continue;
      best = next;
      hasShrunk = true;
      break;
    }
  }
  return best;
}

function* smallerLists(
  values: readonly Made[],
  shapeAt: (at: number) => Shape,
  shapes: Readonly<Record<string, Shape>>,
  form: Form,
): Generator<readonly Made[]> {
  for (const [at, made] of values.entries())
    for (const smaller of smallerThan(made, shapeAt(at), shapes, 0, form)) yield values.with(at, smaller);
}

/** Values that are smaller than `made`, mostly the smallest first. None for a value of another shape. */
export function* smallerThan(
  made: Made,
  shape: Shape,
  shapes: Readonly<Record<string, Shape>>,
  depth = 0,
  form = ANY_FORM,
): Generator<Made> {
  if (depth > 6) return;
  if (shape.kind === 'ref') {
    const meant = shapes[shape.name];
    if (meant) yield* smallerThan(made, meant, shapes, depth + 1, form);
  } else if (shape.kind === 'union') {
    // A literal stays: another text may not be in the union.
    const part = shape.of.find((one) => hasShape(made, one, shapes));
    if (part) yield* smallerThan(made, part, shapes, depth + 1, form);
  } else if (typeof made === 'string') {
    if (shape.kind !== 'string' && shape.kind !== 'any') return;
    if (form.kept.has(made)) return;
    if (form.words > 0) yield* plainer(made);
    if (made.length > form.words) yield* shorter(made);
  } else if (typeof made === 'number') {
    if (form.kept.has(made) || (shape.kind !== 'number' && shape.kind !== 'any')) return;
    // A negative number is an example of its own, and no simpler one.
    for (const one of simpler(made)) if (form.words === 0 || one >= 0 || made < 0) yield one;
  } else if (made !== null && typeof made === 'object') yield* smallerObject(made, shape, shapes, depth, form);
}

function* smallerObject(
  made: Exclude<Made, string | number | bigint | boolean | null | undefined>,
  shape: Shape,
  shapes: Readonly<Record<string, Shape>>,
  depth: number,
  form: Form,
): Generator<Made> {
  const isAny = shape.kind === 'any';
  if (made.$ === 'array' && (shape.kind === 'array' || isAny))
    yield* smallerArray(made, shape.kind === 'array' ? shape.of : { kind: 'any' }, shapes, depth, form);
  if (made.$ === 'record' && (shape.kind === 'record' || isAny || shape.kind === 'object'))
    yield* smallerRecord(made, shape.kind === 'record' ? shape : null, shapes, depth, form);
}

function* smallerArray(
  made: Extract<Made, { readonly of: readonly Made[] }>,
  of: Shape,
  shapes: Readonly<Record<string, Shape>>,
  depth: number,
  form: Form,
): Generator<Made> {
  if (made.of.length > 1 && form.words === 0) yield { ...made, of: [] };
  // An empty list is a case of its own, and hard to read as an example.
  if (made.of.length > 1 || form.words === 0)
    for (const at of made.of.keys()) yield { ...made, of: made.of.toSpliced(at, 1) };
  for (const [at, one] of made.of.entries())
    for (const smaller of smallerThan(one, of, shapes, depth + 1, form))
      yield { ...made, of: made.of.with(at, smaller) };
}

function* smallerRecord(
  made: Extract<Made, { readonly $: 'record' }>,
  shape: Extract<Shape, { readonly kind: 'record' }> | null,
  shapes: Readonly<Record<string, Shape>>,
  depth: number,
  form: Form,
): Generator<Made> {
  const fields = shape && new Map(shape.fields.map((field) => [field.name, field]));
  const index: Shape = shape?.index ?? { kind: 'any' };
  for (const [at, [name]] of made.fields.entries())
    if (fields?.get(name)?.optional !== false) yield { ...made, fields: made.fields.toSpliced(at, 1) };
  for (const [at, [name, value]] of made.fields.entries())
    for (const smaller of smallerThan(value, fields?.get(name)?.shape ?? index, shapes, depth + 1, form))
      yield { ...made, fields: made.fields.with(at, [name, smaller]) };
}

function* shorter(text: string): Generator<string> {
  if (text === '') return;
  if (text.length > 1) yield '';
  const signs = [...text];
  if (signs.length > 3) {
    yield signs.slice(0, signs.length >> 1).join('');
    yield signs.slice(signs.length >> 1).join('');
  }
  for (const at of signs.keys()) yield signs.toSpliced(at, 1).join('');
  for (const [at, sign] of signs.entries()) if (sign !== 'a') yield signs.with(at, 'a').join('');
}

/** Plain words, the plainest first. For a text that is one of them, only the plainer ones. */
function* plainer(text: string): Generator<string> {
  const rank = PLAIN_WORDS.indexOf(text);
  yield* rank < 0 ? PLAIN_WORDS : PLAIN_WORDS.slice(0, rank);
}

function* simpler(number: number): Generator<number> {
  if (!Number.isFinite(number)) return;
  for (const one of [0, 1, -1, Math.trunc(number / 2), Math.trunc(number)])
    if (Math.abs(one) < Math.abs(number) || (Math.abs(one) === Math.abs(number) && one > number)) yield one;
}

function hasShape(made: Made, shape: Shape, shapes: Readonly<Record<string, Shape>>): boolean {
  switch (shape.kind) {
    case 'literal':
      return made === shape.value;
    case 'string':
    case 'number':
    case 'boolean':
      return typeof made === shape.kind;
    case 'array':
      return typeof made === 'object' && made !== null && made.$ === 'array';
    case 'record':
      return typeof made === 'object' && made !== null && made.$ === 'record';
    case 'ref':
      return shapes[shape.name] !== undefined && hasShape(made, shapes[shape.name]!, shapes);
    default:
      return false;
  }
}
