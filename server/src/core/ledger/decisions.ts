// Reads the decisions on rules from the ledger: dismissals, rejections, kept changes, rollbacks, and the rules that
// should pause.

import type { Dismissal, DismissalKind, Millis } from '../model.ts';
import { determineOutcome } from './changeOutcome.ts';
import type { LedgerState } from './folds.ts';

/** Numbers of decisions about the opportunities of one rule. */
export interface RuleDecisions {
  readonly kept: number;
  readonly rolledBack: number;
  readonly rejected: number;
  /** Dismissals of the kinds `notAProblem` and `other`. */
  readonly dismissed: number;
  /** Dismissals of the kind `wrong`. */
  readonly wrong: number;
}

const NO_RULE_DECISIONS: RuleDecisions = { kept: 0, rolledBack: 0, rejected: 0, dismissed: 0, wrong: 0 };

/**
 * The count to which each kind of dismissal adds; null if it is not a judgement of the rule. `later` only postpones,
 * and `generated` is about the file.
 */
const COUNTED_AS: Readonly<Record<DismissalKind, keyof RuleDecisions | null>> = {
  notAProblem: 'dismissed',
  wrong: 'wrong',
  other: 'dismissed',
  later: null,
  generated: null,
};

/** Number of consecutive failures, up to the newest outcome, after which a rule is paused. */
const FAILURES_BEFORE_PAUSE = 5;
/** Length of a pause in milliseconds, from the last failure on: one day. */
const RULE_PAUSE_MS = 86_400_000;

/**
 * Counts decisions by rule. A dismissal counts if its rule is known and its kind is a judgement of the rule. If an
 * opportunity has no such dismissal, each of its proposals that was kept, rejected or rolled back counts. A proposal
 * whose lines a person has written differently, and a decision whose lesson a person has forgotten, do not count.
 */
export function countDecisions({
  dismissed,
  proposals,
  idsWithForgottenLessons,
}: Pick<LedgerState, 'dismissed' | 'proposals' | 'idsWithForgottenLessons'>): ReadonlyMap<string, RuleDecisions> {
  const decisions = new Map<string, RuleDecisions>();
  const addDecision = (rule: string, count: keyof RuleDecisions): void => {
    const counts = decisions.get(rule) ?? NO_RULE_DECISIONS;
    decisions.set(rule, { ...counts, [count]: counts[count] + 1 });
  };
  const countedOpportunities = new Set<string>();
  for (const { opportunity, rule, kind } of dismissed.values()) {
    const count = COUNTED_AS[kind];
    if (rule === null || !count || idsWithForgottenLessons.has(opportunity)) continue;
    countedOpportunities.add(opportunity);
    addDecision(rule, count);
  }
  for (const proposal of proposals.values()) {
    const { id, opportunity } = proposal;
    const outcome = determineOutcome(proposal);
    if (
      !idsWithForgottenLessons.has(id) &&
      (outcome === 'kept' || outcome === 'rolledBack' || outcome === 'rejected') &&
      !countedOpportunities.has(opportunity.id)
    )
      addDecision(opportunity.rule, outcome);
  }
  return decisions;
}

/** The dismissals in force at a given time, oldest first. */
export function selectActiveDismissals(
  { dismissed }: Pick<LedgerState, 'dismissed'>,
  now: Millis,
): readonly Dismissal[] {
  return [...dismissed.values()].filter(({ until }) => until === null || now < until);
}

/**
 * The paused rules, with the end of each pause. A proposal has failed if the gates refused it, if it failed its
 * probation, or if a person rejected it or rolled it back. An opportunity that a recipe declines has no outcome.
 */
export function findPausedRules({ outcomes }: Pick<LedgerState, 'outcomes'>, now: Millis): ReadonlyMap<string, Millis> {
  const outcomesByRule = new Map<string, { readonly at: Millis; readonly failed: boolean }[]>();
  for (const { rule, at, failed } of outcomes.values()) {
    const outcomesOfRule = outcomesByRule.get(rule);
    if (outcomesOfRule) outcomesOfRule.push({ at, failed });
    else outcomesByRule.set(rule, [{ at, failed }]);
  }
  return new Map(
    [...outcomesByRule].flatMap(([rule, ruleOutcomes]): [string, Millis][] => {
      const lastOutcomes = ruleOutcomes.slice(-FAILURES_BEFORE_PAUSE);
      const until = (lastOutcomes.at(-1)?.at ?? 0) + RULE_PAUSE_MS;
      return lastOutcomes.length === FAILURES_BEFORE_PAUSE && lastOutcomes.every(({ failed }) => failed) && now < until
        ? [[rule, until]]
        : [];
    }),
  );
}
