// Makes a large synthetic repository from copies of real sources. In each copy, a part of the words is replaced
// consistently, so that the vocabulary grows with the size as it does in real code.

import { basename } from 'node:path';
import { hashText, hashToUnit } from '../support/random.ts';
import type { Source } from './sources.ts';

/** The number of different words of a text grows as size^β (Heaps' law). For code, β is about 0.6. */
const HEAPS_EXPONENT = 0.6;
/** Share of the files from which on a word counts as part of a language or its library, and is not replaced. */
const COMMON_SHARE = 0.04;
/** Matches escapes and numbers first, so that they stay unchanged; then parts of names with three letters or more. */
const parts = /\\[\s\S]|\p{N}[\p{L}\p{N}_]*|\p{Lu}{3,}(?!\p{Ll})|\p{Lu}?\p{Ll}{2,}/gu;

/**
 * Makes `count` files. The first copy of each source is the source itself. Within a copy, words are replaced
 * consistently, also in the names of files.
 */
export function grow(sources: readonly Source[], count: number, seed: number): Source[] {
  const keptWords = findCommonWords(sources);
  const grownSources: Source[] = [];
  for (let copy = 0; grownSources.length < count; copy++) {
    const rename = copy === 0 ? (text: string) => text : createRenamer(copy, seed, keptWords);
    for (const source of sources.slice(0, count - grownSources.length))
      grownSources.push(copySource(source, copy, rename));
  }
  return grownSources;
}

/** Returns a function that replaces words in every text of one copy in the same way. `keptWords`: words that stay. */
export function createRenamer(copy: number, seed: number, keptWords: ReadonlySet<string>): (text: string) => string {
  const share = (copy + 1) ** HEAPS_EXPONENT - copy ** HEAPS_EXPONENT;
  const words = new Map<string, string>();
  const renamePart = (part: string): string => {
    const word = part.toLowerCase();
    let newWord = words.get(word);
    if (newWord === undefined) {
      newWord =
        keptWords.has(word) || hashToUnit(`${seed}/${copy}/${word}`) >= share
          ? word
          : inventWord(`${seed}/${copy}/${word}`);
      words.set(word, newWord);
    }
    return newWord === word
      ? part
      : part === word
        ? newWord
        : part === part.toUpperCase()
          ? newWord.toUpperCase()
          : newWord[0]!.toUpperCase() + newWord.slice(1);
  };
  return (text) =>
    text.replace(parts, (part) => (part.startsWith('\\') || /^\p{N}/u.test(part) ? part : renamePart(part)));
}

/** The words in at least `COMMON_SHARE` of the files, and in at least two. */
export function findCommonWords(sources: readonly Source[]): ReadonlySet<string> {
  const files = new Map<string, number>();
  for (const { text } of sources) for (const word of collectWords(text)) files.set(word, (files.get(word) ?? 0) + 1);
  const least = Math.max(2, sources.length * COMMON_SHARE);
  return new Set([...files].filter(([, count]) => count >= least).map(([word]) => word));
}

/** The different words of a text, in lower case. */
export function collectWords(text: string): Set<string> {
  return new Set(
    (text.match(parts) ?? [])
      .filter((part) => !part.startsWith('\\') && !/^\p{N}/u.test(part))
      .map((part) => part.toLowerCase()),
  );
}

function copySource({ path, text }: Source, copy: number, rename: (text: string) => string): Source {
  const name = basename(path);
  const dot = name.indexOf('.', 1);
  const folder = path.slice(0, path.length - name.length);
  const stem = dot < 0 ? name : name.slice(0, dot);
  return { path: `part${copy}/${folder}${rename(stem)}${dot < 0 ? '' : name.slice(dot)}`, text: rename(text) };
}

// Beginnings, middles and ends of syllables of invented words.
const onsets = [
  'b',
  'br',
  'c',
  'cl',
  'd',
  'dr',
  'f',
  'fl',
  'g',
  'gr',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'qu',
  'r',
  's',
  'sk',
  'st',
  't',
  'tr',
  'v',
  'w',
  'y',
  'z',
];
const nuclei = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'io', 'ou'];
const codas = ['', '', 'l', 'm', 'n', 'r', 's', 't', 'x', 'nd', 'rk', 'st'];

/** A word of two or three syllables that the hash of a key determines. */
function inventWord(key: string): string {
  let word = '';
  for (let index = 0; index < 2 + (hashText(key) & 1); index++) {
    const hash = hashText(`${key}/${index}`);
    word +=
      onsets[hash % onsets.length]! + nuclei[(hash >>> 8) % nuclei.length]! + codas[(hash >>> 16) % codas.length]!;
  }
  return word;
}
