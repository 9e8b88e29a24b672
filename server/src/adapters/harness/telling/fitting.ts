// Tells whether a value has its declared type, so that the compiler will not refuse the call in a test.

import type { Parameter, Shape } from '../../../core/verify/differential/plan.ts';
import type { ValueSpec } from '../messages.ts';

type Shapes = Readonly<Record<string, Shape>>;

/** True unless an argument clearly contradicts its parameter. */
export function fitsParameters(given: readonly ValueSpec[], parameters: readonly Parameter[], shapes: Shapes): boolean {
  const last = parameters.at(-1);
  if (parameters.some(({ optional, rest }, at) => !optional && !rest && at >= given.length)) return false;
  return given.every((value, at) => {
    const parameter = at < parameters.length ? parameters[at]! : last?.rest ? last : null;
    if (!parameter) return false;
    const { shape, rest, optional } = parameter;
    if (optional && value === undefined) return true;
    return fits(value, rest && shape.kind === 'array' ? shape.of : shape, shapes, 0);
  });
}

function fits(value: ValueSpec, shape: Shape, shapes: Shapes, depth: number): boolean {
  const inner = (one: ValueSpec, of: Shape) => fits(one, of, shapes, depth + 1);
  if (depth > 8) return true;
  switch (shape.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
    case 'undefined':
      return typeof value === shape.kind;
    case 'null':
      return value === null;
    case 'literal':
      return value === shape.value;
    case 'union':
      return shape.of.some((part) => inner(value, part));
    case 'array':
      return isKind(value, 'array') && value.of.every((one) => inner(one, shape.of));
    case 'tuple':
      return isKind(value, 'array') && fitsTuple(value.of, shape, inner);
    case 'record':
      return isKind(value, 'record') && fitsRecord(value.fields, shape, inner);
    case 'ref': {
      const named = shapes[shape.name];
      return named === undefined || inner(value, named);
    }
    case 'any':
    case 'object':
      return true;
    default:
      // Examples hold none of these.
      return false;
  }
}

function isKind<K extends 'array' | 'record'>(
  value: ValueSpec,
  kind: K,
): value is K extends 'array'
  ? Extract<ValueSpec, { readonly $: 'array' | 'set' | 'bytes' }>
  : Extract<ValueSpec, { readonly $: 'record' }> {
  return typeof value === 'object' && value !== null && value.$ === kind;
}

function fitsTuple(
  of: readonly ValueSpec[],
  shape: Extract<Shape, { readonly kind: 'tuple' }>,
  inner: (one: ValueSpec, of: Shape) => boolean,
): boolean {
  if (of.length < shape.of.filter(({ optional }) => !optional).length) return false;
  return of.every((one, at) => {
    const part = shape.of[at]?.shape ?? shape.rest;
    return part !== null && part !== undefined && inner(one, part);
  });
}

function fitsRecord(
  fields: readonly (readonly [string, ValueSpec])[],
  shape: Extract<Shape, { readonly kind: 'record' }>,
  inner: (one: ValueSpec, of: Shape) => boolean,
): boolean {
  const given = new Map(fields);
  if (shape.fields.some(({ name, optional }) => !optional && !given.has(name))) return false;
  return fields.every(([name, value]) => {
    const declared = shape.fields.find((field) => field.name === name);
    if (declared?.optional && value === undefined) return true;
    const of = declared?.shape ?? shape.index;
    return of !== null && inner(value, of);
  });
}
