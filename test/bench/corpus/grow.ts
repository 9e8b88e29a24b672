// Grows a synthetic repository out of real sources: copies of them in which a part of the words is replaced throughout,
// so that the vocabulary grows with the size as it does in real code.

import { basename } from 'node:path';
import { hashOf, unitOf } from '../support/random.ts';
import type { Source } from './sources.ts';

/** Words of a text grow as size^β (Heaps' law); .6 is in the middle of what is found in code. */
const HEAPS = 0.6;
/** A word in this share of the files belongs to a language or its library and stays. */
const COMMON_SHARE = 0.04;
/** Escapes and numbers are matched first, so that they stay whole; then the parts of names, three letters or more. */
const parts = /\\[\s\S]|\p{N}[\p{L}\p{N}_]*|\p{Lu}{3,}(?!\p{Ll})|\p{Lu}?\p{Ll}{2,}/gu;

/**
 * `count` files. The first copy of each source is the source itself; every copy is consistent in itself, names of files
 * included.
 */
export function grow(sources: readonly Source[], count: number, seed: number): Source[] {
  const kept = commonWords(sources);
  const grown: Source[] = [];
  for (let copy = 0; grown.length < count; copy++) {
    const rename = copy === 0 ? (text: string) => text : renamer(copy, seed, kept);
    for (const source of sources.slice(0, count - grown.length)) grown.push(copyOf(source, copy, rename));
  }
  return grown;
}

/** A function that renames every text of one copy alike. */
export function renamer(copy: number, seed: number, kept: ReadonlySet<string>): (text: string) => string {
  const share = (copy + 1) ** HEAPS - copy ** HEAPS;
  const words = new Map<string, string>();
  const renamed = (part: string): string => {
    const word = part.toLowerCase();
    let other = words.get(word);
    if (other === undefined) {
      other =
        kept.has(word) || unitOf(`${seed}/${copy}/${word}`) >= share ? word : inventedWord(`${seed}/${copy}/${word}`);
      words.set(word, other);
    }
    return other === word
      ? part
      : part === word
        ? other
        : part === part.toUpperCase()
          ? other.toUpperCase()
          : other[0]!.toUpperCase() + other.slice(1);
  };
  return (text) =>
    text.replace(parts, (part) => (part.startsWith('\\') || /^\p{N}/u.test(part) ? part : renamed(part)));
}

export function commonWords(sources: readonly Source[]): ReadonlySet<string> {
  const files = new Map<string, number>();
  for (const { text } of sources) for (const word of wordsOf(text)) files.set(word, (files.get(word) ?? 0) + 1);
  const least = Math.max(2, sources.length * COMMON_SHARE);
  return new Set([...files].filter(([, count]) => count >= least).map(([word]) => word));
}

/** Different words in lower case. */
export function wordsOf(text: string): Set<string> {
  return new Set(
    (text.match(parts) ?? [])
      .filter((part) => !part.startsWith('\\') && !/^\p{N}/u.test(part))
      .map((part) => part.toLowerCase()),
  );
}

function copyOf({ path, text }: Source, copy: number, rename: (text: string) => string): Source {
  const name = basename(path);
  const dot = name.indexOf('.', 1);
  const folder = path.slice(0, path.length - name.length);
  const stem = dot < 0 ? name : name.slice(0, dot);
  return { path: `part${copy}/${folder}${rename(stem)}${dot < 0 ? '' : name.slice(dot)}`, text: rename(text) };
}

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

/** Two or three syllables by the hash of a key. */
function inventedWord(key: string): string {
  let word = '';
  for (let at = 0; at < 2 + (hashOf(key) & 1); at++) {
    const hash = hashOf(`${key}/${at}`);
    word +=
      onsets[hash % onsets.length]! + nuclei[(hash >>> 8) % nuclei.length]! + codas[(hash >>> 16) % codas.length]!;
  }
  return word;
}
