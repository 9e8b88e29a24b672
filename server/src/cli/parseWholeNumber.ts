// Reads the whole number that an option of a command takes.

import { SelfwareError } from '../util/typedError.ts';

/** The value of an option that takes a whole number of at least `least`. Throws `usage`. */
export function parseWholeNumber(option: string, text: string, least = 1): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least)
    throw new SelfwareError('usage', `${option} takes a whole number from ${least}.`);
  return value;
}
