// Decides whether a stopped server is restarted: not if it stops repeatedly.

/** Losses that are longer ago than this, in milliseconds, no longer count. */
const WINDOW_MS = 180_000;
/** Maximum number of losses within `WINDOW_MS` after which the server is still restarted. */
const MAX_LOSSES = 4;

/** Counts how often the server has stopped unexpectedly. */
export interface LostCount {
  /** Counts a loss. True if the server may be restarted; false after too many losses in a short time. */
  mayRestart(): boolean;
  forget(): void;
}

/** Creates the count. `now`: milliseconds. */
export function createLostCount(now: () => number = Date.now): LostCount {
  let losses: number[] = [];
  return {
    mayRestart() {
      losses = [...losses.filter((lostAt) => now() - lostAt < WINDOW_MS), now()];
      return losses.length <= MAX_LOSSES;
    },
    forget() {
      losses = [];
    },
  };
}
