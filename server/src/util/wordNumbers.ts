// Numbers for words, found by their hashes: a map of strings would need a string for each look, and another look at its letters.

import { createCodes } from './codes.ts';

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

/**
 * Three numbers a word: two hashes, and its number + 1; 0 = a free slot. The hashes are compared, not the letters: two of 32 bits each,
 * so that among a million words the odds of a mix-up are one to ten million.
 */
type Slots = Int32Array<ArrayBuffer>;

const SLOT_BITS = 2;
const SLOT = 1 << SLOT_BITS;
const BLANK = 0x20;
/** Up to here V8 copies letters that are put together, and it costs less than a call; beyond it would remember the pieces. */
const SHORT = 12;
/** Units that are made letters at once. */
const AT_ONCE = 1_024;

/** `next` gives the number of a new word, from 0 on. */
export function createWordNumbers(next: (word: string) => number): WordNumbers {
  const codesOf = createCodes();
  let slots: Slots = new Int32Array(1_024 * SLOT);
  let count = 0;
  const grow = (): void => {
    const larger: Slots = new Int32Array(slots.length * 2);
    for (let from = 0; from < slots.length; from += SLOT) {
      if (slots[from + 2] !== 0) larger.set(slots.subarray(from, from + SLOT), place(larger, slots[from]!, slots[from + 1]!));
    }
    slots = larger;
  };
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
    const slot = place(slots, first, second);
    const known = slots[slot + 2]! - 1;
    if (known >= 0 || !adds) return known;
    slots[slot] = first;
    slots[slot + 1] = second;
    const number = next(spelled(units, from, to));
    slots[slot + 2] = number + 1;
    if (++count * 2 * SLOT > slots.length) grow();
    return number;
  };
  const all = (text: string, adds: boolean): Int32Array => {
    const { units } = codesOf(text);
    let found: Slots = new Int32Array(256);
    let words = 0;
    for (let from = 0; from < text.length; ) {
      let to = from;
      while (to < text.length && units[to] !== BLANK) to++;
      if (words === found.length) {
        const larger: Slots = new Int32Array(words * 2);
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
  else for (let at = from; at < to; at += AT_ONCE) word += String.fromCharCode.apply(null, units.subarray(at, Math.min(to, at + AT_ONCE)) as unknown as number[]);
  return word;
}

/** Where the slot of a word begins, or a free one for it. */
function place(slots: Slots, first: number, second: number): number {
  const last = slots.length - SLOT;
  let spread = (first + (first << 3)) | 0;
  spread ^= spread >>> 11;
  let at = ((spread + (spread << 15)) << SLOT_BITS) & last;
  while (slots[at + 2] !== 0 && (slots[at] !== first || slots[at + 1] !== second)) at = (at + SLOT) & last;
  return at;
}
