// Formats numbers for messages and labels, with their nouns.

const numberFormat = new Intl.NumberFormat('en');

/** A number with commas between thousands. */
export function formatNumber(value: number): string {
  return numberFormat.format(value);
}

/** The number with its noun, such as `1 file`, `2,000 files` or `0 opportunities`. */
export function formatCount(value: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(value)} ${value === 1 ? singular : plural}`;
}
