// Parses the end of an unattended run as people write it: a time of day, or a duration. The command line and the dialog
// of the editor both use this.

const MS_BY_UNIT = { h: 3_600_000, m: 60_000, s: 1000 } as const;
const DURATION_PATTERN = /^(?:(\d{1,4}(?:\.\d{1,2})?)h)?(?:(\d{1,6}(?:\.\d{1,2})?)m)?(?:(\d{1,8}(?:\.\d{1,2})?)s)?$/;
/** Maximum duration of a run, in milliseconds: 24 days, because a timer of Node cannot wait for 25 days. */
const MAX_DURATION_MS = 24 * 24 * MS_BY_UNIT.h;

/**
 * The next time at which a clock in the local time zone shows `text` (`07:00`), in milliseconds since the epoch; null
 * if the text is not a time.
 */
export function findNextTime(text: string, now: number): number | null {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? [];
  if (hours === undefined) return null;
  const end = new Date(now);
  end.setHours(Number(hours), Number(minutes), 0, 0);
  if (end.getTime() <= now) end.setDate(end.getDate() + 1);
  return end.getTime();
}

/**
 * The milliseconds of a duration such as `8h`, `90m` or `1h30m`, at most 24 days; null if the text is not a duration.
 */
export function parseDuration(text: string): number | null {
  const [, hours = '0', minutes = '0', seconds = '0'] = DURATION_PATTERN.exec(text.replaceAll(' ', '')) ?? [];
  const total = Number(hours) * MS_BY_UNIT.h + Number(minutes) * MS_BY_UNIT.m + Number(seconds) * MS_BY_UNIT.s;
  return total > 0 ? Math.min(total, MAX_DURATION_MS) : null;
}

/** True if a run may end at this time: it is in the future, and at most 24 days (and a minute) away. */
export function isPossibleEnd(until: number, now: number): boolean {
  return Number.isFinite(until) && until > now && until <= now + MAX_DURATION_MS + MS_BY_UNIT.m;
}

/** A time as a clock in the local time zone shows it, such as `07:00`. */
export function formatClockTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 5);
}

/**
 * A later time as a clock in the local time zone shows it. The date is added if the clock shows the same time of day
 * before then: `07:00`, or `2026-11-29 07:00`.
 */
export function formatLaterClockTime(at: number, now: number): string {
  const next = findNextTime(formatClockTime(at), now);
  if (next === null || at < next + MS_BY_UNIT.m) return formatClockTime(at);
  const date = new Date(at);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day} ${formatClockTime(at)}`;
}
