// Decides when feedback is analysed automatically: every hour, and less often while nothing new is found.

import type { Millis } from '../model.ts';
import { HOUR_MS } from '../../util/timing/durations.ts';

/** An earlier analysis. `digest`: hash of its findings without their counts. */
export interface EarlierAnalysis {
  readonly at: Millis;
  readonly digest: string;
}

/**
 * Hours until the next analysis, by the number of consecutive analyses that found nothing new. The last entry applies
 * to all higher numbers.
 */
const PAUSE_HOURS = [1, 4, 12, 24] as const;

/** The earliest time of the next analysis; 0 (immediately) if there was none yet. `earlierAnalyses`: oldest first. */
export function computeNextFeedbackAnalysis(earlierAnalyses: readonly EarlierAnalysis[]): Millis {
  const lastAnalysis = earlierAnalyses.at(-1);
  if (!lastAnalysis) return 0;
  let unchangedCount = 0;
  for (
    let index = earlierAnalyses.length - 1;
    index > 0 && earlierAnalyses[index]!.digest === earlierAnalyses[index - 1]!.digest;
    index -= 1
  )
    unchangedCount += 1;
  return lastAnalysis.at + PAUSE_HOURS[Math.min(unchangedCount, PAUSE_HOURS.length - 1)]! * HOUR_MS;
}
