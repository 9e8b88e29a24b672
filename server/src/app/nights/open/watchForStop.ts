// Watches for a request to end the run during a long search, so that the search can be stopped early.

import { findStopReason, type NightContext } from '../night.ts';

/** Minimum number of milliseconds between two checks. */
const LOOK_MS = 1_000;
/** Maximum share of the time that the checks take, because they run on the thread of the search. */
const MAX_SHARE = 1 / 20;

/** Calls `work` with a signal that is aborted within seconds after a person has asked the run to end. */
export async function withStopSignal<T>(
  context: NightContext,
  begunRun: { readonly run: string },
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const isOver = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const begunAt = performance.now();
    // The ledger may be busy. An error is ignored here, because the run itself reports errors of the ledger.
    const reason = await findStopReason(context, begunRun).catch(() => null);
    if (reason !== null) stop.abort();
    else if (!isOver.signal.aborted)
      timer = setTimeout(() => void look(), Math.max(LOOK_MS, (performance.now() - begunAt) / MAX_SHARE));
  };
  timer = setTimeout(() => void look(), LOOK_MS);
  try {
    return await work(stop.signal);
  } finally {
    isOver.abort();
    clearTimeout(timer);
  }
}
