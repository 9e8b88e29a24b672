// Waits when nothing is left to try. Meanwhile, the red team tries its variants, and rules are tried.

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeferredWish, readWishes } from '../../../core/run/wishes.ts';
import type { Session } from '../../../core/session.ts';
import type { Settings } from '../../../settings/schema.ts';
import { describeError, throwIfCancelled } from '../../../util/typedError.ts';
import type { BegunRun } from '../beginRun.ts';
import { chooseTrustedProposer } from '../giveCanary.ts';
import { findStopReason, type NightContext } from '../night.ts';
import { tryRedTeam, type RedTeam } from '../redTeam.ts';
import { tryRules } from '../tryRules.ts';
import { findUntriedWish } from '../tryWish.ts';
import { isWorthRetry, listDeferred } from './deferredWork.ts';
import type { RunPause } from './ratePause.ts';
import { isWithoutPower } from './waitForPower.ts';

/** Milliseconds between two checks of a waiting run for a commit, a wish, a quiet machine and the kill switch. */
const LOOK_MS = 5_000;

/** The time until which a run waits at most, its reason, and the work that it does meanwhile. */
interface Pause {
  /** The commit on which the branch starts. */
  readonly base: string;
  readonly until: number;
  /** The used-up rate because of which it waits; null if nothing is left to try. */
  readonly pause: RunPause | null;
  readonly fruitless: number;
  /** Deferrals that have already ended a wait on a quiet machine. Each ends at most one wait. */
  readonly retried: Set<string>;
  readonly redTeam: RedTeam & { readonly settings: Settings; readonly session: Session };
}

/**
 * Waits until the given time. Ends earlier for a new commit, a wish, a machine that is quiet enough for a deferred
 * proposal, a missing power supply, the kill switch, an escape of a variant, or if another process is to continue.
 * Meanwhile the red team tries variants, and then the proposer tries a rule. `moved`: there is a new commit.
 */
export async function waitForWork(
  context: NightContext,
  begunRun: BegunRun,
  { base, until, pause: ratePause, fruitless, retried, redTeam }: Pause,
  signal: AbortSignal,
  lookMs = LOOK_MS,
): Promise<'again' | 'moved'> {
  const { request, repository, branch, isQuiet } = context;
  const { branch: night, run } = begunRun;
  const reason = ratePause?.reason ?? (await explainWaiting(context, begunRun, redTeam.session));
  await repository.ledger.record({ type: 'nightWaiting', data: { night, run, until, reason, fruitless } });
  request.onEvent({ type: 'waiting', until, reason });
  const isWished = async () =>
    (await findUntriedWish(repository.ledger, begunRun, isQuiet)) !== null &&
    (await chooseTrustedProposer(context, begunRun)) !== null;
  const finishedSignal = new AbortController();
  const escape = new AbortController();
  const idleSignal = AbortSignal.any([signal, finishedSignal.signal]);
  const trying = tryRedTeam(context, begunRun, redTeam, idleSignal)
    .then((hasEscaped) => (hasEscaped ? escape.abort() : tryRules(context, begunRun, redTeam.settings, idleSignal)))
    .catch((error: unknown) => {
      if (!idleSignal.aborted)
        request.onEvent({ type: 'note', text: `Its work in idle time has ended early. ${describeError(error)}` });
    });
  try {
    const awake = AbortSignal.any([signal, escape.signal]);
    while (Date.now() < until && !escape.signal.aborted) {
      const pause = Math.min(lookMs, Math.max(1, until - Date.now()));
      await sleep(pause, undefined, { signal: awake }).catch(() => throwIfCancelled(signal));
      throwIfCancelled(signal);
      if ((await branch.head()) !== base) return 'moved';
      if (request.drain?.aborted || (await findStopReason(context, begunRun)) || (await isWished())) return 'again';
      if (await isWithoutPower(context, redTeam.settings)) return 'again';
      if (isQuiet() && (await isWorthRetry(begunRun, redTeam.session, retried))) return 'again';
    }
    return 'again';
  } finally {
    finishedSignal.abort();
    await trying;
  }
}

/** A sentence about the events that end the wait. */
async function explainWaiting({ repository }: NightContext, begunRun: BegunRun, session: Session): Promise<string> {
  const { proposer, kinds } = begunRun;
  const mayWish = proposer !== null && kinds?.includes('wishes') !== false;
  const isDeferred =
    (mayWish && (await readWishes(repository.ledger)).some(isDeferredWish)) ||
    (await listDeferred(begunRun, session)).length > 0;
  const wishReason = mayWish ? ' or a wish' : '';
  return `Nothing is left to try. It continues after a commit${wishReason}${isDeferred ? ', or once the machine is quieter' : ''}.`;
}
