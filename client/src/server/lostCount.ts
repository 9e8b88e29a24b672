// Decides whether a stopped server is restarted: not if it stops repeatedly.

const windowMillis = 180_000;
const most = 4;

export interface LostCount {
  /** Counts a loss. False after too many losses in a short time. */
  again(): boolean;
  forget(): void;
}

export function createLostCount(now: () => number = Date.now): LostCount {
  let losses: number[] = [];
  return {
    again() {
      losses = [...losses.filter((at) => now() - at < windowMillis), now()];
      return losses.length <= most;
    },
    forget() {
      losses = [];
    },
  };
}
