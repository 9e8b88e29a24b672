// Finds the words of a text and the numbers of their terms without creating a string for every occurrence, because that
// would be most of the cost of reading a repository.

import type { Codes } from '../../../util/codes.ts';
import { findSlot, SLOT_SIZE, createSlots, doubleSlots } from '../../../util/hashSlots.ts';
import { MAX_TERM_LENGTH, readWordAt } from './terms.ts';

/** The words of all texts so far, with their numbers. */
export interface WordTable {
  /**
   * Writes the numbers of each word between two offsets, in order, to `found` from `offset` on. Returns the index after
   * the last number.
   */
  read(codes: Codes, from: number, to: number, offset: number): number;
  /** The array to which `read` writes. It may be a new one after each `read`. */
  found(): Int32Array;
}

type Numbers = Int32Array<ArrayBuffer>;

const NO_NUMBERS: readonly number[] = [];
const ASCII_COUNT = 128;
/** 1 for a character of a word: `[A-Za-z0-9_$]`. */
const isWord = Uint8Array.from({ length: ASCII_COUNT }, (_, code) =>
  /[A-Za-z0-9_$]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Computes the numbers of the terms of a word. Called once for each word. */
export interface NumbersOfWords {
  /** For a word between two offsets that is all ASCII and no longer than a term. */
  ascii(units: Uint16Array, from: number, to: number): readonly number[];
  other(word: string): readonly number[];
}

/** Creates an empty table. */
export function createWordTable(numbersOf: NumbersOfWords): WordTable {
  let numbers: Numbers = new Int32Array(4_096);
  let count = 0;
  /** For each word: its two hashes, then the index of its first number (+ 1), and the number of its numbers. */
  let slots = createSlots(4_096);
  let usedSlots = 0;
  let foundNumbers: Numbers = new Int32Array(4_096);
  /** By word with letters beyond ASCII: the numbers of its terms. */
  const numbersOfOthers = new Map<string, readonly number[]>();

  const add = (position: number, firstHash: number, secondHash: number, wordNumbers: readonly number[]): void => {
    if (count + wordNumbers.length > numbers.length) numbers = enlarge(numbers, count + wordNumbers.length);
    numbers.set(wordNumbers, count);
    slots[position] = firstHash;
    slots[position + 1] = secondHash;
    slots[position + 2] = count + 1;
    slots[position + 3] = wordNumbers.length;
    count += wordNumbers.length;
    usedSlots++;
  };
  const numbersOfOther = (word: string): readonly number[] => {
    let wordNumbers = numbersOfOthers.get(word);
    if (wordNumbers === undefined) numbersOfOthers.set(word, (wordNumbers = numbersOf.other(word)));
    return wordNumbers;
  };

  return {
    found: () => foundNumbers,
    // No callbacks or lists in here: each call would create new objects, so the compiler could not reuse its optimised
    // code.
    read({ text, units }, from, to, end) {
      for (let position = from; position < to; ) {
        let code = units[position]!;
        if (code < ASCII_COUNT && isWord[code] === 0) {
          position++;
          continue;
        }
        const start = position;
        // Jenkins's one-at-a-time hash, and Bernstein's: shifts and sums, which are fast even before they are
        // optimised.
        let firstHash = 0;
        let secondHash = 5381;
        while (code < ASCII_COUNT && isWord[code] === 1) {
          firstHash = (firstHash + code) | 0;
          firstHash = (firstHash + (firstHash << 10)) | 0;
          firstHash ^= firstHash >>> 6;
          secondHash = ((secondHash << 5) + secondHash + code) | 0;
          code = ++position < to ? units[position]! : 0;
        }
        if (code >= ASCII_COUNT) {
          // The slice contains only this part of the text, so that nothing around it, not even half of a letter,
          // becomes part of the word.
          const word = readWordAt(text.slice(start, to), 0);
          position = start + Math.max(1, word.length);
          const wordNumbers = word === '' ? NO_NUMBERS : numbersOfOther(word);
          if (end + wordNumbers.length > foundNumbers.length)
            foundNumbers = enlarge(foundNumbers, end + wordNumbers.length);
          foundNumbers.set(wordNumbers, end);
          end += wordNumbers.length;
          continue;
        }
        const slot = findSlot(slots, firstHash, secondHash);
        if (slots[slot + 2] === 0)
          add(
            slot,
            firstHash,
            secondHash,
            position - start > MAX_TERM_LENGTH
              ? numbersOf.other(text.slice(start, position))
              : numbersOf.ascii(units, start, position),
          );
        const begin = slots[slot + 2]! - 1;
        const numberCount = slots[slot + 3]!;
        if (end + numberCount > foundNumbers.length) foundNumbers = enlarge(foundNumbers, end + numberCount);
        for (let number = 0; number < numberCount; number++) foundNumbers[end++] = numbers[begin + number]!;
        if (usedSlots * 2 * SLOT_SIZE > slots.length) slots = doubleSlots(slots);
      }
      return end;
    },
  };
}

/** The array with at least `least` elements, and at least twice as many as before. */
function enlarge(array: Numbers, least: number): Numbers {
  const larger = new Int32Array(Math.max(least, array.length * 2));
  larger.set(array);
  return larger;
}
