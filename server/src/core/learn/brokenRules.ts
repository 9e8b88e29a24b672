// Finds the rules that were broken again: the same correction came after the rule was on.

import type { Feedback } from './feedback.ts';
import type { Broken, WrittenRule } from './ruleBook.ts';

/**
 * The rules, each with the corrections that show that it was broken while it was on. A correction is the same if it has
 * the dimension of an event that the rule was written because of.
 */
export function withBroken(rules: readonly WrittenRule[], feedback: readonly Feedback[]): readonly WrittenRule[] {
  const dimensions = new Map(feedback.map(({ sequence, dimension }) => [sequence, dimension]));
  const corrections = feedback.filter(({ kind }) => kind === 'user_correction');
  return rules.map((rule) => {
    const { onSince } = rule;
    if (onSince === null) return rule;
    const about = new Set(rule.events.flatMap((event) => dimensions.get(event) ?? []));
    const broken = corrections
      .filter(({ sequence, dimension }) => sequence > onSince && about.has(dimension))
      .map(({ sequence, at, session }): Broken => ({ sequence, at, session: session === '' ? null : session }));
    return broken.length === 0 ? rule : { ...rule, broken };
  });
}
