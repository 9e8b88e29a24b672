// Formats a number with its noun for people.

/** The number with its noun, such as `1 file`, `2 files` or `0 opportunities`. */
export function counted(value: number, singular: string, plural = `${singular}s`): string {
  return `${value} ${value === 1 ? singular : plural}`;
}
