// Assigns numbers to words. The words are found by their hashes, because a map with string keys would need a string,
// and another pass over its letters, for each lookup.

import { createCodes } from './codes.ts';
import { findSlot, SLOT_SIZE, createSlots, doubleSlots } from './hashSlots.ts';

/** Words and their numbers. */
export interface WordNumbers {
  /** The number of a word; -1 if it has none. */
  find(word: string): number;
  /** The number of a word; a new word gets the next number. */
  number(word: string): number;
  /** The number of the word from offset `from` up to but excluding `to`; a new word gets the next number. */
  numberIn(units: Uint16Array, from: number, to: number): number;
  /** The numbers of the words of a text, which are separated by spaces; -1 for words without a number. */
  findAll(text: string): Int32Array;
  /** The numbers of the words of a text, which are separated by spaces; new words get the next numbers. */
  numberAll(text: string): Int32Array;
}

/** The UTF-16 unit of a space. */
const BLANK = 0x20;
/**
 * Maximum length of a word that is concatenated letter by letter. Up to this length, this takes less time than a call.
 * Longer concatenated strings would keep references to their parts in V8.
 */
const MAX_CONCATENATED_UNITS = 12;
/** The number of units that are converted to letters in one call. */
const UNITS_PER_CALL = 1_024;

/** Creates an empty assignment. `nextNumber` returns the number of a new word, starting at 0. */
export function createWordNumbers(nextNumber: (word: string) => number): WordNumbers {
  const readCodes = createCodes();
  /** The hash table: in each slot, the number of the word, plus 1, follows the hashes of the word. */
  let slots = createSlots(1_024);
  let count = 0;
  const findNumber = (units: Uint16Array, from: number, to: number, addsNewWords: boolean): number => {
    // Jenkins's hash (one at a time), and Bernstein's.
    let firstHash = 0;
    let secondHash = 5381;
    for (let current = from; current < to; current++) {
      const code = units[current]!;
      firstHash = (firstHash + code) | 0;
      firstHash = (firstHash + (firstHash << 10)) | 0;
      firstHash ^= firstHash >>> 6;
      secondHash = ((secondHash << 5) + secondHash + code) | 0;
    }
    const slot = findSlot(slots, firstHash, secondHash);
    const storedNumber = slots[slot + 2]! - 1;
    if (storedNumber >= 0 || !addsNewWords) return storedNumber;
    slots[slot] = firstHash;
    slots[slot + 1] = secondHash;
    const number = nextNumber(copyToString(units, from, to));
    slots[slot + 2] = number + 1;
    if (++count * 2 * SLOT_SIZE > slots.length) slots = doubleSlots(slots);
    return number;
  };
  const readNumbers = (text: string, addsNewWords: boolean): Int32Array => {
    const { units } = readCodes(text);
    let numbers: Int32Array<ArrayBuffer> = new Int32Array(256);
    let wordCount = 0;
    for (let from = 0; from < text.length; ) {
      let to = from;
      while (to < text.length && units[to] !== BLANK) to++;
      if (wordCount === numbers.length) {
        const largerNumbers: Int32Array<ArrayBuffer> = new Int32Array(wordCount * 2);
        largerNumbers.set(numbers);
        numbers = largerNumbers;
      }
      numbers[wordCount++] = findNumber(units, from, to, addsNewWords);
      from = to + 1;
    }
    return numbers.slice(0, wordCount);
  };
  return {
    find: (word) => findNumber(readCodes(word).units, 0, word.length, false),
    number: (word) => findNumber(readCodes(word).units, 0, word.length, true),
    numberIn: (units, from, to) => findNumber(units, from, to, true),
    findAll: (text) => readNumbers(text, false),
    numberAll: (text) => readNumbers(text, true),
  };
}

/** Creates an independent string, because a substring would keep the complete text in memory. */
function copyToString(units: Uint16Array, from: number, to: number): string {
  let word = '';
  if (to - from <= MAX_CONCATENATED_UNITS)
    for (let current = from; current < to; current++) word += String.fromCharCode(units[current]!);
  else
    for (let current = from; current < to; current += UNITS_PER_CALL)
      word += String.fromCharCode.apply(
        null,
        units.subarray(current, Math.min(to, current + UNITS_PER_CALL)) as unknown as number[],
      );
  return word;
}
