// Formats numbers, times and paths for people.

const numberFormat = new Intl.NumberFormat('en');

/** A whole number with commas between thousands. */
export function formatWholeNumber(value: number): string {
  return numberFormat.format(Math.round(value));
}

/** Points with at most one decimal, such as 61, 61.4 or 1,000. */
export function formatPoints(value: number): string {
  return numberFormat.format(Math.round(value * 10) / 10);
}

/** A difference with its sign, such as "+0.42" or "−1.3"; with two decimals, or four if it is below 0.01: "+0.004". */
export function formatDelta(value: number): string {
  const digits = Math.abs(value) >= 0.01 ? 100 : 10_000;
  const roundedValue = Math.round(value * digits) / digits;
  return `${roundedValue < 0 || Object.is(roundedValue, -0) ? '−' : '+'}${Math.abs(roundedValue)}`;
}

/** A number with its noun, such as `1 file` or `2,000 files`. */
export function formatCount(value: number, singular: string, plural = `${singular}s`): string {
  return `${formatWholeNumber(value)} ${value === 1 ? singular : plural}`;
}

/** A rounded number for a budget, such as "700k" or "1M". */
export function formatRounded(value: number): string {
  if (value >= 999_500) return `${Math.round(value / 100_000) / 10}M`;
  return value >= 1000 ? `${Math.round(value / 1000)}k` : formatWholeNumber(value);
}

/**
 * The time from `time` to `now`, such as "4 min ago"; after two days, the date. Both are in milliseconds since the
 * epoch.
 */
export function formatAge(time: number, now: number): string {
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return new Date(time).toLocaleDateString();
}

/** The last part of a path. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path without its last part; '' for a file in the root. */
export function parentFolderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
