// Recognises types for which a generated object is no useful substitute: typed arrays, headers, documents, sessions.

import type { Shape } from '../differential/plan.ts';

/** An object with more methods is a service, and not a set of options with callbacks. */
const MAX_METHODS = 3;

/**
 * True if the type contains, at any depth, an object with more than `MAX_METHODS` methods. `shapes`: the shapes that
 * `ref` names. `seen`: for the recursion only.
 */
export function needsStandIn(
  shape: Shape,
  shapes: Readonly<Record<string, Shape>>,
  seen: Set<Shape> = new Set(),
): boolean {
  if (seen.has(shape)) return false;
  seen.add(shape);
  const inner = (part: Shape) => needsStandIn(part, shapes, seen);
  switch (shape.kind) {
    case 'record':
      return (
        shape.fields.filter((field) => field.shape.kind === 'function').length > MAX_METHODS ||
        shape.fields.some((field) => inner(field.shape)) ||
        (shape.index !== null && inner(shape.index))
      );
    case 'union':
      return shape.of.some(inner);
    case 'array':
    case 'set':
    case 'promise':
    case 'iterable':
      return inner(shape.of);
    case 'map':
      return inner(shape.key) || inner(shape.value);
    case 'tuple':
      return shape.of.some((part) => inner(part.shape)) || (shape.rest !== null && inner(shape.rest));
    case 'function':
      return inner(shape.returns);
    case 'ref':
      return shapes[shape.name] !== undefined && inner(shapes[shape.name]!);
    default:
      return false;
  }
}
