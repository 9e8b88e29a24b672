// Splits text into search terms: whole identifiers and their camelCase and snake_case parts, stemmed.

import { stemmer } from 'stemmer';
import { splitIdentifier } from '../../../util/identifiers.ts';

/** Maximum length of a term. A longer word is data, not a name. */
export const MAX_TERM_LENGTH = 64;
/** Maximum number of words, and of stems, in their caches. A full cache is emptied. */
const MAX_CACHED_WORDS = 200_000;
const WORD_PATTERN = /[\p{L}\p{N}_$]+/gu;
const STICKY_WORD_PATTERN = new RegExp(WORD_PATTERN.source, 'uy');

/** Words without meaning in a query about code. */
const STOP_WORDS = new Set(
  (
    'a an and any are as at be been being but by can could did do does doing done each for from get gets had has have having how i if in into is it its ' +
    'me my of on or our out over should so some such than that the their them then there these they this those through to up us using via was we were what when where ' +
    'which while who whose why will with within would you your'
  ).split(' '),
);

let cache = new Map<string, readonly string[]>();
/** Stems by part, because most words share their parts with other words. */
let stems = new Map<string, string>();

/**
 * Terms of a text in order, repetitions included: for an identifier the whole in lower case, then its stemmed parts.
 */
export function extractTerms(text: string): string[] {
  // Usually the text is a single name that was split before.
  const cached = cache.get(text);
  if (cached) return [...cached];
  const terms: string[] = [];
  for (const word of extractWords(text)) for (const term of termsOfWord(word)) terms.push(term);
  return terms;
}

/** Words and identifiers of a text, as written. */
export function extractWords(text: string): readonly string[] {
  return text.match(WORD_PATTERN) ?? [];
}

/** Terms of a query, each once. Stop words are skipped, unless there is nothing else. */
export function extractQueryTerms(query: string): string[] {
  const words = query.match(WORD_PATTERN) ?? [];
  const meaningfulWords = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  return [...new Set((meaningfulWords.length > 0 ? meaningfulWords : words).flatMap((word) => termsOfWord(word)))];
}

/** The word of `extractWords` that begins at an offset; '' if none does. */
export function readWordAt(text: string, offset: number): string {
  STICKY_WORD_PATTERN.lastIndex = offset;
  return STICKY_WORD_PATTERN.exec(text)?.[0] ?? '';
}

/** The terms of a word from `extractWords`. */
function termsOfWord(word: string): readonly string[] {
  const cached = cache.get(word);
  if (cached) return cached;
  const terms = termsOfNewWord(word);
  if (cache.size >= MAX_CACHED_WORDS) cache = new Map();
  cache.set(word, terms);
  return terms;
}

/** The terms of a word, without a cache, for callers with their own cache. */
export function termsOfNewWord(word: string): readonly string[] {
  const parts = splitIdentifier(word).filter((part) => part.length <= MAX_TERM_LENGTH);
  const onlyPart = parts.length === 1 ? parts[0]! : null;
  if (onlyPart !== null) return [stem(onlyPart)];
  const fullWord = word.replaceAll(/[_$]+/g, '').toLowerCase();
  const stems = parts.filter((part) => part.length > 1).map(stem);
  return fullWord.length > 1 && fullWord.length <= MAX_TERM_LENGTH ? [fullWord, ...stems] : stems;
}

/**
 * The stem of a part of a word, by Porter's stemmer. It is defined for English, so a part with other characters than
 * a–z stays as it is.
 */
export function stem(part: string): string {
  let stemmed = stems.get(part);
  if (stemmed === undefined) {
    stemmed = part.length > 2 && /^[a-z]+$/.test(part) ? stemmer(part) : part;
    if (stems.size >= MAX_CACHED_WORDS) stems = new Map();
    stems.set(part, stemmed);
  }
  return stemmed;
}
