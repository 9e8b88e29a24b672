// Notices events that another window or the command line records about the same repository, by polling for the newest
// event.

import type { LedgerEvent } from '../../core/ledger/events.ts';
import { runInBackground } from '../guardHandlers.ts';
import type { Feature, Repository } from '../serverContext.ts';

/** Number of milliseconds between two polls. It can be small, because each poll reads one row of a local database. */
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
 * Maximum number of new events that are read one by one. More than that means that another process is at work, so
 * everything is requested again.
 */
const MAX_EVENTS = 50;

export const forwardDecisionsOfOtherProcesses: Feature = ({ repositories, events, abilities, log }) => {
  // Clients without Selfware's interface cannot be notified.
  if (!abilities.canReview) return {};
  const lastSeen = new WeakMap<Repository, { readonly generation: number; readonly sequence: number }>();
  const check = async (repository: Repository): Promise<void> => {
    const session = await repository.session();
    const [newest] = await session.ledger.query({ limit: 1, newestFirst: true });
    const sequence = newest?.sequence ?? 0;
    const previous = lastSeen.get(repository);
    lastSeen.set(repository, { generation: repository.generation, sequence });
    if (previous?.generation !== repository.generation || previous.sequence === sequence) return;
    const newEvents = await session.ledger.query({
      limit: Math.min(MAX_EVENTS, Math.max(1, sequence - previous.sequence)),
      newestFirst: true,
    });
    events.status.fire(repository);
    if (sequence - previous.sequence > MAX_EVENTS || newEvents.some(({ type }) => LIST_CHANGING_EVENTS.has(type)))
      events.opportunities.fire({ repository, paths: null });
  };
  const checkInBackground = (repository: Repository): void => {
    if (repository.isOpen) runInBackground(log, 'What others have recorded', () => check(repository));
  };
  // Only events after the repository was opened are new. The first poll only records the newest event so far.
  events.opened.event(checkInBackground);
  setInterval(() => repositories.all().forEach(checkInBackground), POLL_MS).unref();
  return {};
};
