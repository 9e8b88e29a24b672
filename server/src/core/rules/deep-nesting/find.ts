// deep-nesting: finds functions with control structures too many levels deep, in any language.

import type { FunctionUnit } from '../../analysis/functionUnit.ts';
import { toFunctionFinding, functionName } from '../../analysis/shared/functionFinding.ts';
import type { Finding } from '../finding.ts';
import type { FunctionContext, FunctionFinder } from '../finders.ts';
import { rule } from './rule.ts';

export const finder: FunctionFinder = { aspect: 'size', rank: 2, find: findDeepNesting };

const LIMIT = rule.limit.least;

/** The finding about a function that nests control structures too deep; null for other functions. */
function findDeepNesting(unit: FunctionUnit, context: FunctionContext): Finding | null {
  if (unit.nesting <= LIMIT) return null;
  const guard = context.guardLine(unit);
  return toFunctionFinding('deep-nesting', unit, {
    severity: unit.nesting > 2 * LIMIT ? 'information' : 'hint',
    impact: Math.min(80, 30 + 8 * (unit.nesting - LIMIT)),
    confidence: 0.65,
    message: `${functionName(unit)} nests control structures ${unit.nesting} levels deep; more than ${LIMIT} are hard to follow.`,
    evidence: {
      nesting: unit.nesting,
      threshold: LIMIT,
      cognitive: unit.cognitive,
      ...(guard === null ? {} : { guardLine: guard }),
    },
    recipe: guard === null ? null : 'guard-clauses',
  });
}
