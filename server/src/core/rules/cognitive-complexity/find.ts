// cognitive-complexity: finds functions that are hard to follow, in any language.

import type { FunctionUnit } from '../../analysis/functionUnit.ts';
import { toFunctionFinding, quoteFunctionName } from '../../analysis/shared/functionFinding.ts';
import type { Finding } from '../finding.ts';
import type { FunctionContext, FunctionFinder } from '../finders.ts';
import { rule } from './rule.ts';

export const finder: FunctionFinder = { aspect: 'size', rank: 3, find: findComplexFunction };

/** A function with a higher cognitive complexity is reported. */
const MAX_COMPLEXITY = rule.limit.least;

/** The finding about a function whose cognitive complexity is above the limit; null for other functions. */
function findComplexFunction(unit: FunctionUnit, context: FunctionContext): Finding | null {
  if (unit.cognitive <= MAX_COMPLEXITY) return null;
  return toFunctionFinding('cognitive-complexity', unit, {
    severity: unit.cognitive > 2 * MAX_COMPLEXITY ? 'information' : 'hint',
    impact: Math.min(90, 30 + 2 * (unit.cognitive - MAX_COMPLEXITY)),
    confidence: 0.7,
    message:
      `${quoteFunctionName(unit)} is hard to follow: cognitive complexity ${unit.cognitive}, at most ${MAX_COMPLEXITY} ` +
      `is easy to hold in mind.`,
    evidence: {
      cognitive: unit.cognitive,
      threshold: MAX_COMPLEXITY,
      cyclomatic: unit.cyclomatic,
      nesting: unit.nesting,
      statements: unit.statements,
    },
    recipe: context.canExtract && unit.hasBlock && unit.kind !== 'staticBlock' ? 'extract-function' : null,
  });
}
