// Detects events that other processes (another window, the command line) record in the ledger of the same repository,
// by polling for the newest event.

import type { LedgerEvent } from '../../core/ledger/events.ts';
import { runInBackground } from '../guardHandlers.ts';
import type { Feature, Repository } from '../serverContext.ts';

/** Milliseconds between two polls. They may be frequent, because each reads one row of a local database. */
const POLL_MS = 2000;
/** Events that change the lists of opportunities, in addition to decisions. */
const LIST_CHANGING_EVENTS: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  'opportunityDismissed',
  'opportunityRestored',
  'lessonForgotten',
  'rejected',
  'rolledBack',
  'kept',
]);
/**
 * Maximum number of new events whose types are checked. If there are more, another process is at work, and the lists of
 * opportunities are requested again in any case.
 */
const MAX_EVENTS = 50;

/**
 * Fires the events of the server (status, opportunities) when the ledger has new events. Events that this process has
 * recorded count, too, because the ledger does not distinguish them.
 */
export const forwardDecisionsOfOtherProcesses: Feature = ({ repositories, events, abilities, log }) => {
  // Clients without Selfware's interface cannot be notified.
  if (!abilities.canReview) return {};
  const lastEvents = new WeakMap<Repository, { readonly generation: number; readonly sequence: number }>();
  const checkForNewEvents = async (repository: Repository): Promise<void> => {
    const session = await repository.session();
    const [newestEvent] = await session.ledger.query({ limit: 1, newestFirst: true });
    const sequence = newestEvent?.sequence ?? 0;
    const previousEvent = lastEvents.get(repository);
    lastEvents.set(repository, { generation: repository.generation, sequence });
    if (previousEvent?.generation !== repository.generation || previousEvent.sequence === sequence) return;
    const newEvents = await session.ledger.query({
      limit: Math.min(MAX_EVENTS, Math.max(1, sequence - previousEvent.sequence)),
      newestFirst: true,
    });
    events.status.fire(repository);
    if (sequence - previousEvent.sequence > MAX_EVENTS || newEvents.some(({ type }) => LIST_CHANGING_EVENTS.has(type)))
      events.opportunities.fire({ repository, paths: null });
  };
  const checkInBackground = (repository: Repository): void => {
    if (repository.isOpen) runInBackground(log, 'What others have recorded', () => checkForNewEvents(repository));
  };
  // The first poll only stores the newest event, because only events after the repository was opened are new.
  events.opened.event(checkInBackground);
  setInterval(() => repositories.all().forEach(checkInBackground), POLL_MS).unref();
  return {};
};
