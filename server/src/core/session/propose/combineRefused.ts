// Retries a change that did not raise the score, combined with other changes at the same place.

import type { Opportunity, Proposal } from '../../model.ts';
import type { SessionContext } from '../context.ts';

/**
 * Maximum number of opportunities that are combined with others in one request. Each combination may need several runs
 * of the compiler.
 */
const MAX_TRIES = 5;

/** A combined change. `opportunity`: the opportunity for which it was made. */
export interface ComposedChange {
  readonly opportunity: Opportunity;
  readonly edits: Proposal['edits'];
  readonly title: string;
  readonly rationale: string;
}

/**
 * Searches a combined change for an opportunity whose proposal failed only the gate `score`. Null if there is none that
 * `accepts` allows. `opportunities`: the current opportunities. The result is verified like any other proposal.
 */
export async function combineRefusedChange(
  context: SessionContext,
  opportunities: readonly Opportunity[],
  accepts: (composed: ComposedChange) => Promise<boolean>,
  signal: AbortSignal,
): Promise<ComposedChange | null> {
  const refusedIds = new Set(
    (await context.ledger.proposals()).filter(hasFailedOnlyByScore).map(({ opportunity }) => opportunity.id),
  );
  const excluded = {
    rules: context.settings['rules.disabled'],
    opportunities: (await context.ledger.dismissals()).map(({ opportunity }) => opportunity),
  };
  const candidates = opportunities
    .filter(({ id, recipe }) => recipe !== null && refusedIds.has(id))
    .slice(0, MAX_TRIES);
  for (const opportunity of candidates) {
    const outcome = await context.ports.jobs.run(
      'compose',
      { rootDir: context.ports.files.rootDir, opportunity, without: excluded },
      signal,
    );
    if ('refused' in outcome) continue;
    const composed = { opportunity, ...outcome };
    if (await accepts(composed)) return composed;
  }
  return null;
}

/** True if the gates refused the proposal, and only `score` failed. */
function hasFailedOnlyByScore({ status, verdicts }: Proposal): boolean {
  const failedVerdicts = verdicts.filter(({ outcome }) => outcome === 'failed');
  return status === 'refused' && failedVerdicts.length === 1 && failedVerdicts[0]?.gate === 'score';
}
