// Copies events of the ledger between the repository and an unattended run, in both directions. The run has its own
// ledger, because its proposals and checkpoints belong to another tree.

import { join } from 'node:path';
import { createStateFolder } from '../../adapters/files/stateFolder.ts';
import { createContentStore } from '../../adapters/sqlite/contentStore.ts';
import { createLedgerStore } from '../../adapters/sqlite/ledgerStore.ts';
import { systemClock, createIds } from '../../adapters/system/system.ts';
import type { RecordedEvent } from '../../core/ledger/events.ts';
import { proposalIdOf } from '../../core/ledger/events.ts';
import { importEvents, type LedgerParts } from '../../core/ledger/importing.ts';
import { createLedger, type Ledger } from '../../core/ledger/ledger.ts';
import type { Millis, ProposalStatus } from '../../core/model.ts';
import type { Log } from '../../core/ports/system.ts';
import { NIGHT_EVENT_TYPES } from '../../core/run/nights.ts';
import { determineStrength } from '../../core/verify/strength.ts';

/** A ledger with its stores. It must be closed when it is no longer needed. */
export interface OpenLedger extends LedgerParts {
  readonly ledger: Ledger;
  close(): Promise<void>;
}

/** Opens the ledger of a state folder. Throws the errors of `createStateFolder`. */
export async function openLedger(stateDir: string, log: Log): Promise<OpenLedger> {
  await createStateFolder(stateDir);
  const store = await createLedgerStore(join(stateDir, 'ledger.db'), log);
  const contents = await createContentStore(join(stateDir, 'contents.db'));
  return {
    store,
    contents,
    ledger: createLedger(store, systemClock, createIds(systemClock), contents, determineStrength),
    async close() {
      await store.close();
      await contents.close();
    },
  };
}

/** Number of the newest event; 0 if there is none. */
export async function readNewestSequence(ledger: Pick<Ledger, 'query'>): Promise<number> {
  return (await ledger.query({ limit: 1, newestFirst: true })).at(0)?.sequence ?? 0;
}

/** Number of the newest event of a run that was recorded at this time or earlier; 0 if there is none. */
export async function readSequenceAt(ledger: Pick<Ledger, 'query'>, time: Millis): Promise<number> {
  return (
    (await ledger.query({ types: NIGHT_EVENT_TYPES, newestFirst: true })).find(({ at }) => at <= time)?.sequence ?? 0
  );
}

/** Types of events about the repository as a whole, and not about one tree. */
const SHARED_EVENTS: ReadonlySet<RecordedEvent['type']> = new Set([
  'opportunityDismissed',
  'opportunityRestored',
  'attempt',
  'consented',
  'consentWithdrawn',
  'asked',
  'answered',
  'remembered',
  'lessonForgotten',
  'recipeAccepted',
  'recipeForgotten',
]);
/**
 * Statuses of proposals that affect later runs. Proposals with other statuses concern only the tree in which they were
 * made.
 */
const STATUSES_SHARED_WITH_RUN: ReadonlySet<ProposalStatus> = new Set(['refused', 'rejected', 'rolledBack']);
/** Statuses of proposals of a run that are passed on to the repository: only refusals by checks. */
const STATUSES_SHARED_WITH_REPOSITORY: ReadonlySet<ProposalStatus> = new Set(['refused']);

/**
 * Copies to the ledger of a run what the repository's ledger knows: dismissals, refusals, agreements, past questions,
 * learned recipes. Returns the number of copied events.
 */
export async function copyEventsToRun(repository: OpenLedger, run: OpenLedger): Promise<number> {
  return importEvents(
    repository,
    run,
    await createShareFilter(repository, STATUSES_SHARED_WITH_RUN),
    determineStrength,
  );
}

/**
 * Copies to the repository's ledger what a run has learned: attempts, questions with their cost, and refusals. Returns
 * the number of copied events.
 */
export async function copyEventsFromRun(run: OpenLedger, repository: OpenLedger): Promise<number> {
  return importEvents(
    run,
    repository,
    await createShareFilter(run, STATUSES_SHARED_WITH_REPOSITORY),
    determineStrength,
  );
}

/**
 * Creates a function that is true for events to copy: shared events, and all events about proposals with these
 * statuses.
 */
async function createShareFilter(
  from: OpenLedger,
  sharedStatuses: ReadonlySet<ProposalStatus>,
): Promise<(event: RecordedEvent) => boolean> {
  const settledIds = new Set(
    (await from.ledger.proposals()).filter(({ status }) => sharedStatuses.has(status)).map(({ id }) => id),
  );
  return (event) => SHARED_EVENTS.has(event.type) || settledIds.has(proposalIdOf(event) ?? '');
}
