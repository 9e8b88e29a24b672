// Computes when an unattended run ends, from a time of day or a duration.

import { parseDuration, findNextTime } from '../protocol/endTimes.ts';
import { SelfwareError } from '../util/typedError.ts';

const DEFAULT_END = '07:00';

/**
 * The end in milliseconds since the epoch. `until`: a time of day in the local time zone, of which the next occurrence
 * counts. `for`: a duration from `now`. Without both, the next 07:00. Throws `usage` if both are given, or if one
 * cannot be parsed.
 */
export function computeRunEnd(
  { until, for: duration }: { readonly until?: string; readonly for?: string },
  now: number,
): number {
  if (until !== undefined && duration !== undefined)
    throw new SelfwareError('usage', '--until and --for cannot be combined.');
  if (duration !== undefined) {
    const millis = parseDuration(duration);
    if (millis !== null) return now + millis;
    throw new SelfwareError(
      'usage',
      `--for takes a duration, such as 8h, 90m or 1h30m, not ${JSON.stringify(duration)}.`,
    );
  }
  const end = findNextTime(until ?? DEFAULT_END, now);
  if (end !== null) return end;
  throw new SelfwareError('usage', `--until takes a time of day, such as 07:00, not ${JSON.stringify(until)}.`);
}
