// Reads from the ledger what decisions say about rules: dismissals, rejections, kept changes, rollbacks, and the rules
// that should pause.

import type { Dismissal, DismissalKind, Millis } from '../model.ts';
import type { LedgerState } from './folds.ts';

/** Decisions about the opportunities of one rule. */
export interface RuleDecisions {
  readonly kept: number;
  readonly rolledBack: number;
  readonly rejected: number;
  readonly dismissed: number;
  readonly wrong: number;
}

const NONE: RuleDecisions = { kept: 0, rolledBack: 0, rejected: 0, dismissed: 0, wrong: 0 };

/**
 * The count to which each kind of dismissal adds. `later` says nothing about the rule, and `generated` is about the
 * file.
 */
const TEACHES: Readonly<Record<DismissalKind, keyof RuleDecisions | null>> = {
  notAProblem: 'dismissed',
  wrong: 'wrong',
  other: 'dismissed',
  later: null,
  generated: null,
};

/** A rule that failed in this many consecutive attempts is paused. */
const ATTEMPTS = 5;
/** One day from the last failure on. */
const COOLING_MS = 86_400_000;

/**
 * Each opportunity counts once: by its dismissal, or else by each of its finished proposals. What a person has taken
 * back as a lesson does not count.
 */
export function decisionsOf({
  dismissed,
  proposals,
  untaught,
}: Pick<LedgerState, 'dismissed' | 'proposals' | 'untaught'>): ReadonlyMap<string, RuleDecisions> {
  const decisions = new Map<string, RuleDecisions>();
  const add = (rule: string, what: keyof RuleDecisions): void => {
    const known = decisions.get(rule) ?? NONE;
    decisions.set(rule, { ...known, [what]: known[what] + 1 });
  };
  const taught = new Set<string>();
  for (const { opportunity, rule, kind } of dismissed.values()) {
    const what = TEACHES[kind];
    if (rule === null || !what || untaught.has(opportunity)) continue;
    taught.add(opportunity);
    add(rule, what);
  }
  for (const { id, status, opportunity, replacedBy } of proposals.values()) {
    if (
      replacedBy === undefined &&
      !untaught.has(id) &&
      (status === 'kept' || status === 'rolledBack' || status === 'rejected') &&
      !taught.has(opportunity.id)
    )
      add(opportunity.rule, status);
  }
  return decisions;
}

/** The dismissals in force at a given time, oldest first. */
export function dismissalsAt({ dismissed }: Pick<LedgerState, 'dismissed'>, now: Millis): readonly Dismissal[] {
  return [...dismissed.values()].filter(({ until }) => until === null || now < until);
}

/**
 * The paused rules, with the end of each pause. A recipe that refuses a place costs nothing; only proposals that failed
 * at the gates or with a person count.
 */
export function coolingOf({ outcomes }: Pick<LedgerState, 'outcomes'>, now: Millis): ReadonlyMap<string, Millis> {
  const byRule = new Map<string, { readonly at: Millis; readonly failed: boolean }[]>();
  for (const { rule, at, failed } of outcomes.values()) {
    const known = byRule.get(rule);
    if (known) known.push({ at, failed });
    else byRule.set(rule, [{ at, failed }]);
  }
  return new Map(
    [...byRule].flatMap(([rule, all]): [string, Millis][] => {
      const last = all.slice(-ATTEMPTS);
      const until = (last.at(-1)?.at ?? 0) + COOLING_MS;
      return last.length === ATTEMPTS && last.every(({ failed }) => failed) && now < until ? [[rule, until]] : [];
    }),
  );
}
