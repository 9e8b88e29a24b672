// Reports findings about the shape of single functions in any language: at most one finding per aspect.

import { functionFinders } from '../rules/allFinders.ts';
import type { FunctionContext } from '../rules/finders.ts';
import type { Finding } from '../rules/finding.ts';
import type { FunctionUnit } from './functionUnit.ts';

/** For each aspect of a function (size, parameters): the finders of its rules, the most important rule first. */
const FINDERS_BY_ASPECT = (['size', 'parameters'] as const).map((aspect) =>
  Object.values(functionFinders)
    .filter((finder) => finder.aspect === aspect)
    .toSorted((a, b) => b.rank - a.rank),
);

/**
 * Reports the shape of a function: at most one finding about its size, by the most important rule, and one about its
 * parameters.
 */
export function findShapeProblems(unit: FunctionUnit, context: FunctionContext): Finding[] {
  // Top-level code is not a function that could be split.
  if (unit.kind === 'topLevel') return [];
  return FINDERS_BY_ASPECT.flatMap((finders) => {
    for (const { find } of finders) {
      const finding = find(unit, context);
      if (finding) return [finding];
    }
    return [];
  });
}
