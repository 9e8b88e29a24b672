// Finds the rules that were broken again: a person refused a change although the rule was on when it was asked for.

import type { Millis } from '../model.ts';
import type { WrittenRule } from './ruleBook.ts';

/** A decision of a person about a change or a finding. What agents record about themselves is none. */
export interface Decided {
  /** Sequence of the event in the ledger. */
  readonly sequence: number;
  readonly at: Millis;
  /** The rule or the kind of task that the change was made for. */
  readonly dimension: string;
  /** Sequence of the question to a model or an agent; null = it was made or found without one, so nobody was told. */
  readonly asked: number | null;
}

/**
 * The rules, each with the corrections that show that it was broken: changes that were asked for while it was on, and
 * that a person then rejected or rolled back. A correction is the same if it has the dimension of an event that the rule
 * was written because of.
 */
export function withBroken(rules: readonly WrittenRule[], decided: readonly Decided[]): readonly WrittenRule[] {
  const dimensions = new Map(decided.map(({ sequence, dimension }) => [sequence, dimension]));
  return rules.map((rule) => {
    const { onSince } = rule;
    if (onSince === null) return rule;
    const about = new Set(rule.events.flatMap((event) => dimensions.get(event) ?? []));
    const broken = decided
      .filter(({ asked, dimension }) => asked !== null && asked > onSince && about.has(dimension))
      .map(({ sequence, at }) => ({ sequence, at }));
    return broken.length === 0 ? rule : { ...rule, broken };
  });
}
