// Formats a number with its noun for people.

import { groupThousands } from './thousands.ts';

/**
 * The number with its noun: `1 file`, `2,000 files`, `0 opportunities`. `plural`: must be given if the plural is
 * irregular.
 */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${groupThousands(count)} ${count === 1 ? singular : plural}`;
}
