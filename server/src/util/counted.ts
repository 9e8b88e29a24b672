// Formats a number of things for people.

import { thousands } from './thousands.ts';

/** `1 file`, `2,000 files`, `0 opportunities`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${thousands(n)} ${n === 1 ? one : many}`;
}
