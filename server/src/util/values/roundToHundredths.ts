// Rounds figures for reports.

/** The value with at most two decimals. */
export function roundToHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
