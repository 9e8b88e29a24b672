// Formats a number with its noun for people.

import { thousands } from './thousands.ts';

/** The number with its noun: `1 file`, `2,000 files`, `0 opportunities`. `plural`: the plural if it is irregular. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${thousands(count)} ${count === 1 ? singular : plural}`;
}
