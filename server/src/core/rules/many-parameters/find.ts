// many-parameters: finds functions with more parameters than callers can distinguish, in any language.

import type { FunctionUnit } from '../../analysis/functionUnit.ts';
import { toFunctionFinding, functionName } from '../../analysis/shared/functionFinding.ts';
import type { Finding } from '../finding.ts';
import type { FunctionFinder } from '../finders.ts';
import { rule } from './rule.ts';

export const finder: FunctionFinder = { aspect: 'parameters', rank: 1, find: findManyParameters };

const LIMIT = rule.limit.least;

/**
 * The finding about a function with too many parameters; null for other functions, and if all of its parameters are
 * injected.
 */
function findManyParameters(unit: FunctionUnit): Finding | null {
  if (unit.parameters <= LIMIT || unit.injected) return null;
  return toFunctionFinding('many-parameters', unit, {
    severity: unit.parameters > 2 * LIMIT ? 'information' : 'hint',
    impact: 15 + 2 * (unit.parameters - LIMIT),
    confidence: 0.55,
    message: `${functionName(unit)} takes ${unit.parameters} parameters; callers easily mix up more than ${LIMIT}.`,
    evidence: { parameters: unit.parameters, threshold: LIMIT },
    recipe: null,
  });
}
