// Finds an opportunity by its id, even one that only rules with the type checker find.

import type { Opportunity } from '../../model.ts';
import { rejectWhenAborted } from '../../../util/watchdog.ts';
import type { SessionContext } from '../context.ts';
import { listOpportunities, findSlowOpportunities } from '../analyse/listOpportunities.ts';
import type { ProposeRequest } from './requests.ts';

/**
 * The opportunity with this id, even if something hides it; undefined if there is none. If the id is not among the
 * known findings, the search takes as long as a type check. Throws `cancelled`.
 */
export async function findOpportunityById(
  context: SessionContext,
  id: string,
  request: ProposeRequest,
): Promise<Opportunity | undefined> {
  const { shown, hidden } = await listOpportunities(context);
  const opportunities = [...shown, ...hidden.map(({ opportunity }) => opportunity)];
  const isNamed = (opportunity: Opportunity) => opportunity.id === id;
  return opportunities.find(isNamed) ?? (await waitForSlowFindings(context, request)).find(isNamed);
}

/**
 * Waits for the findings of slow rules. Other callers may wait for the same findings, so a cancel ends only the
 * waiting.
 */
async function waitForSlowFindings(
  context: SessionContext,
  { signal, report }: ProposeRequest,
): Promise<readonly Opportunity[]> {
  report?.({ stage: 'realising', done: 0, total: 1, message: 'the type checker looks at the repository' });
  return rejectWhenAborted(findSlowOpportunities(context), signal);
}
