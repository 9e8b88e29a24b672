// Turns the terms of many texts into numbers. Each term is stored once for all texts of a batch, so that neither the
// transfer between threads nor the index handles a string for every occurrence.

import { createCodes } from '../../../util/codes.ts';
import { createWordNumbers } from '../../../util/wordNumbers.ts';
import { createAsciiParts, readAsciiParts } from './asciiParts.ts';
import { COUNT_BITS, MAX_COUNT } from '../search/postings.ts';
import { MAX_TERM_LENGTH, stem, termsOfNewWord } from './terms.ts';
import { createWordTable, type WordTable } from './wordTable.ts';

/** The counted terms of some texts. Plain data, shared by all files of a batch. */
export interface PackedTerms {
  /** Each term once, separated by spaces; its position is its number. */
  terms: string;
  /** The entries of text i are those from starts[i] to starts[i + 1]. */
  starts: Uint32Array;
  /** The counted terms of the texts: number × 32 + count, in order of the first occurrence. */
  entries: Uint32Array;
  /** Number of occurrences in each text, including those beyond the largest count. */
  lengths: Uint32Array;
}

/** The texts of a file in a batch. `first`: the index of its first text. */
export interface PackedFile {
  readonly batch: PackedTerms;
  readonly first: number;
}

/**
 * The words that a thread has read so far. It is kept from batch to batch, because most words of the next batch are in
 * it.
 */
export interface TermDictionary {
  readonly words: WordTable;
  readonly terms: readonly string[];
}

/** Packs the texts of one batch. */
export interface TermPacker {
  /** Number of texts so far. */
  count(): number;
  /** The term numbers of a text in order, repetitions included. The numbers are those of the dictionary. */
  numbersOf(text: string): number[];
  /** The terms with these numbers, separated by spaces. */
  joinTerms(numbers: readonly number[]): string;
  /** Sets the text to which the parts in `add` refer. */
  open(text: string): void;
  /** Adds the next text: already known terms, and a part of the opened text. */
  add(knownTerms: readonly number[], from: number, to: number): void;
  /** The packed terms; empty before `finish`. */
  readonly batch: PackedTerms;
  /** Fills `batch`. Call it after the last text was added. */
  finish(): void;
}

/** Creates an empty dictionary. */
export function createTermDictionary(): TermDictionary {
  const terms: string[] = [];
  const numbers = createWordNumbers((term) => terms.push(term) - 1);
  // Most parts of a new word occur in other words, too.
  const parts = createWordNumbers((part) => numbers.number(stem(part)));
  const word = createAsciiParts(MAX_TERM_LENGTH);
  const readAsciiTerms = (units: Uint16Array, from: number, to: number): readonly number[] => {
    readAsciiParts(units, from, to, word);
    if (word.count === 1) return [parts.numberIn(word.units, 0, word.length)];
    const wordNumbers: number[] = [];
    if (word.length > 1) wordNumbers.push(numbers.numberIn(word.units, 0, word.length));
    for (let part = 0, begin = 0; part < word.count; begin = word.ends[part++]!) {
      if (word.ends[part]! - begin > 1) wordNumbers.push(parts.numberIn(word.units, begin, word.ends[part]!));
    }
    return wordNumbers;
  };
  const numbersOfOther = (text: string): readonly number[] => termsOfNewWord(text).map(numbers.number);
  return { words: createWordTable({ ascii: readAsciiTerms, other: numbersOfOther }), terms };
}

/** Creates a packer for one batch. */
export function createTermPacker({ words, terms }: TermDictionary = createTermDictionary()): TermPacker {
  const codesOf = createCodes();
  const codesOfOpened = createCodes();
  let openedCodes = codesOfOpened('');
  /** By number in the dictionary: the number of the term in the batch + 1; 0 if it is not in the batch yet. */
  let numbersInBatch = new Uint32Array(4_096);
  /** By number in the dictionary: the number of occurrences of the term in the current text. */
  let counts = new Uint32Array(4_096);
  const batchTerms: number[] = [];
  const starts = [0];
  const lengths: number[] = [];
  let entries = new Uint32Array(4_096);
  let usedEntries = 0;
  const batch: PackedTerms = {
    terms: '',
    starts: new Uint32Array(1),
    entries: new Uint32Array(),
    lengths: new Uint32Array(),
  };
  const makeRoom = (count: number): void => {
    if (terms.length > counts.length)
      [counts, numbersInBatch] = [enlarge(counts, terms.length), enlarge(numbersInBatch, terms.length)];
    if (usedEntries + count > entries.length) entries = enlarge(entries, usedEntries + count);
  };
  return {
    count: () => lengths.length,
    numbersOf(text) {
      const end = words.read(codesOf(text), 0, text.length, 0);
      const numbersFound = words.found();
      const numbers: number[] = [];
      for (let index = 0; index < end; index++) numbers.push(numbersFound[index]!);
      return numbers;
    },
    joinTerms: (text) => text.map((number) => terms[number]!).join(' '),
    open(text) {
      openedCodes = codesOfOpened(text);
    },
    add(knownTerms, from, to) {
      const end = words.read(openedCodes, from, to, 0);
      const numbersFound = words.found();
      makeRoom(knownTerms.length + end);
      const begin = usedEntries;
      for (let index = 0; index < knownTerms.length; index++)
        if (counts[knownTerms[index]!]!++ === 0) entries[usedEntries++] = knownTerms[index]!;
      for (let index = 0; index < end; index++)
        if (counts[numbersFound[index]!]!++ === 0) entries[usedEntries++] = numbersFound[index]!;
      for (let entryIndex = begin; entryIndex < usedEntries; entryIndex++) {
        const number = entries[entryIndex]!;
        if (numbersInBatch[number] === 0) numbersInBatch[number] = batchTerms.push(number);
        entries[entryIndex] =
          (((numbersInBatch[number]! - 1) << COUNT_BITS) | Math.min(counts[number]!, MAX_COUNT)) >>> 0;
        counts[number] = 0;
      }
      starts.push(usedEntries);
      lengths.push(knownTerms.length + end);
    },
    batch,
    finish() {
      batch.terms = batchTerms.map((number) => terms[number]!).join(' ');
      batch.starts = Uint32Array.from(starts);
      batch.entries = entries.slice(0, usedEntries);
      batch.lengths = Uint32Array.from(lengths);
    },
  };
}

/** The array with at least `least` elements, and at least twice as many as before. */
function enlarge(array: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(least, array.length * 2));
  larger.set(array);
  return larger;
}
