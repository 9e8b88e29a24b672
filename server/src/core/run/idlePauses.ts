// Decides how long an unattended run waits when nothing is left to try: the pause grows with each fruitless attempt.

import type { Millis } from '../model.ts';
import { HOUR_MS } from '../../util/timing/durations.ts';

/**
 * Pauses in milliseconds, by the number of consecutive fruitless attempts, from 1. The last pause applies to all higher
 * numbers.
 */
const PAUSES_MS: readonly Millis[] = [1, 4, 12, 24].map((hours) => hours * HOUR_MS);

/**
 * The time of the next attempt, at most `end`. `fruitlessAttempts`: number of consecutive attempts that found nothing.
 */
export function computeNextAttemptTime(now: Millis, fruitlessAttempts: number, end: Millis): Millis {
  const pause = PAUSES_MS[Math.min(Math.max(1, fruitlessAttempts), PAUSES_MS.length) - 1]!;
  return Math.min(now + pause, end);
}
