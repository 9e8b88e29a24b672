// Decides which opportunities are shown: a rule may be off, quiet or have a limit, people may not edit the file, a
// person may have dismissed an opportunity, or a baseline may hide it.

import type { Dismissal, Opportunity, Severity } from '../model.ts';

/** The way in which one rule is shown, from its defaults and the settings. */
export interface RuleView {
  /** `quiet`: off by default, and not switched on. */
  readonly hiddenBy: false | 'off' | 'quiet';
  /** The severity to show; null for the severity of the opportunity. */
  readonly severity: Severity | null;
  /**
   * Opportunities are shown only if the figure `evidence` of their evidence exceeds `above`; null if there is no limit.
   */
  readonly limit: { readonly evidence: string; readonly above: number } | null;
}

/** The data that determine whether an opportunity is shown. */
export interface ViewContext {
  /** The views by rule. Opportunities of other rules are shown unchanged. */
  readonly rules: ReadonlyMap<string, RuleView>;
  /** Dismissals in force, by opportunity. */
  readonly dismissed: ReadonlyMap<string, Dismissal>;
  /** Ids of opportunities that the baseline hides. */
  readonly baseline: ReadonlySet<string>;
  /**
   * The reason why people do not edit a file here, according to `.gitattributes` or a licence; null for all other
   * files.
   */
  readonly explainForeign: (path: string) => string | null;
}

/**
 * The cause for hiding an opportunity. `generated`: people do not edit its file here. `off`: the rule is off. `quiet`:
 * the rule is off by default, and not switched on. `limit`: its figure does not exceed the limit.
 */
export type HiddenBy = 'off' | 'quiet' | 'limit' | 'generated' | 'dismissed' | 'baseline';

/** Opportunities, divided into shown and hidden ones. */
export interface DividedOpportunities {
  /** The opportunities to show, with the severity from the settings. */
  readonly shown: readonly Opportunity[];
  readonly hidden: readonly {
    readonly opportunity: Opportunity;
    readonly by: HiddenBy;
    /** Further details of the cause, as text; null if there are none. */
    readonly reason: string | null;
  }[];
}

/**
 * Divides opportunities into shown and hidden ones, each in their order. Pure and fast, so that a changed setting needs
 * no new analysis.
 */
export function divideByVisibility(opportunities: readonly Opportunity[], context: ViewContext): DividedOpportunities {
  const visible: Opportunity[] = [];
  const hidden: DividedOpportunities['hidden'][number][] = [];
  for (const original of opportunities) {
    const rule = context.rules.get(original.rule);
    const opportunity =
      rule?.severity && rule.severity !== original.severity ? { ...original, severity: rule.severity } : original;
    const hiding = findHiding(opportunity, rule, context);
    if (hiding) hidden.push({ opportunity, ...hiding });
    else visible.push(opportunity);
  }
  return { shown: visible, hidden };
}

/** The cause for hiding an opportunity, with a reason; null if it is shown. */
function findHiding(
  opportunity: Opportunity,
  rule: RuleView | undefined,
  { dismissed, baseline, explainForeign }: ViewContext,
): Omit<DividedOpportunities['hidden'][number], 'opportunity'> | null {
  if (rule?.hiddenBy === 'off') return { by: 'off', reason: null };
  if (rule?.limit && isWithinLimit(opportunity.evidence[rule.limit.evidence], rule.limit.above))
    return { by: 'limit', reason: `at most ${rule.limit.above}` };
  const foreignReason = explainForeign(opportunity.path);
  if (foreignReason !== null) return { by: 'generated', reason: foreignReason };
  const dismissal = dismissed.get(opportunity.id);
  if (dismissal) return { by: 'dismissed', reason: dismissal.reason ?? dismissal.kind };
  if (baseline.has(opportunity.id)) return { by: 'baseline', reason: null };
  // The cause `quiet` is checked last, because somebody may want to see the opportunities that only it hides.
  return rule?.hiddenBy === 'quiet' ? { by: 'quiet', reason: null } : null;
}

/**
 * True for a measured figure that does not exceed the limit. A figure that was not measured does not hide an
 * opportunity.
 */
function isWithinLimit(figure: number | string | undefined, limit: number): boolean {
  return typeof figure === 'number' && figure <= limit;
}
