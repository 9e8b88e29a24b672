// Reads the whole number that an option of a command takes.

import { SelfwareError } from '../util/typedError.ts';

/** The value of an option that takes a whole number of at least 1. Throws `usage`. */
export function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new SelfwareError('usage', `${option} takes a whole number from 1.`);
  return value;
}
