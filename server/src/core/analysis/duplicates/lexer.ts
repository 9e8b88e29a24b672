// Splits source text of any supported language into tokens, without comments and imports. Precise enough to decide
// whether two fragments are the same code.

import { isIdentifierCharacter } from '../../../util/nameCharacters.ts';
import type { Language } from '../../model.ts';

/** The kind of names and keywords. (The kind of punctuation is the code of its first character, 33–126.) */
export const NAME_KIND = 1;
/** The kind of numbers. */
export const NUMBER_KIND = 2;
/** The kind of strings and regular expressions. */
export const TEXT_KIND = 3;

const SLASH = 47;

/** The tokens of a text, as parallel arrays. */
export interface Tokens {
  readonly count: number;
  /** A hash of each token's text. */
  readonly hashes: Int32Array;
  readonly kinds: Uint8Array;
  /** The line (1-based) in which each token starts. */
  readonly lines: Int32Array;
  /** The line (1-based) in which each token ends. */
  readonly endLines: Int32Array;
}

/** The notation of comments, strings, imports and regular expressions in a family of languages. */
interface LanguageFamily {
  /** Marks that begin a comment to the end of the line. */
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  readonly quotes: string;
  /** True if three quotes begin a string of several lines. */
  readonly hasTripleQuotes: boolean;
  /** Matches an import at the beginning of a line. The import continues while brackets are open. */
  readonly imports: RegExp;
  /** True if `/` may begin a regular expression. */
  readonly hasRegexps: boolean;
}

/** Start and end of a block comment of C. */
const C_BLOCK = [['/*', '*/']] as const;
const SCRIPT_FAMILY: LanguageFamily = {
  lineComments: ['//'],
  blockComments: C_BLOCK,
  quotes: '"\'`',
  hasTripleQuotes: false,
  imports: /import\b(?!\s*[(.])|export\s+(?:type\s*)?[{*]|(?:const|let|var)\s+[^=\n]{1,500}=\s*require\(/y,
  hasRegexps: true,
};
const C_LIKE_FAMILY: LanguageFamily = {
  lineComments: ['//'],
  blockComments: C_BLOCK,
  quotes: '"\'',
  hasTripleQuotes: false,
  imports: /(?:import|package)\b/y,
  hasRegexps: false,
};
const HASH_COMMENT_FAMILY: LanguageFamily = {
  lineComments: ['#'],
  blockComments: [],
  quotes: '"\'',
  hasTripleQuotes: true,
  imports: /(?:import|from|require|require_relative|alias|use|source|load)\b/y,
  hasRegexps: false,
};
/** By language: how its tokens are read. */
const FAMILY_BY_LANGUAGE: Readonly<Record<Language, LanguageFamily>> = {
  typescript: SCRIPT_FAMILY,
  tsx: SCRIPT_FAMILY,
  javascript: SCRIPT_FAMILY,
  python: HASH_COMMENT_FAMILY,
  ruby: { ...HASH_COMMENT_FAMILY, hasTripleQuotes: false, hasRegexps: true },
  elixir: HASH_COMMENT_FAMILY,
  bash: { ...HASH_COMMENT_FAMILY, hasTripleQuotes: false },
  rust: {
    ...C_LIKE_FAMILY,
    quotes: '"',
    imports: /(?:pub(?:\([^)]{0,200}\))?\s+)?(?:use\s|mod\s+\w+\s*;|extern\s+crate\s)/y,
  },
  go: { ...C_LIKE_FAMILY, quotes: '"\'`' },
  java: { ...C_LIKE_FAMILY, hasTripleQuotes: true },
  kotlin: { ...C_LIKE_FAMILY, hasTripleQuotes: true },
  scala: { ...C_LIKE_FAMILY, hasTripleQuotes: true },
  swift: { ...C_LIKE_FAMILY, hasTripleQuotes: true, imports: /(?:@testable\s+)?import\b/y },
  csharp: { ...C_LIKE_FAMILY, hasTripleQuotes: true, imports: /using\s[\w.=\s]{1,500};/y },
  c: { ...C_LIKE_FAMILY, imports: /#\s*(?:include|pragma)\b/y },
  cpp: { ...C_LIKE_FAMILY, imports: /#\s*(?:include|pragma)\b|using\s+namespace\b/y },
  php: { ...C_LIKE_FAMILY, lineComments: ['//', '#'], imports: /(?:use|namespace|require|require_once|include)\b/y },
  zig: { ...C_LIKE_FAMILY, blockComments: [], imports: /const\s+\w+\s*=\s*@import\(/y },
  lua: {
    lineComments: ['--'],
    blockComments: [['--[[', ']]']],
    quotes: '"\'',
    hasTripleQuotes: false,
    imports: /local\s+\w+\s*=\s*require\b/y,
    hasRegexps: false,
  },
  haskell: {
    lineComments: ['--'],
    blockComments: [['{-', '-}']],
    quotes: '"',
    hasTripleQuotes: false,
    imports: /(?:import|module)\b/y,
    hasRegexps: false,
  },
};

/**
 * The tokens of a text, in linear time. Of broken code, returns the tokens that can be read; the same text always
 * gives the same tokens.
 */
export function tokenize(text: string, language: Language): Tokens {
  const family = FAMILY_BY_LANGUAGE[language];
  const tokens = createTokenList(Math.max(64, text.length >> 2));
  let offset = 0;
  let line = 1;
  let hasTokenInLine = false;
  /** True inside an import, whose tokens are skipped until a line ends without an open bracket. */
  let isInImport = false;
  let depth = 0;
  let previous = 0;

  while (offset < text.length) {
    const code = text.charCodeAt(offset);
    if (code === 10) {
      line++;
      offset++;
      hasTokenInLine = false;
      if (depth <= 0) isInImport = false;
      continue;
    }
    if (code <= 32 || code === 0xfeff) {
      offset++;
      continue;
    }
    const comment = findCommentEnd(text, offset, family);
    if (comment > offset) {
      line += countLines(text, offset, comment);
      offset = comment;
      continue;
    }
    if (!hasTokenInLine && !isInImport) {
      hasTokenInLine = true;
      isInImport = beginsImport(text, offset, family);
      depth = 0;
    }
    const kind = findTokenKind(text, offset, code, family, previous);
    const end = findEnd(text, offset, kind, family);
    const startLine = line;
    if (kind === TEXT_KIND) line += countLines(text, offset, end);
    if (!isInImport) tokens.add(hashToken(text, offset, end, kind), kind, startLine, line);
    depth += countBracketBalance(code);
    // A regular expression may begin after `return`, so `return` counts as an operator (61 is `=`).
    previous = kind === NAME_KIND && end - offset === 6 && text.startsWith('return', offset) ? 61 : kind;
    offset = end;
  }
  return tokens.all();
}

/** Creates an empty list of tokens: four arrays that grow together. */
function createTokenList(size: number) {
  let capacity = size;
  let hashes = new Int32Array(capacity);
  let kinds = new Uint8Array(capacity);
  let lines = new Int32Array(capacity);
  let endLines = new Int32Array(capacity);
  let count = 0;
  const grow = () => {
    capacity *= 2;
    hashes = copyInto(hashes, new Int32Array(capacity));
    kinds = copyInto(kinds, new Uint8Array(capacity));
    lines = copyInto(lines, new Int32Array(capacity));
    endLines = copyInto(endLines, new Int32Array(capacity));
  };
  return {
    add(hash: number, kind: number, line: number, endLine: number): void {
      if (count === capacity) grow();
      hashes[count] = hash;
      kinds[count] = kind;
      lines[count] = line;
      endLines[count] = endLine;
      count++;
    },
    all: (): Tokens => ({
      count,
      hashes: hashes.subarray(0, count),
      kinds: kinds.subarray(0, count),
      lines: lines.subarray(0, count),
      endLines: endLines.subarray(0, count),
    }),
  };
}

function beginsImport(text: string, offset: number, { imports }: LanguageFamily): boolean {
  imports.lastIndex = offset;
  return imports.test(text);
}

/** The kind of the token that begins here: `NAME_KIND`, `NUMBER_KIND`, `TEXT_KIND`, or the character code of its punctuation. */
function findTokenKind(
  text: string,
  offset: number,
  code: number,
  { quotes, hasRegexps }: LanguageFamily,
  previous: number,
): number {
  if (isNamePart(code)) return isDigit(code) ? NUMBER_KIND : NAME_KIND;
  if (quotes.includes(text[offset]!)) return TEXT_KIND;
  const isRegexp = hasRegexps && code === SLASH && mayBeginRegexp(previous) && findRegexpEnd(text, offset) > offset;
  return isRegexp ? TEXT_KIND : code;
}

/** The end of the token that begins here. */
function findEnd(text: string, start: number, kind: number, { hasTripleQuotes }: LanguageFamily): number {
  if (kind === NAME_KIND || kind === NUMBER_KIND) return findNameEnd(text, start);
  if (kind === TEXT_KIND)
    return text.charCodeAt(start) === SLASH ? findRegexpEnd(text, start) : findStringEnd(text, start, hasTripleQuotes);
  const isArrow = text.charCodeAt(start) === 61 && text.charCodeAt(start + 1) === 62;
  return isArrow ? start + 2 : start + 1;
}

function findNameEnd(text: string, index: number): number {
  let end = index + 1;
  while (end < text.length && isNamePart(text.charCodeAt(end))) end++;
  return end;
}

/** The FNV-1a hash of a token. Strings start from another value, so a string and a name with the same text differ. */
function hashToken(text: string, from: number, to: number, kind: number): number {
  let value = kind === TEXT_KIND ? 0x811c9dc6 : 0x811c9dc5;
  for (let current = from; current < to; current++) value = Math.imul(value ^ text.charCodeAt(current), 0x01000193);
  return value;
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let current = from; current < to; current++) if (text.charCodeAt(current) === 10) lines++;
  return lines;
}

/** 1 for an opening bracket, -1 for a closing one, otherwise 0. */
function countBracketBalance(code: number): number {
  if (code === 40 || code === 91 || code === 123) return 1;
  return code === 41 || code === 93 || code === 125 ? -1 : 0;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** True for a character of a name or a number. A no-break space is not one. */
function isNamePart(code: number): boolean {
  return isIdentifierCharacter(code) && code !== 0xa0;
}

/**
 * The end of the comment that begins here, or `offset` if none does. The line break after a line comment is not part of
 * it.
 */
function findCommentEnd(text: string, offset: number, { lineComments, blockComments }: LanguageFamily): number {
  for (const [open, close] of blockComments) {
    if (!text.startsWith(open, offset)) continue;
    const end = text.indexOf(close, offset + open.length);
    return end < 0 ? text.length : end + close.length;
  }
  for (const mark of lineComments) {
    if (!text.startsWith(mark, offset)) continue;
    const end = text.indexOf('\n', offset);
    return end < 0 ? text.length : end;
  }
  return offset;
}

/**
 * The offset after the closing quote. A string in plain quotes ends with its line at the latest, because a quote that
 * is not closed there is probably an apostrophe.
 */
function findStringEnd(text: string, offset: number, hasTripleQuotes: boolean): number {
  const quote = text[offset]!;
  if (hasTripleQuotes && text.startsWith(quote.repeat(3), offset)) {
    const end = text.indexOf(quote.repeat(3), offset + 3);
    return end < 0 ? text.length : end + 3;
  }
  for (let next = offset + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === 92) next++;
    else if (text[next] === quote) return next + 1;
    else if (code === 10 && quote !== '`') return next;
  }
  return text.length;
}

/** True after an operator, an opening bracket or a separator; false after a value. */
function mayBeginRegexp(previous: number): boolean {
  return previous === 0 || (previous > TEXT_KIND && previous !== 41 && previous !== 93 && previous !== 125);
}

/** The offset after the regular expression that begins here, flags included; `index` if none does. */
function findRegexpEnd(text: string, index: number): number {
  let isInClass = false;
  for (let next = index + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === 10) return index;
    if (code === 92) next++;
    else if (code === 91) isInClass = true;
    else if (code === 93) isInClass = false;
    else if (code === 47 && !isInClass) {
      return findNameEnd(text, next);
    }
  }
  return index;
}

function copyInto<T extends Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
