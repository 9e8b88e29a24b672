// Parses the whole number that an option of a command takes.

import { SelfwareError } from '../util/typedError.ts';

/**
 * The number in the text. Throws `usage`, with the name of the option, unless it is a whole number that is at least the
 * minimum.
 */
export function parseWholeNumber(option: string, text: string, minimum = 1): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < minimum)
    throw new SelfwareError('usage', `${option} takes a whole number from ${minimum}.`);
  return value;
}
