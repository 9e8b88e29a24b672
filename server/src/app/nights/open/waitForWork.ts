// Waits when nothing is left to try, and uses the time for the red team and for trials of rules.

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeferredWish, readWishes } from '../../../core/run/wishes.ts';
import type { Settings } from '../../../settings/schema.ts';
import { describeError, throwIfCancelled } from '../../../util/typedError.ts';
import type { BegunRun } from '../beginRun.ts';
import { chooseTrustedProposer } from '../giveCanary.ts';
import { findStopReason, type NightContext } from '../night.ts';
import { tryRedTeam, type RedTeam } from '../redTeam.ts';
import { tryRules } from '../tryRules.ts';
import { findUntriedWish } from '../tryWish.ts';
import type { RunPause } from './ratePause.ts';
import { isWithoutPower } from './waitForPower.ts';

/** Milliseconds after which a waiting run looks again for a new commit, a wish and the kill switch. */
const LOOK_MS = 5_000;

/** The maximum time that a run waits, and the work that it does meanwhile. */
interface Pause {
  /** The commit on which the branch starts. */
  readonly base: string;
  readonly until: number;
  /** The used-up rate that makes it wait; null if nothing is left to try. */
  readonly pause: RunPause | null;
  readonly fruitless: number;
  readonly redTeam: RedTeam & { readonly settings: Settings };
}

/**
 * Waits until a time, a commit, a wish, the kill switch, an escape, or until another process is to continue. Meanwhile
 * the red team tries variants, then the proposer a rule. `moved`: there is a new commit.
 */
export async function waitForWork(
  context: NightContext,
  begunRun: BegunRun,
  { base, until, pause: ratePause, fruitless, redTeam }: Pause,
  signal: AbortSignal,
): Promise<'again' | 'moved'> {
  const { request, repository, branch, isQuiet } = context;
  const { branch: night, run } = begunRun;
  const reason = ratePause?.reason ?? (await explainWaiting(context, begunRun));
  await repository.ledger.record({ type: 'nightWaiting', data: { night, run, until, reason, fruitless } });
  request.onEvent({ type: 'waiting', until, reason });
  const isWished = async () =>
    (await findUntriedWish(repository.ledger, begunRun, isQuiet)) !== null &&
    (await chooseTrustedProposer(context, begunRun)) !== null;
  const finishedSignal = new AbortController();
  const escape = new AbortController();
  const idle = AbortSignal.any([signal, finishedSignal.signal]);
  const trying = tryRedTeam(context, begunRun, redTeam, idle)
    .then((hasEscaped) => (hasEscaped ? escape.abort() : tryRules(context, begunRun, redTeam.settings, idle)))
    .catch((error: unknown) => {
      if (!idle.aborted)
        request.onEvent({ type: 'note', text: `Its work in idle time has ended early. ${describeError(error)}` });
    });
  try {
    const awake = AbortSignal.any([signal, escape.signal]);
    while (Date.now() < until && !escape.signal.aborted) {
      const pause = Math.min(LOOK_MS, Math.max(1, until - Date.now()));
      await sleep(pause, undefined, { signal: awake }).catch(() => throwIfCancelled(signal));
      throwIfCancelled(signal);
      if ((await branch.head()) !== base) return 'moved';
      if (request.drain?.aborted || (await findStopReason(context, begunRun)) || (await isWished())) return 'again';
      if (await isWithoutPower(context, redTeam.settings)) return 'again';
    }
    return 'again';
  } finally {
    finishedSignal.abort();
    await trying;
  }
}

/** The events for which the run waits, as sentences. */
async function explainWaiting({ repository }: NightContext, { proposer, kinds }: BegunRun): Promise<string> {
  const mayWish = proposer !== null && kinds?.includes('wishes') !== false;
  const isDeferred = mayWish && (await readWishes(repository.ledger)).some(isDeferredWish);
  const furtherReasons = !mayWish ? '' : isDeferred ? ', a wish, or once the machine is quieter' : ' or a wish';
  return `Nothing is left to try. It continues after a commit${furtherReasons}.`;
}
