// Decides when feedback is analysed automatically: every hour, and less often while nothing new is found.

import type { Millis } from '../model.ts';

/** An earlier analysis. `digest`: hash of its findings without their counts. */
export interface EarlierAnalysis {
  readonly at: Millis;
  readonly digest: string;
}

const HOUR_MS = 3_600_000;
/**
 * Hours until the next analysis, by the number of consecutive analyses that found nothing new. The last entry applies
 * to all higher numbers.
 */
const PAUSE_HOURS = [1, 4, 12, 24] as const;

/** The earliest time of the next analysis; 0 (immediately) if there was none yet. `earlier`: oldest first. */
export function computeNextFeedbackAnalysis(earlier: readonly EarlierAnalysis[]): Millis {
  const lastAnalysis = earlier.at(-1);
  if (!lastAnalysis) return 0;
  let withoutNews = 0;
  for (let index = earlier.length - 1; index > 0 && earlier[index]!.digest === earlier[index - 1]!.digest; index -= 1)
    withoutNews += 1;
  return lastAnalysis.at + PAUSE_HOURS[Math.min(withoutNews, PAUSE_HOURS.length - 1)]! * HOUR_MS;
}
