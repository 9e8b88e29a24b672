// long-function: finds functions with too many statements or lines, in any language.

import type { FunctionUnit } from '../../analysis/functionUnit.ts';
import { toFunctionFinding, quoteFunctionName } from '../../analysis/shared/functionFinding.ts';
import type { Finding } from '../finding.ts';
import type { FunctionContext, FunctionFinder } from '../finders.ts';
import { rule } from './rule.ts';

export const finder: FunctionFinder = { aspect: 'size', rank: 1, find: findLongFunction };

/** A function with more statements is reported. */
const MAX_STATEMENTS = rule.limit.least;
/**
 * Maximum number of lines. A function with more lines is reported if it also has at least a quarter of `MAX_STATEMENTS`
 * statements, because a long table of data is not a long function.
 */
const MAX_LINES = 300;

/** The finding about a function with too many statements or lines; null for other functions. */
function findLongFunction(unit: FunctionUnit, context: FunctionContext): Finding | null {
  const lines = context.countLines(unit);
  if (unit.statements <= MAX_STATEMENTS && (lines <= MAX_LINES || unit.statements < MAX_STATEMENTS / 4)) return null;
  return toFunctionFinding('long-function', unit, {
    severity: unit.statements > 2 * MAX_STATEMENTS ? 'information' : 'hint',
    impact: 30,
    confidence: 0.55,
    message: `${quoteFunctionName(unit)} is long: ${unit.statements} statements on ${lines} lines.`,
    evidence: {
      statements: unit.statements,
      lines,
      threshold: unit.statements > MAX_STATEMENTS ? MAX_STATEMENTS : MAX_LINES,
    },
    recipe: null,
  });
}
