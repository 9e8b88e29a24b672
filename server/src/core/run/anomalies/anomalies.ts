// The rules that recognise an unusual run, in their order.

import { changeRate } from './changeRate.ts';
import { escape } from './escape.ts';
import { failing } from './failing.ts';
import type { Anomaly, Facts } from './facts.ts';
import { oscillation } from './oscillation.ts';
import { stagnation } from './stagnation.ts';
import { unexpectedCommand } from './unexpectedCommand.ts';
import { unexpectedGain } from './unexpectedGain.ts';

/** The most serious first: a hole in the checks, then changes that look wrong, then a lack of results. */
const RULES = [escape, oscillation, unexpectedGain, unexpectedCommand, changeRate, failing, stagnation];

/**
 * The most serious thing that is unusual since a person has started or continued the run; null = nothing is. One is
 * enough, because any of them stops the run until a person answers.
 */
export function anomalyIn(facts: Facts): Anomaly | null {
  for (const rule of RULES) {
    const found = rule(facts);
    if (found) return found;
  }
  return null;
}
