// Findings about the shape of single functions in any language: for each aspect the most telling one.

import { functionFinders } from '../rules/allFinders.ts';
import type { FunctionContext } from '../rules/finders.ts';
import type { Finding } from '../rules/finding.ts';
import type { FunctionUnit } from './functionUnit.ts';

/** By aspect, the most telling first. */
const ASPECTS = (['size', 'parameters'] as const).map((aspect) =>
  Object.values(functionFinders)
    .filter((finder) => finder.aspect === aspect)
    .toSorted((a, b) => b.telling - a.telling),
);

/** At most one finding about the size of a function (the most telling one), and one about its parameters. */
export function shapeFindings(unit: FunctionUnit, context: FunctionContext): Finding[] {
  // A script's top level is no function that somebody could cut up.
  if (unit.kind === 'topLevel') return [];
  return ASPECTS.flatMap((finders) => {
    for (const { find } of finders) {
      const found = find(unit, context);
      if (found) return [found];
    }
    return [];
  });
}
