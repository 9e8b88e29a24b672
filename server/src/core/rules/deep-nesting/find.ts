// deep-nesting: finds functions with control structures too many levels deep, in any language.

import type { FunctionUnit } from '../../analysis/functionUnit.ts';
import { toFunctionFinding, quoteFunctionName } from '../../analysis/shared/functionFinding.ts';
import type { Finding } from '../finding.ts';
import type { FunctionContext, FunctionFinder } from '../finders.ts';
import { rule } from './rule.ts';

export const finder: FunctionFinder = { aspect: 'size', rank: 2, find: findDeepNesting };

/** A function with more levels of nested control structures is reported. */
const MAX_NESTING = rule.limit.least;

/** The finding about a function that nests control structures too deeply; null for other functions. */
function findDeepNesting(unit: FunctionUnit, context: FunctionContext): Finding | null {
  if (unit.nesting <= MAX_NESTING) return null;
  const guardLine = context.findGuardLine(unit);
  return toFunctionFinding('deep-nesting', unit, {
    severity: unit.nesting > 2 * MAX_NESTING ? 'information' : 'hint',
    impact: Math.min(80, 30 + 8 * (unit.nesting - MAX_NESTING)),
    confidence: 0.65,
    message: `${quoteFunctionName(unit)} nests control structures ${unit.nesting} levels deep; more than ${MAX_NESTING} are hard to follow.`,
    evidence: {
      nesting: unit.nesting,
      threshold: MAX_NESTING,
      cognitive: unit.cognitive,
      ...(guardLine === null ? {} : { guardLine: guardLine }),
    },
    recipe: guardLine === null ? null : 'guard-clauses',
  });
}
