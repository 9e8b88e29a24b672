/**
 * A number for people, with a comma between thousands. Whole ones by hand: the engine loads its tables of languages for
 * the first one it is asked, which takes 10 ms.
 */
export function thousands(n: number): string {
  return Number.isSafeInteger(n) ? String(n).replace(/\B(?=(?:\d{3})+$)/g, ',') : n.toLocaleString('en-US');
}
