// The notice that a person gets outside of the editor about an unattended run: numbers, without code, titles or paths
// of files.

import { formatCount } from '../../util/counted.ts';
import type { Night } from './nightTypes.ts';

/**
 * `ended`: the run is over. `waits`: the first proposal of the run waits for a person, and the run continues.
 * `needsPerson`: the run cannot continue without a person. `test`: somebody is testing the setting.
 */
export type NoticeOccasion = 'ended' | 'waits' | 'needsPerson' | 'test';

/**
 * The JSON that the configured command reads, or that is sent to the configured address. New fields may be added under
 * the same `version`; it rises if an existing field changes.
 */
export interface NightNotice {
  readonly version: 1;
  readonly event: NoticeOccasion;
  /** One sentence for a person, made of the fields below. Chat services that take `text` show it. */
  readonly text: string;
  /** The name of the repository's folder, without its path. */
  readonly repository: string;
  /** The branch of the run; null if there was none yet. */
  readonly branch: string | null;
  /** The kind of the anomaly that paused the run; null if none did. */
  readonly anomaly: string | null;
  /** Number of commits on the branch. */
  readonly changes: number;
  /** Number of proposals on which only a person may decide. */
  readonly waiting: number;
  /** Number of proposals that did not pass, or whose proof waits for a quieter machine. */
  readonly notTaken: number;
  /** `deferred`: the answer waits for a quieter machine. */
  readonly wishes: { readonly done: number; readonly notDone: number; readonly deferred: number };
}

/**
 * The notice about a night. `night`: null if no run has begun yet. `anomaly`: the kind of the anomaly that paused the
 * run.
 */
export function createNotice(
  event: NoticeOccasion,
  repository: string,
  night: Night | null,
  anomaly: string | null = null,
): NightNotice {
  const misses = night?.misses ?? [];
  const waitingCount = misses.filter(({ what }) => what === 'asks').length;
  const wishes = night?.wishes ?? [];
  const doneCount = wishes.filter((wish) => wish.done).length;
  const deferredCount = wishes.filter(({ isDeferred }) => isDeferred).length;
  const counts = {
    changes: night?.changes.length ?? 0,
    waiting: waitingCount,
    notTaken: misses.length - waitingCount,
    wishes: { done: doneCount, notDone: wishes.length - doneCount - deferredCount, deferred: deferredCount },
  };
  const branch = night?.branch ?? null;
  return {
    version: 1,
    event,
    text: composeSentence(event, repository, counts),
    repository,
    branch,
    anomaly,
    ...counts,
  };
}

/** The numbers of a notice. */
type Counts = Pick<NightNotice, 'changes' | 'waiting' | 'notTaken' | 'wishes'>;

const OCCASION_TEXTS: Readonly<Record<NoticeOccasion, string>> = {
  ended: 'the unattended run has ended',
  waits: 'something waits for you, and the run continues',
  needsPerson: 'the unattended run needs you; `selfware report` says why',
  test: 'this is a test',
};

function composeSentence(
  event: NoticeOccasion,
  repository: string,
  { changes, waiting, notTaken, wishes }: Counts,
): string {
  const wishCount = wishes.done + wishes.notDone + wishes.deferred;
  const figures = [
    formatCount(changes, 'change'),
    ...(waiting > 0 ? [formatCount(waiting, 'waits for you', 'wait for you')] : []),
    ...(notTaken > 0 ? [formatCount(notTaken, 'proposal was not taken', 'proposals were not taken')] : []),
    ...(wishCount > 0 ? [`${wishes.done} of ${formatCount(wishCount, 'wish', 'wishes')} done`] : []),
    ...(wishes.deferred > 0 ? [`${wishes.deferred} deferred`] : []),
  ];
  const result = event === 'test' ? 'It works.' : `${figures.join(', ')}.`;
  return `Selfware in ${repository}: ${OCCASION_TEXTS[event]}. ${result}`;
}
