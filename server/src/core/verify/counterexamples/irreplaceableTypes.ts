// Recognises types for which a generated object is not a useful substitute (typed arrays, headers, documents,
// sessions), and removes them where a caller may omit them.

import type { Shape } from '../differential/plan.ts';

/** Maximum number of methods of a set of options. An object with more methods is a service. */
const MAX_METHODS = 3;

/**
 * The type without the irreplaceable parts that a caller may omit: alternatives of a union, optional members, and index
 * signatures. Null if nothing usable remains.
 */
export function removeIrreplaceable(shape: Shape, shapes: Readonly<Record<string, Shape>>): Shape | null {
  if (!isIrreplaceable(shape, shapes)) return shape;
  if (shape.kind === 'union') {
    const parts = shape.of.flatMap((part) => removeIrreplaceable(part, shapes) ?? []);
    return parts.length === 0 ? null : { ...shape, of: parts };
  }
  if (shape.kind !== 'record' || hasManyMethods(shape)) return null;
  const fields = shape.fields.map((field) => ({ ...field, shape: removeIrreplaceable(field.shape, shapes) }));
  if (fields.some((field) => field.shape === null && !field.optional)) return null;
  return {
    ...shape,
    fields: fields.flatMap((field) => (field.shape === null ? [] : { ...field, shape: field.shape })),
    index: shape.index && removeIrreplaceable(shape.index, shapes),
  };
}

/**
 * True if the type contains, at any depth, an object with more than `MAX_METHODS` methods. `shapes`: the shapes to
 * which `ref` refers. `visited`: for the recursion only.
 */
function isIrreplaceable(
  shape: Shape,
  shapes: Readonly<Record<string, Shape>>,
  visited: Set<Shape> = new Set(),
): boolean {
  if (visited.has(shape)) return false;
  visited.add(shape);
  const containsIrreplaceable = (part: Shape) => isIrreplaceable(part, shapes, visited);
  switch (shape.kind) {
    case 'record':
      return (
        hasManyMethods(shape) ||
        shape.fields.some((field) => containsIrreplaceable(field.shape)) ||
        (shape.index !== null && containsIrreplaceable(shape.index))
      );
    case 'union':
      return shape.of.some(containsIrreplaceable);
    case 'array':
    case 'set':
    case 'promise':
    case 'iterable':
      return containsIrreplaceable(shape.of);
    case 'map':
      return containsIrreplaceable(shape.key) || containsIrreplaceable(shape.value);
    case 'tuple':
      return (
        shape.of.some((part) => containsIrreplaceable(part.shape)) ||
        (shape.rest !== null && containsIrreplaceable(shape.rest))
      );
    case 'function':
      return containsIrreplaceable(shape.returns);
    case 'ref':
      return shapes[shape.name] !== undefined && containsIrreplaceable(shapes[shape.name]!);
    default:
      return false;
  }
}

function hasManyMethods({ fields }: Extract<Shape, { kind: 'record' }>): boolean {
  return fields.filter(({ shape }) => shape.kind === 'function').length > MAX_METHODS;
}
