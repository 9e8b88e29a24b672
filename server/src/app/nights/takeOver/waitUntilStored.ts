// Repeats an attempt to store data until it succeeds. An attempt fails, for example, if the ledger is locked or the
// disk is full.

import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds of the first pause. Each further pause is twice as long, up to `MOST_MS`. */
const FIRST_MS = 500;
/** The longest pause in milliseconds. */
const MOST_MS = 60_000;

/**
 * Calls `store` until it succeeds. Once `signal` is aborted, there is one more attempt at most. `onFailure` receives
 * the error of each attempt.
 */
export async function waitUntilStored(
  store: () => Promise<void>,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<void> {
  for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(2 * pauseMs, MOST_MS)) {
    try {
      return await store();
    } catch (error) {
      onFailure(error);
      if (signal.aborted) return;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
