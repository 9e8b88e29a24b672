// Which opportunities are shown: a rule may be off or have a higher limit, a person may have dismissed one, a baseline
// may hold one.

import type { Dismissal, Opportunity, Severity } from '../model.ts';

/** What holds for one rule; settings and the rule's own word put together. */
export interface RuleView {
  /** `quiet`: nobody has switched it off, and nobody on. */
  readonly off: false | 'off' | 'quiet';
  /** Null: as the opportunity says. */
  readonly severity: Severity | null;
  /** Shown only where this figure of the evidence is above the limit. */
  readonly limit: { readonly evidence: string; readonly above: number } | null;
}

export interface ViewContext {
  /** By rule; a rule that is not there is shown as it is. */
  readonly rules: ReadonlyMap<string, RuleView>;
  /** Dismissals in force, by opportunity. */
  readonly dismissed: ReadonlyMap<string, Dismissal>;
  /** Ids of opportunities that the baseline holds. */
  readonly baseline: ReadonlySet<string>;
  /** Why nobody here edits a file, in words: `.gitattributes` or a licence says so. Null for all others. */
  readonly notOurs: (path: string) => string | null;
}

export type HiddenBy = 'off' | 'quiet' | 'limit' | 'generated' | 'dismissed' | 'baseline';

export interface Viewed {
  /** With the severity that the settings say. */
  readonly shown: readonly Opportunity[];
  readonly hidden: readonly {
    readonly opportunity: Opportunity;
    readonly by: HiddenBy /** In words; null where there is nothing to add. */;
    readonly reason: string | null;
  }[];
}

/** Pure, and cheap enough for every question: no analysis is repeated when a setting changes. Keeps the order. */
export function viewOf(opportunities: readonly Opportunity[], context: ViewContext): Viewed {
  const shown: Opportunity[] = [];
  const hidden: Viewed['hidden'][number][] = [];
  for (const found of opportunities) {
    const rule = context.rules.get(found.rule);
    const opportunity =
      rule?.severity && rule.severity !== found.severity ? { ...found, severity: rule.severity } : found;
    const hiding = hidingOf(opportunity, rule, context);
    if (hiding) hidden.push({ opportunity, ...hiding });
    else shown.push(opportunity);
  }
  return { shown, hidden };
}

function hidingOf(
  opportunity: Opportunity,
  rule: RuleView | undefined,
  { dismissed, baseline, notOurs }: ViewContext,
): Omit<Viewed['hidden'][number], 'opportunity'> | null {
  if (rule?.off === 'off') return { by: 'off', reason: null };
  if (rule?.limit && isBelow(opportunity.evidence[rule.limit.evidence], rule.limit.above))
    return { by: 'limit', reason: `at most ${rule.limit.above}` };
  const whose = notOurs(opportunity.path);
  if (whose !== null) return { by: 'generated', reason: whose };
  const dismissal = dismissed.get(opportunity.id);
  if (dismissal) return { by: 'dismissed', reason: dismissal.reason ?? dismissal.kind };
  if (baseline.has(opportunity.id)) return { by: 'baseline', reason: null };
  // Last: what is hidden for nothing else is what somebody may want to see.
  return rule?.off === 'quiet' ? { by: 'quiet', reason: null } : null;
}

/** A figure that was not measured hides nothing. */
function isBelow(figure: number | string | undefined, limit: number): boolean {
  return typeof figure === 'number' && figure <= limit;
}
