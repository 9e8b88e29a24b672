// Numbers for words, found by their hashes: a map of strings would need a string, and another pass over its letters,
// for each lookup.

import { createCodes } from './codes.ts';
import { placeOf, SLOT, slotsFor, twiceAsMany } from './hashSlots.ts';

export interface WordNumbers {
  /** The number of a word, or -1. */
  find(word: string): number;
  /** The number of a word; an unknown one gets its own. */
  number(word: string): number;
  /** The same of the word between two places. */
  numberIn(units: Uint16Array, from: number, to: number): number;
  /** Those of the words of a text, which a blank separates, or -1. */
  findAll(text: string): Int32Array;
  /** The same; unknown ones get their own. */
  numberAll(text: string): Int32Array;
}

const BLANK = 0x20;
/**
 * Up to here V8 copies letters that are put together, and it costs less than a call; beyond it would remember the
 * pieces.
 */
const SHORT = 12;
/** Units that are made letters at once. */
const AT_ONCE = 1_024;

/** `next` gives the number of a new word, from 0 on. */
export function createWordNumbers(next: (word: string) => number): WordNumbers {
  const codesOf = createCodes();
  /** Of a word: behind its hashes its number + 1. */
  let slots = slotsFor(1_024);
  let count = 0;
  const numberAt = (units: Uint16Array, from: number, to: number, adds: boolean): number => {
    // Jenkins's (one at a time), and Bernstein's.
    let first = 0;
    let second = 5381;
    for (let at = from; at < to; at++) {
      const code = units[at]!;
      first = (first + code) | 0;
      first = (first + (first << 10)) | 0;
      first ^= first >>> 6;
      second = ((second << 5) + second + code) | 0;
    }
    const slot = placeOf(slots, first, second);
    const known = slots[slot + 2]! - 1;
    if (known >= 0 || !adds) return known;
    slots[slot] = first;
    slots[slot + 1] = second;
    const number = next(spelled(units, from, to));
    slots[slot + 2] = number + 1;
    if (++count * 2 * SLOT > slots.length) slots = twiceAsMany(slots);
    return number;
  };
  const all = (text: string, adds: boolean): Int32Array => {
    const { units } = codesOf(text);
    let found: Int32Array<ArrayBuffer> = new Int32Array(256);
    let words = 0;
    for (let from = 0; from < text.length; ) {
      let to = from;
      while (to < text.length && units[to] !== BLANK) to++;
      if (words === found.length) {
        const larger: Int32Array<ArrayBuffer> = new Int32Array(words * 2);
        larger.set(found);
        found = larger;
      }
      found[words++] = numberAt(units, from, to, adds);
      from = to + 1;
    }
    return found.slice(0, words);
  };
  return {
    find: (word) => numberAt(codesOf(word).units, 0, word.length, false),
    number: (word) => numberAt(codesOf(word).units, 0, word.length, true),
    numberIn: (units, from, to) => numberAt(units, from, to, true),
    findAll: (text) => all(text, false),
    numberAll: (text) => all(text, true),
  };
}

/** A string of its own: a piece of a text would keep all of it alive. */
function spelled(units: Uint16Array, from: number, to: number): string {
  let word = '';
  if (to - from <= SHORT) for (let at = from; at < to; at++) word += String.fromCharCode(units[at]!);
  else
    for (let at = from; at < to; at += AT_ONCE)
      word += String.fromCharCode.apply(null, units.subarray(at, Math.min(to, at + AT_ONCE)) as unknown as number[]);
  return word;
}
