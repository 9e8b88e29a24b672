// Reads when an unattended run ends: a time of day, or a duration.

import { SelfwareError } from '../util/typedError.ts';

const UNITS = { h: 3_600_000, m: 60_000, s: 1000 } as const;
const DEFAULT_END = '07:00';
/** A timer cannot wait longer. */
const LONGEST_MS = 24 * 24 * UNITS.h;

/**
 * The end in milliseconds since the epoch. `until` is the next time that a local clock shows it. Throws `usage`.
 */
export function runUntil(
  { until, for: duration }: { readonly until?: string; readonly for?: string },
  now: number,
): number {
  if (until !== undefined && duration !== undefined)
    throw new SelfwareError('usage', '--until and --for exclude each other.');
  if (duration !== undefined) return now + millisOf(duration);
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(until ?? DEFAULT_END) ?? [];
  if (hours === undefined)
    throw new SelfwareError('usage', `--until takes a time of day, such as 07:00, not ${JSON.stringify(until)}.`);
  const end = new Date(now);
  end.setHours(Number(hours), Number(minutes), 0, 0);
  if (end.getTime() <= now) end.setDate(end.getDate() + 1);
  return end.getTime();
}

function millisOf(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([hms])/g)];
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit as keyof typeof UNITS], 0);
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text.replace(/\s+(?=\d)/g, '') || total <= 0)
    throw new SelfwareError('usage', `--for takes a duration, such as 8h, 90m or 1h30m, not ${JSON.stringify(text)}.`);
  return Math.min(total, LONGEST_MS);
}
