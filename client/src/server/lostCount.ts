// Decides whether a stopped server is restarted: not if it stops repeatedly.

const windowMillis = 180_000;
const mostLosses = 4;

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
      losses = [...losses.filter((at) => now() - at < windowMillis), now()];
      return losses.length <= mostLosses;
    },
    forget() {
      losses = [];
    },
  };
}
