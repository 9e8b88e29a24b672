// Makes the query of an online search, and decides whether it may leave this machine: it carries no secret, no place of
// the machine, and no more than a few words of the repository's texts.

import { visibleLine } from '../../../util/visible.ts';
import { redact } from '../../ledger/redact.ts';

/** Maximum number of characters of a query. */
const MAX_CHARACTERS = 300;
/** A run of so many characters that a file of the repository has, too, is code and not a search term. */
const CODE_CHARACTERS = 60;
/** A query with so many characters of code punctuation is code, wherever it comes from. */
const MAX_PUNCTUATION = 12;
const PUNCTUATION = new Set('{}()[];=<>');
/** A word of this length with letters and digits may be a key. */
const KEY_CHARACTERS = 24;
const REDACTED = /^\S*\[redacted:[a-z-]+\]\S*$/;

/** A query, or why nothing may be asked. */
export type ResearchQuery = { readonly query: string } | { readonly withheld: string };

/**
 * The query for these words: on one line, without secrets, addresses of people and folders of the machine, and
 * shortened. Withheld if it holds code: by its form, or because one of `texts` (files of the repository) has a part of
 * it.
 */
export function researchQuery(words: string, texts: readonly string[]): ResearchQuery {
  const clean = wordsOf(redact(visibleLine(words)) as string)
    .filter((word) => !REDACTED.test(word) && !looksLikeKey(word) && !/^\S+@\S+\.\S+$/.test(word))
    .map(withoutFolders);
  const query = cut(clean).replace(/^[-\s]+/, '');
  if (query === '') return { withheld: 'Nothing to search for was left after secrets and places were removed.' };
  if ([...query].filter((character) => PUNCTUATION.has(character)).length >= MAX_PUNCTUATION)
    return { withheld: 'The query looks like code.' };
  if (texts.some((text) => sharesRun(query, text)))
    return { withheld: `The query holds ${CODE_CHARACTERS} characters or more of a file of this repository.` };
  return { query };
}

/** The first words, within the limit. A single longer word is dropped, because it is no search term. */
function cut(words: readonly string[]): string {
  let query = '';
  for (const word of words) {
    const longer = query === '' ? word : `${query} ${word}`;
    if (longer.length > MAX_CHARACTERS) break;
    query = longer;
  }
  return query;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function looksLikeKey(word: string): boolean {
  return word.length >= KEY_CHARACTERS && /\d/.test(word) && /[A-Za-z]/.test(word) && !/[/\\.:]/.test(word);
}

/** A path by its last part, because the folders of a machine may name a person or a customer. */
function withoutFolders(word: string): string {
  const parts = word.split(/[/\\]/);
  return parts.length < 3 || word.startsWith('@') ? word : parts.at(-1)!;
}

/** True if the text has a run of `CODE_CHARACTERS` of the query, whatever its white space. */
function sharesRun(query: string, text: string): boolean {
  if (query.length < CODE_CHARACTERS) return false;
  const flat = text.replace(/\s+/g, ' ');
  for (let at = 0; at + CODE_CHARACTERS <= query.length; at += 1)
    if (flat.includes(query.slice(at, at + CODE_CHARACTERS))) return true;
  return false;
}
