// Decides when feedback is analysed automatically: every hour, and less often while nothing new is found.

import type { Millis } from '../model.ts';

/** One analysis of the feedback. `digest`: hash of the findings without their counts. */
export interface Look {
  readonly at: Millis;
  readonly digest: string;
}

const HOUR_MS = 3_600_000;
/** Hours until the next look, by the number of looks in a row without news. */
const PAUSES = [1, 4, 12, 24] as const;

/** The earliest time of the next look; 0 = now. `looks`: oldest first. */
export function nextLook(looks: readonly Look[]): Millis {
  const last = looks.at(-1);
  if (!last) return 0;
  let withoutNews = 0;
  for (let at = looks.length - 1; at > 0 && looks[at]!.digest === looks[at - 1]!.digest; at -= 1) withoutNews += 1;
  return last.at + PAUSES[Math.min(withoutNews, PAUSES.length - 1)]! * HOUR_MS;
}
