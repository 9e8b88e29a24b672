// Applies the rules that recognise an unusual run, in the order of their seriousness.

import { findChangeRate } from './changeRate.ts';
import { findEscape } from './escape.ts';
import { findFailingRule } from './failing.ts';
import type { Anomaly, RunFacts } from './facts.ts';
import { findOscillation } from './oscillation.ts';
import { findStagnation } from './stagnation.ts';
import { findUnexpectedCommand } from './unexpectedCommand.ts';
import { findUnexpectedGain } from './unexpectedGain.ts';

/** The most serious come first: a gap in the checks, then changes that look wrong, then a lack of results. */
const ANOMALY_FINDERS = [
  findEscape,
  findOscillation,
  findUnexpectedGain,
  findUnexpectedCommand,
  findChangeRate,
  findFailingRule,
  findStagnation,
];

/**
 * The most serious anomaly since a person has started or continued the run; null if there is none. One is enough,
 * because any anomaly stops the run until a person answers.
 */
export function findAnomaly(facts: RunFacts): Anomaly | null {
  for (const finder of ANOMALY_FINDERS) {
    const anomaly = finder(facts);
    if (anomaly) return anomaly;
  }
  return null;
}
