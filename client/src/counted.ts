// Formats a number with its noun for people.

/** Examples: `1 file`, `2 files`, `0 opportunities`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${value} ${value === 1 ? one : many}`;
}
