// many-parameters: finds functions with more parameters than callers can distinguish, in any language.

import type { FunctionUnit } from '../../analysis/functionUnit.ts';
import { toFunctionFinding, quoteFunctionName } from '../../analysis/shared/functionFinding.ts';
import type { Finding } from '../finding.ts';
import type { FunctionFinder } from '../finders.ts';
import { rule } from './rule.ts';

export const finder: FunctionFinder = { aspect: 'parameters', rank: 1, find: findManyParameters };

/** A function with more parameters is reported. */
const MAX_PARAMETERS = rule.limit.least;

/**
 * The finding about a function with too many parameters; null for other functions, and if all of its parameters are
 * injected.
 */
function findManyParameters(unit: FunctionUnit): Finding | null {
  if (unit.parameters <= MAX_PARAMETERS || unit.hasInjectedParameters) return null;
  return toFunctionFinding('many-parameters', unit, {
    severity: unit.parameters > 2 * MAX_PARAMETERS ? 'information' : 'hint',
    impact: 15 + 2 * (unit.parameters - MAX_PARAMETERS),
    confidence: 0.55,
    message: `${quoteFunctionName(unit)} takes ${unit.parameters} parameters; callers easily mix up more than ${MAX_PARAMETERS}.`,
    evidence: { parameters: unit.parameters, threshold: MAX_PARAMETERS },
    recipe: null,
  });
}
