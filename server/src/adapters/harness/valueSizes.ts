// Estimates the size of the values of a type, so that types that refer to each other do not lead to huge values.

import type { DifferentialPlan, Shape } from '../../core/verify/differential/plan.ts';

/** Depth from which on named types are no longer generated, because they may contain themselves. */
const MAX_DEPTH = 4;
/** Maximum number of parts that one value is expected to have. */
const MAX_PARTS = 500;
/** The expected length of a list or a map: half of the maximum. */
const EXPECTED_LENGTH = 3;

/** The expected sizes of the values of types. */
export interface Sizes {
  /**
   * The smallest depth, not below `depth`, at which a value of this type is expected to have at most `MAX_PARTS` parts;
   * at least `MAX_DEPTH` if there is no such depth. Deeper values are smaller, so treating a value as deeper makes it
   * smaller.
   */
  findFittingDepth(shape: Shape, depth: number): number;
}

/** True for depths at which named types are no longer generated. */
export function isTooDeep(depth: number): boolean {
  return depth >= MAX_DEPTH;
}

/** Creates the computation of expected sizes. Each size is computed once for a type and depth. */
export function createSizes(shapes: DifferentialPlan['shapes']): Sizes {
  const sizesByShape = new WeakMap<Shape, Map<number, number>>();
  return { findFittingDepth: findFittingDepth };

  function findFittingDepth(shape: Shape, depth: number): number {
    for (let startDepth = depth; startDepth < MAX_DEPTH; startDepth++)
      if (estimateSize(shape, startDepth) <= MAX_PARTS) return startDepth;
    return Math.max(depth, MAX_DEPTH);
  }

  function estimateSize(shape: Shape, depth: number): number {
    const sizeByDepth = sizesByShape.get(shape) ?? new Map<number, number>();
    sizesByShape.set(shape, sizeByDepth);
    const size = sizeByDepth.get(depth) ?? computeSize(shape, depth);
    sizeByDepth.set(depth, size);
    return size;
  }

  /**
   * The expected size of a part. As when values are generated, records and named types count at their fitting depth.
   */
  function estimatePartSize(shape: Shape, depth: number): number {
    const hasFittingDepth = shape.kind === 'record' || shape.kind === 'ref';
    return estimateSize(shape, hasFittingDepth ? findFittingDepth(shape, depth) : depth);
  }

  function computeSize(shape: Shape, depth: number): number {
    switch (shape.kind) {
      case 'ref': {
        const namedShape = shapes[shape.name];
        return namedShape && !isTooDeep(depth) ? estimatePartSize(namedShape, depth + 1) : 1;
      }
      case 'union':
        return Math.max(1, ...shape.of.map((part) => estimatePartSize(part, depth)));
      case 'array':
      case 'set':
      case 'iterable':
        return 1 + EXPECTED_LENGTH * estimatePartSize(shape.of, depth + 1);
      case 'map':
        return (
          1 + EXPECTED_LENGTH * (estimatePartSize(shape.key, depth + 1) + estimatePartSize(shape.value, depth + 1))
        );
      case 'promise':
        return 1 + estimatePartSize(shape.of, depth + 1);
      case 'function':
        return 1 + 2 * estimatePartSize(shape.returns, depth + 1);
      case 'tuple':
        return 1 + shape.of.reduce((sum, part) => sum + estimatePartSize(part.shape, depth + 1), 0);
      case 'record':
        return (
          1 +
          shape.fields.reduce((sum, field) => sum + estimatePartSize(field.shape, depth + 1), 0) +
          (shape.index ? 2 * estimatePartSize(shape.index, depth + 1) : 0)
        );
      default:
        return 1;
    }
  }
}
