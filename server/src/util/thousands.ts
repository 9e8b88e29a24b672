// Formats numbers for people.

/**
 * Formats a number for people, with a comma between thousands. Whole numbers are not passed to the formatter of the
 * engine, because it takes 10 ms to load its language tables at the first use.
 */
export function groupThousands(number: number): string {
  return Number.isSafeInteger(number)
    ? String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
    : number.toLocaleString('en-US');
}
