// Checks whether values have their declared types, so that the compiler accepts the call in a test.

import type { Parameter, Shape } from '../../../core/verify/differential/plan.ts';
import type { ValueSpec } from '../messages.ts';

/** Types by name. */
type Shapes = Readonly<Record<string, Shape>>;
type PartTest = (part: ValueSpec, shape: Shape) => boolean;

/**
 * True if each argument has the type of its parameter, none is missing, and there are not too many. Any value fits a
 * type whose name is not in `shapes`, and a type more than eight levels deep.
 */
export function conformsToParameters(
  args: readonly ValueSpec[],
  parameters: readonly Parameter[],
  shapes: Shapes,
): boolean {
  const lastParameter = parameters.at(-1);
  if (parameters.some(({ optional, rest }, index) => !optional && !rest && index >= args.length)) return false;
  return args.every((value, index) => {
    const parameter = index < parameters.length ? parameters[index]! : lastParameter?.rest ? lastParameter : null;
    if (!parameter) return false;
    const { shape, rest, optional } = parameter;
    if (optional && value === undefined) return true;
    return conformsToShape(value, rest && shape.kind === 'array' ? shape.of : shape, shapes);
  });
}

/** True if the value has this type. `depth`: the number of types around this one. */
export function conformsToShape(value: ValueSpec, shape: Shape, shapes: Shapes, depth = 0): boolean {
  const fitsPart = (part: ValueSpec, partShape: Shape) => conformsToShape(part, partShape, shapes, depth + 1);
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
      return shape.of.some((part) => fitsPart(value, part));
    case 'array':
      return hasKind(value, 'array') && value.of.every((item) => fitsPart(item, shape.of));
    case 'tuple':
      return hasKind(value, 'array') && fitsTuple(value.of, shape, fitsPart);
    case 'record':
      return hasKind(value, 'record') && fitsRecord(value.fields, shape, fitsPart);
    case 'ref': {
      const namedShape = shapes[shape.name];
      return namedShape === undefined || fitsPart(value, namedShape);
    }
    case 'function':
      return typeof value === 'object' && value !== null && value.$ === 'code';
    case 'any':
    case 'object':
      return true;
    default:
      // Examples contain no values of these kinds.
      return false;
  }
}

function hasKind<K extends 'array' | 'record'>(
  value: ValueSpec,
  kind: K,
): value is K extends 'array'
  ? Extract<ValueSpec, { readonly $: 'array' | 'set' | 'bytes' }>
  : Extract<ValueSpec, { readonly $: 'record' }> {
  return typeof value === 'object' && value !== null && value.$ === kind;
}

function fitsTuple(
  items: readonly ValueSpec[],
  shape: Extract<Shape, { readonly kind: 'tuple' }>,
  fitsPart: PartTest,
): boolean {
  if (items.length < shape.of.filter(({ optional }) => !optional).length) return false;
  return items.every((item, index) => {
    const part = shape.of[index]?.shape ?? shape.rest;
    return part !== null && part !== undefined && fitsPart(item, part);
  });
}

function fitsRecord(
  fields: readonly (readonly [string, ValueSpec])[],
  shape: Extract<Shape, { readonly kind: 'record' }>,
  fitsPart: PartTest,
): boolean {
  const valueByName = new Map(fields);
  if (shape.fields.some(({ name, optional }) => !optional && !valueByName.has(name))) return false;
  return fields.every(([name, value]) => {
    const declaredField = shape.fields.find((field) => field.name === name);
    if (declaredField?.optional && value === undefined) return true;
    const fieldShape = declaredField?.shape ?? shape.index;
    return fieldShape !== null && fitsPart(value, fieldShape);
  });
}
