// How large the values of a type become, so that types that name each other do not make values without measure.

import type { DifferentialPlan, Shape } from '../../core/verify/differential/plan.ts';

/** Types that contain themselves stop here. */
const DEEPEST = 4;
/** Parts of one value, as they are expected. */
const MOST_PARTS = 500;
/** Lists are half as long on average as they may be. */
const LISTED = 3;

export interface Sizes {
  /** The depth as which a value of this type is made at `depth`, so that it stops early enough. */
  fittingDepth(shape: Shape, depth: number): number;
}

/** Types that contain themselves are not made from here on. */
export function isTooDeep(depth: number): boolean {
  return depth >= DEEPEST;
}

export function createSizes(shapes: DifferentialPlan['shapes']): Sizes {
  const known = new WeakMap<Shape, Map<number, number>>();
  return { fittingDepth };

  function fittingDepth(shape: Shape, depth: number): number {
    for (let at = depth; at < DEEPEST; at++) if (sizeOf(shape, at) <= MOST_PARTS) return at;
    return Math.max(depth, DEEPEST);
  }

  function sizeOf(shape: Shape, depth: number): number {
    const sizes = known.get(shape) ?? new Map<number, number>();
    known.set(shape, sizes);
    const size = sizes.get(depth) ?? measured(shape, depth);
    sizes.set(depth, size);
    return size;
  }

  /** As the values are made: records and named types at the depth that fits them. */
  function partOf(shape: Shape, depth: number): number {
    const sized = shape.kind === 'record' || shape.kind === 'ref';
    return sizeOf(shape, sized ? fittingDepth(shape, depth) : depth);
  }

  function measured(shape: Shape, depth: number): number {
    switch (shape.kind) {
      case 'ref': {
        const meant = shapes[shape.name];
        return meant && !isTooDeep(depth) ? partOf(meant, depth + 1) : 1;
      }
      case 'union':
        return Math.max(1, ...shape.of.map((part) => partOf(part, depth)));
      case 'array':
      case 'set':
      case 'iterable':
        return 1 + LISTED * partOf(shape.of, depth + 1);
      case 'map':
        return 1 + LISTED * (partOf(shape.key, depth + 1) + partOf(shape.value, depth + 1));
      case 'promise':
        return 1 + partOf(shape.of, depth + 1);
      case 'function':
        return 1 + 2 * partOf(shape.returns, depth + 1);
      case 'tuple':
        return 1 + shape.of.reduce((sum, part) => sum + partOf(part.shape, depth + 1), 0);
      case 'record':
        return (
          1 +
          shape.fields.reduce((sum, field) => sum + partOf(field.shape, depth + 1), 0) +
          (shape.index ? 2 * partOf(shape.index, depth + 1) : 0)
        );
      default:
        return 1;
    }
  }
}
