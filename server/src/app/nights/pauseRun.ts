// Pauses a run when something is unusual, and lets a person continue or end it.

import { findAnomaly } from '../../core/run/anomalies/anomalies.ts';
import { collectFacts } from '../../core/run/anomalies/facts.ts';
import { NIGHT_EVENT_TYPES } from '../../core/run/nights.ts';
import { findUnansweredAnomaly } from '../../core/run/nightQueries.ts';
import type { Night } from '../../core/run/nightTypes.ts';
import type { RecordedEvent } from '../../core/ledger/events.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { BegunRun } from './beginRun.ts';
import { openLedger } from './sharedKnowledge.ts';
import { requireNight, loadNights, type NightContext, type NightRequest } from './night.ts';
import { resolveNightFolders } from './nightFolders.ts';
import { notifyOfRun } from './notifyPerson.ts';

/** An event of a night in the ledger. */
type Recorded = Extract<RecordedEvent, { readonly type: (typeof NIGHT_EVENT_TYPES)[number] }>;

/**
 * The reason why the run has to wait for a person; null if it may continue. Records a new anomaly and notifies the
 * person.
 */
export async function findPauseReason(context: NightContext, { branch, run }: BegunRun): Promise<string | null> {
  const { repository } = context;
  const knownAnomaly = findUnansweredAnomaly(await requireNight(repository.ledger, branch));
  if (knownAnomaly) return knownAnomaly.reason;
  const events = (await repository.ledger.query({ types: NIGHT_EVENT_TYPES })) as readonly Recorded[];
  const foundAnomaly = findAnomaly(collectFacts(events, run, Date.now()));
  if (!foundAnomaly) return null;
  const { kind, reason } = foundAnomaly;
  await repository.ledger.record({ type: 'nightPaused', data: { night: branch, run, kind, reason } });
  await notifyOfRun(context, branch, 'needsPerson', kind);
  return reason;
}

/** True if the run waits for a person's answer. */
export async function isPaused({ repository }: NightContext, branch: string): Promise<boolean> {
  return findUnansweredAnomaly(await requireNight(repository.ledger, branch)) !== null;
}

/** Lets the newest night's run continue. Returns this night. Throws `notFound` if it does not wait for a person. */
export async function continueRun(rootDir: string, env: NightRequest['env'], log: NightRequest['log']): Promise<Night> {
  const repository = await openLedger(resolveNightFolders(rootDir, env).state, log);
  try {
    const night = await requireNewestPaused(repository.ledger);
    const run = night.runs.at(-1)!.id;
    await repository.ledger.record({ type: 'nightAnswered', data: { night: night.branch, run, by: 'person' } });
    return await requireNight(repository.ledger, night.branch);
  } finally {
    await repository.close();
  }
}

/** Asks the newest run to end after its current step. Returns its night. Throws `notFound` if it has ended. */
export async function requestRunEnd(
  rootDir: string,
  env: NightRequest['env'],
  log: NightRequest['log'],
): Promise<Night> {
  const repository = await openLedger(resolveNightFolders(rootDir, env).state, log);
  try {
    const night = (await loadNights(repository.ledger)).at(-1);
    const run = night?.runs.at(-1);
    if (!night || !run || run.endedAt !== null)
      throw new SelfwareError('notFound', 'The unattended run is starting, or has ended already.', {
        action: 'Look again in a minute: `selfware report`.',
      });
    await repository.ledger.record({
      type: 'nightAskedToEnd',
      data: { night: night.branch, run: run.id, by: 'person' },
    });
    return night;
  } finally {
    await repository.close();
  }
}

/** The newest night, if its run waits for a person. Throws `notFound` otherwise. */
async function requireNewestPaused(ledger: Parameters<typeof loadNights>[0]): Promise<Night> {
  const night = (await loadNights(ledger)).at(-1);
  if (night && findUnansweredAnomaly(night)) return night;
  throw new SelfwareError('notFound', 'No unattended run waits for you.', { action: 'Run `selfware report`.' });
}
