// Finds violations of rules: a person refused a change although the rule was on when the change was requested.

import type { Millis } from '../model.ts';
import type { WrittenRule } from './ruleBook.ts';

/** A decision of a person about a change or a finding; feedback that agents record does not count. */
export interface PersonDecision {
  /** Sequence of the event in the ledger. */
  readonly sequence: number;
  readonly at: Millis;
  /** The purpose of the change: a rule of the analysis, or a kind of task. */
  readonly dimension: string;
  /** Sequence of the question to a model or an agent that led to the change; null if nobody was asked. */
  readonly questionSequence: number | null;
}

/**
 * Returns the rules, each with the decisions that show a violation: a change was requested after the rule was switched
 * on, and a person decided against it. A decision belongs to a rule if it has the same dimension as one of the events
 * for which the rule was written.
 */
export function addViolations(
  rules: readonly WrittenRule[],
  decisions: readonly PersonDecision[],
): readonly WrittenRule[] {
  const dimensions = new Map(decisions.map(({ sequence, dimension }) => [sequence, dimension]));
  return rules.map((rule) => {
    const { onSince } = rule;
    if (onSince === null) return rule;
    const ruleDimensions = new Set(rule.events.flatMap((event) => dimensions.get(event) ?? []));
    const violations = decisions
      .filter(
        ({ questionSequence, dimension }) =>
          questionSequence !== null && questionSequence > onSince && ruleDimensions.has(dimension),
      )
      .map(({ sequence, at }) => ({ sequence, at }));
    return violations.length === 0 ? rule : { ...rule, broken: violations };
  });
}
