// Creates the query of an online search, and decides whether it may leave this machine. Removes secrets and names of
// places on the machine or its network, and sends no long piece of the repository's texts.

import { escapeInvisibleLine } from '../../../util/visible.ts';
import { redact } from '../../ledger/redact.ts';

/** Maximum number of characters of a query. */
const MAX_CHARACTERS = 300;
/** Maximum number of characters of the given text that are considered. */
const MAX_READ_CHARACTERS = 4000;
/** A sequence of this many characters that also occurs in a file of the repository is code and not a search term. */
const CODE_CHARACTERS = 60;
/** Number of characters of code punctuation from which a query counts as code, regardless of its origin. */
const MAX_PUNCTUATION = 12;
/** The characters of code punctuation. */
const PUNCTUATION_CHARACTERS = new Set('{}()[];=<>');
/** Minimum length of a word with letters and digits that may be a key. */
const KEY_CHARACTERS = 24;
/** Matches a word in which a secret was replaced. */
const REDACTED_PATTERN = /^\S*\[redacted:[a-z-]+\]\S*$/;
/** Separates the parts of a word, which are checked one by one. */
const SEPARATOR_PATTERN = /[/\\.:=,;()[\]{}<>"'`|&?]+/;
/** Matches text in Base64. It contains slashes, so a key may extend over several parts of a word. */
const BASE64_PATTERN = /[\w+/=-]+/g;

/** Matches a quoted value of code, even without its end. An apostrophe within a word does not start one. */
const LITERAL_PATTERN = /"(?:[^"\\]|\\.)*(?:"|$)|`(?:[^`\\]|\\.)*(?:`|$)|(?<!\w)'(?:[^'\\]|\\.)*(?:'|$)/g;
/** Matches braces without inner braces. */
const INNER_BRACES_PATTERN = /\{[^{}]*\}/g;
/** Matches an absolute path in quotes, which may contain spaces, even if the closing quote is missing. */
const QUOTED_PATH_PATTERN = /(["'`])(?:file:|[A-Za-z]:[\\/]|[\\/~])(?:(?!\1).)*(?:\1|$)/g;
/** Matches an absolute path of Windows. Words after a space belong to it if a backslash follows within a few words. */
const WINDOWS_PATH_PATTERN = /(?<![A-Za-z\d])(?:[A-Za-z]:[\\/]|\\\\)\S*(?:(?:\s+[^\s\\]+){0,3}\s+[^\s\\]*\\\S*)*/g;
/**
 * Matches another absolute path. The next word belongs to it if that word contains a slash and is not the name of a
 * package.
 */
const POSIX_PATH_PATTERN = /(?<![\w.)\]@/-])~?\/[^\s/]\S*(?:\s+[^\s@/][^\s/]*\/\S*)*/g;
/** Matches an address with a scheme, such as `https://`. */
const URL_PATTERN = /\b[a-z][a-z\d+.-]{1,20}:\/\/\S*/gi;
/** Matches an IPv4 address, with or without a port. */
const IP_V4_PATTERN = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\d.]*\d)/g;
/** Matches an IPv6 address, with or without brackets and a port. */
const IP_V6_PATTERN =
  /\[?(?<![\w:])(?:(?:[\da-f]{1,4}:){3,7}[\da-f]{1,4}|(?:[\da-f]{1,4}(?::[\da-f]{1,4}){0,6})?::[\da-f:.]*)(?![\w:])\]?(?::\d{1,5})?/gi;
/** Matches the name of a host with a port. */
const HOST_WITH_PORT_PATTERN = /(?<![\w.-])[a-z\d][\w-]*(?:\.[\w-]+)*:\d{2,5}(?::\d+)?(?![\w.-]*\w)/gi;
/** Matches a name with at least two dots, which may be that of a host. */
const HOST_NAME_PATTERN = /(?<![\w.-])[\w-]+(?:\.[\w-]+){2,}/g;

/** A query, or the reason why nothing may be searched for. */
export type ResearchQuery = { readonly query: string } | { readonly withheld: string };

/** The limits on a query. */
interface QueryLimits {
  /** Files of the repository whose text may not be part of the query. */
  readonly texts: readonly string[];
  /** True for the message of a test runner: text in quotes or braces there may be a value of the person's data. */
  readonly isMessage: boolean;
}

/**
 * The query for this text: on one line, without secrets, addresses of people and places of the machine or its network,
 * and shortened. Withheld if nothing is left, if the query looks like code, or if a file contains a long part of it.
 */
export function createResearchQuery(requestText: string, { texts, isMessage }: QueryLimits): ResearchQuery {
  // Removes keys first, because the later steps split words.
  const keptWords = splitWords(cutToReadPart(redact(escapeInvisibleLine(requestText)) as string)).filter(
    (word) => !REDACTED_PATTERN.test(word) && !looksLikeKey(word) && !/^\S+@\S+\.\S+$/.test(word),
  );
  const text = isMessage ? removeValues(keptWords.join(' ')) : keptWords.join(' ');
  const query = shortenQuery(splitWords(removePlaces(text)).map(removeFolders)).replace(/^[-\s]+/, '');
  if (!/[\p{L}\p{N}]/u.test(query))
    return { withheld: 'Nothing to search for was left after secrets and places were removed.' };
  if ([...query].filter((character) => PUNCTUATION_CHARACTERS.has(character)).length >= MAX_PUNCTUATION)
    return { withheld: 'The query looks like code.' };
  if (texts.some((text) => sharesLongPart(query, text)))
    return { withheld: `The query holds ${CODE_CHARACTERS} characters or more of a file of this repository.` };
  return { query };
}

/** The part of the text that is read, without a word that was cut off. */
function cutToReadPart(text: string): string {
  return text.length <= MAX_READ_CHARACTERS ? text : text.slice(0, MAX_READ_CHARACTERS).replace(/\S*$/, '');
}

/** Replaces quoted parts and parts in braces by `…`, even if their ends are missing. */
function removeValues(text: string): string {
  let masked = text.replace(LITERAL_PATTERN, '…');
  for (let before = ''; before !== masked; ) {
    before = masked;
    masked = masked.replace(INNER_BRACES_PATTERN, '…');
  }
  return masked.replace(/\{.*$/, '…');
}

/** Replaces each absolute path, and each address of a machine, by a fixed word. */
function removePlaces(text: string): string {
  return text
    .replace(QUOTED_PATH_PATTERN, 'path')
    .replace(/(?<!\w)file:\S*/gi, 'path')
    .replace(URL_PATTERN, 'address')
    .replace(WINDOWS_PATH_PATTERN, 'path')
    .replace(POSIX_PATH_PATTERN, 'path')
    .replace(IP_V4_PATTERN, 'address')
    .replace(IP_V6_PATTERN, 'address')
    .replace(HOST_WITH_PORT_PATTERN, 'address')
    .replace(HOST_NAME_PATTERN, (name) => (canBeHost(name) ? 'address' : name));
}

/** False for a version, and for the name of a class or exception such as `java.lang.NullPointerException`. */
function canBeHost(name: string): boolean {
  const lastLabel = name.slice(name.lastIndexOf('.') + 1);
  return !/^\d/.test(lastLabel) && !/^[A-Z]\w*[a-z]/.test(lastLabel);
}

/**
 * Joins the first words, within the limit. A first word that exceeds the limit is dropped, because it is not a search
 * term.
 */
function shortenQuery(words: readonly string[]): string {
  let query = '';
  for (const word of words) {
    const extendedQuery = query === '' ? word : `${query} ${word}`;
    if (extendedQuery.length > MAX_CHARACTERS) break;
    query = extendedQuery;
  }
  return query;
}

function splitWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** True for a word that may be a key. */
function looksLikeKey(word: string): boolean {
  const isLong = (part: string) => part.length >= KEY_CHARACTERS && /\d/.test(part) && /[A-Za-z]/.test(part);
  const isMixed = (base64Text: string) => isLong(base64Text) && /[a-z]/.test(base64Text) && /[A-Z]/.test(base64Text);
  return word.split(SEPARATOR_PATTERN).some(isLong) || (word.match(BASE64_PATTERN) ?? []).some(isMixed);
}

/** Shortens a relative path to its last part, because folders may name a person or a customer. */
function removeFolders(word: string): string {
  const parts = word.split(/[/\\]/);
  return parts.length < 3 || word.startsWith('@') ? word : parts.at(-1)!;
}

/** True if the text contains `CODE_CHARACTERS` consecutive characters of the query, ignoring white space. */
function sharesLongPart(query: string, text: string): boolean {
  if (query.length < CODE_CHARACTERS) return false;
  const textOnOneLine = text.replace(/\s+/g, ' ');
  for (let offset = 0; offset + CODE_CHARACTERS <= query.length; offset += 1)
    if (textOnOneLine.includes(query.slice(offset, offset + CODE_CHARACTERS))) return true;
  return false;
}
