// Decides whether a language server that has stopped unexpectedly is restarted: not if it stops repeatedly.

/** The period, in milliseconds, in which losses are counted. */
const WINDOW_MS = 180_000;
/** Maximum number of losses within `WINDOW_MS`; after one more, the server is not restarted. */
const MAX_LOSSES = 4;

/** Counts how often the server has stopped unexpectedly. */
export interface LossCounter {
  /** Counts a loss. True if the server may be restarted; false after too many losses in a short time. */
  countLoss(): boolean;
  /** Resets the count. */
  forget(): void;
}

/** Creates the count. `now`: the current time in milliseconds. */
export function createLossCounter(now: () => number = Date.now): LossCounter {
  let lossTimes: number[] = [];
  return {
    countLoss() {
      lossTimes = [...lossTimes.filter((lostAt) => now() - lostAt < WINDOW_MS), now()];
      return lossTimes.length <= MAX_LOSSES;
    },
    forget() {
      lossTimes = [];
    },
  };
}
