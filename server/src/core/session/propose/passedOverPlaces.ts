// Finds the places that were skipped before anything was tried, and records them, one entry for each place and reason.

import { MIN_CONFIDENCE } from '../../prioritise/prioritise.ts';
import { computePriority } from '../../prioritise/priority.ts';
import { formatMoment, NO_REASON, type SkippedPlace, type SkipCause } from '../../model/skippedPlaces.ts';
import type { Opportunity } from '../../model.ts';
import type { HiddenOpportunity } from '../analyse/analysisTypes.ts';
import { mayTryUnasked } from '../../propose/unattended.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';
import { loadPriorityContext } from '../analyse/ranking.ts';
import { readExperience } from '../learn/trials.ts';

/**
 * The cause of skipping a place, by the reason why it is hidden. Reasons that hide whole rules, such as settings, are
 * absent, because such places are not recorded.
 */
const CAUSE_BY_HIDING: Readonly<Partial<Record<HiddenOpportunity['by'], SkipCause>>> = {
  dismissed: 'dismissed',
  generated: 'notOurs',
  baseline: 'baseline',
  comment: 'comment',
};
/** Causes that a separate event already records. */
const RECORDED_ELSEWHERE: ReadonlySet<SkipCause> = new Set([
  'dismissed',
  'declined',
  'refused',
  'rejected',
  'rolledBack',
]);
/** Maximum number of places in one event. */
const BATCH_SIZE = 500;

/**
 * Returns the reason for each opportunity in `opportunities` that a recipe could improve but that may not be tried
 * unasked, because it is not in `eligible`. The reasons, in this order: an earlier refusal, a paused rule, changes that
 * a person does not want, too little confidence, and otherwise too many waiting changes of judge files.
 */
export async function findPassedOver(
  context: SessionContext,
  opportunities: readonly Opportunity[],
  eligible: readonly Opportunity[],
): Promise<readonly SkippedPlace[]> {
  const eligibleIds = new Set(eligible.map(({ id }) => id));
  const untriedOpportunities = opportunities.filter(({ id, recipe }) => mayTryUnasked(recipe) && !eligibleIds.has(id));
  if (untriedOpportunities.length === 0) return [];
  const [ranking, refusals, pausedRules, { isResting }] = [
    await loadPriorityContext(context, true),
    await context.ledger.refusals(),
    await context.ledger.pausedRules(),
    await readExperience(context),
  ];
  return untriedOpportunities.map((opportunity) => {
    const refusal = refusals.get(opportunity.id);
    if (refusal) return createSkippedPlace(opportunity, refusal.by, refusal.reason ?? NO_REASON, refusal.at);
    const until = pausedRules.get(opportunity.rule);
    if (until !== undefined)
      return createSkippedPlace(
        opportunity,
        'resting',
        `The rule is resting until ${formatMoment(until)}: its last five changes failed.`,
      );
    if (opportunity.recipe !== null && isResting(opportunity.rule, opportunity.recipe))
      return createSkippedPlace(
        opportunity,
        'unwanted',
        'A person turned down such changes. `selfware learned` lists the lesson; `selfware learned forget ID` undoes it.',
      );
    if (computePriority(opportunity, ranking).confidence.confidence <= MIN_CONFIDENCE) {
      return createSkippedPlace(opportunity, 'unsure', 'The confidence that this is worth a change is too low.');
    }
    return createSkippedPlace(
      opportunity,
      'waiting',
      'The allowed number of changes of tests and configuration already waits for a decision.',
    );
  });
}

/**
 * The hidden places that a recipe could improve, except those that are hidden for other reasons than in
 * `CAUSE_BY_HIDING`.
 */
export function listHiddenPlaces(hidden: readonly HiddenOpportunity[]): readonly SkippedPlace[] {
  return hidden.flatMap(({ opportunity, by, reason }) => {
    const cause = CAUSE_BY_HIDING[by];
    return cause && mayTryUnasked(opportunity.recipe)
      ? [
          createSkippedPlace(
            opportunity,
            cause,
            reason ?? (cause === 'baseline' ? 'The baseline holds it.' : NO_REASON),
          ),
        ]
      : [];
  });
}

/**
 * The entry for an opportunity that was skipped. `reason`: a sentence. `since`: the time of an earlier refusal; null if
 * there was none.
 */
export function createSkippedPlace(
  { id, rule, path }: Pick<Opportunity, 'id' | 'rule' | 'path'>,
  cause: SkipCause,
  reason: string,
  since: SkippedPlace['since'] = null,
): SkippedPlace {
  return { opportunity: id, rule, path, by: cause, reason, since };
}

/** Records the places that are not in the ledger yet. A damaged ledger is reported elsewhere. */
export async function recordPassedOver(context: SessionContext, places: readonly SkippedPlace[]): Promise<void> {
  await fallBackIfDamaged(context, undefined, async () => {
    const recordedPlaces = await context.ledger.passedOver();
    const newPlaces = places.filter(
      ({ opportunity, by, reason }) =>
        !RECORDED_ELSEWHERE.has(by) && !recordedPlaces.get(opportunity)?.has(`${by} ${reason}`),
    );
    for (let from = 0; from < newPlaces.length; from += BATCH_SIZE) {
      const batch = newPlaces.slice(from, from + BATCH_SIZE).map(({ since: _since, ...place }) => place);
      await context.ledger.record({ type: 'passedOver', data: { places: batch } });
    }
  });
}
