// Decides how long an unattended run waits when nothing is left to try: longer after each time without an improvement.

import type { Millis } from '../model.ts';

const HOUR = 3_600_000;
const PAUSES_MS: readonly Millis[] = [1, 4, 12, 24].map((hours) => hours * HOUR);

/** When to try again. `fruitless`: how many times in a row nothing was found. Never later than `end`. */
export function nextTry(now: Millis, fruitless: number, end: Millis): Millis {
  const pause = PAUSES_MS[Math.min(Math.max(1, fruitless), PAUSES_MS.length) - 1]!;
  return Math.min(now + pause, end);
}
