// Formats the day of a time.

/** The day in UTC of a time in milliseconds since 1970, for instance `2026-05-31`. */
export function formatIsoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
