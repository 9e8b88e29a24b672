// Cuts source text of any of our languages into tokens, without comments and imports: enough to tell whether two
// stretches are the same code.

import type { Language } from '../../model.ts';

/** Kinds of tokens: names and keywords, numbers, texts; punctuation has the code of its first character (33–126). */
export const NAME = 1;
export const NUMBER = 2;
export const TEXT = 3;

export interface Tokens {
  readonly count: number;
  /** A hash of each token's text. */
  readonly hashes: Int32Array;
  readonly kinds: Uint8Array;
  /** 1-based line that each starts in, and ends in. */
  readonly lines: Int32Array;
  readonly endLines: Int32Array;
}

interface Family {
  /** Marks that begin a comment to the end of the line. */
  readonly line: readonly string[];
  readonly block: readonly (readonly [open: string, close: string])[];
  readonly quotes: string;
  /** Three quotes begin a text of several lines. */
  readonly triple: boolean;
  /** At the beginning of a line: an import, which goes on while brackets are open. */
  readonly imports: RegExp;
  /** `/` may begin a regular expression. */
  readonly regexps: boolean;
}

const C_BLOCK = [['/*', '*/']] as const;
const script: Family = {
  line: ['//'],
  block: C_BLOCK,
  quotes: '"\'`',
  triple: false,
  imports: /import\b(?!\s*[(.])|export\s+(?:type\s*)?[{*]|(?:const|let|var)\s+[^=\n]{1,500}=\s*require\(/y,
  regexps: true,
};
const plain: Family = {
  line: ['//'],
  block: C_BLOCK,
  quotes: '"\'',
  triple: false,
  imports: /(?:import|package)\b/y,
  regexps: false,
};
const hash: Family = {
  line: ['#'],
  block: [],
  quotes: '"\'',
  triple: true,
  imports: /(?:import|from|require|require_relative|alias|use|source|load)\b/y,
  regexps: false,
};
const families: Readonly<Record<Language, Family>> = {
  typescript: script,
  tsx: script,
  javascript: script,
  python: hash,
  ruby: { ...hash, triple: false, regexps: true },
  elixir: hash,
  bash: { ...hash, triple: false },
  rust: { ...plain, quotes: '"', imports: /(?:pub(?:\([^)]{0,200}\))?\s+)?(?:use\s|mod\s+\w+\s*;|extern\s+crate\s)/y },
  go: { ...plain, quotes: '"\'`' },
  java: { ...plain, triple: true },
  kotlin: { ...plain, triple: true },
  scala: { ...plain, triple: true },
  swift: { ...plain, triple: true, imports: /(?:@testable\s+)?import\b/y },
  csharp: { ...plain, triple: true, imports: /using\s[\w.=\s]{1,500};/y },
  c: { ...plain, imports: /#\s*(?:include|pragma)\b/y },
  cpp: { ...plain, imports: /#\s*(?:include|pragma)\b|using\s+namespace\b/y },
  php: { ...plain, line: ['//', '#'], imports: /(?:use|namespace|require|require_once|include)\b/y },
  zig: { ...plain, block: [], imports: /const\s+\w+\s*=\s*@import\(/y },
  lua: {
    line: ['--'],
    block: [['--[[', ']]']],
    quotes: '"\'',
    triple: false,
    imports: /local\s+\w+\s*=\s*require\b/y,
    regexps: false,
  },
  haskell: {
    line: ['--'],
    block: [['{-', '-}']],
    quotes: '"',
    triple: false,
    imports: /(?:import|module)\b/y,
    regexps: false,
  },
};

/** Linear in the text. Broken code is cut as far as it goes; the same text always gives the same tokens. */
export function tokensOf(text: string, language: Language): Tokens {
  const family = families[language];
  let capacity = Math.max(64, text.length >> 2);
  let hashes = new Int32Array(capacity);
  let kinds = new Uint8Array(capacity);
  let lines = new Int32Array(capacity);
  let endLines = new Int32Array(capacity);
  let count = 0;
  let at = 0;
  let line = 1;
  let lineHasToken = false;
  /** Where an import ends: tokens are left out until a line ends with no bracket open. */
  let skipping = false;
  let depth = 0;
  let previous = 0;

  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 10) {
      line++;
      at++;
      lineHasToken = false;
      if (skipping && depth <= 0) skipping = false;
      continue;
    }
    if (code <= 32 || code === 0xfeff) {
      at++;
      continue;
    }
    const comment = commentEnd(text, at, family);
    if (comment > at) {
      for (let from = at; from < comment; from++) if (text.charCodeAt(from) === 10) line++;
      at = comment;
      continue;
    }
    if (!lineHasToken && !skipping) {
      lineHasToken = true;
      family.imports.lastIndex = at;
      if (family.imports.test(text)) [skipping, depth] = [true, 0];
    }
    const start = at;
    const startLine = line;
    let kind = code;
    if (isNamePart(code)) {
      kind = code >= 48 && code <= 57 ? NUMBER : NAME;
      while (at < text.length && isNamePart(text.charCodeAt(at))) at++;
    } else if (family.quotes.includes(text[at]!)) {
      kind = TEXT;
      at = textEnd(text, at, family.triple);
    } else if (family.regexps && code === 47 && mayBeginRegexp(previous)) {
      const end = regexpEnd(text, at);
      if (end > at) kind = TEXT;
      at = Math.max(end, at + 1);
    } else {
      at++;
      if (code === 61 && text.charCodeAt(at) === 62) at++;
      if (code === 40 || code === 91 || code === 123) depth++;
      else if (code === 41 || code === 93 || code === 125) depth--;
    }
    let value = kind === TEXT ? 0x811c9dc6 : 0x811c9dc5;
    for (let from = start; from < at; from++) {
      const unit = text.charCodeAt(from);
      if (unit === 10) line++;
      value = Math.imul(value ^ unit, 0x01000193);
    }
    previous = kind === NAME && at - start === 6 && text.startsWith('return', start) ? 61 : kind;
    if (skipping) continue;
    if (count === capacity) {
      capacity *= 2;
      hashes = grown(hashes, new Int32Array(capacity));
      kinds = grown(kinds, new Uint8Array(capacity));
      lines = grown(lines, new Int32Array(capacity));
      endLines = grown(endLines, new Int32Array(capacity));
    }
    hashes[count] = value;
    kinds[count] = kind;
    lines[count] = startLine;
    endLines[count] = line;
    count++;
  }
  return {
    count,
    hashes: hashes.subarray(0, count),
    kinds: kinds.subarray(0, count),
    lines: lines.subarray(0, count),
    endLines: endLines.subarray(0, count),
  };
}

function isNamePart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    (code > 127 && code !== 0xa0)
  );
}

/** Behind the comment that begins here, or `at`. The line end of a line comment is left. */
function commentEnd(text: string, at: number, { line, block }: Family): number {
  for (const [open, close] of block) {
    if (!text.startsWith(open, at)) continue;
    const end = text.indexOf(close, at + open.length);
    return end < 0 ? text.length : end + close.length;
  }
  for (const mark of line) {
    if (!text.startsWith(mark, at)) continue;
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  return at;
}

/**
 * Behind the closing quote. A text in plain quotes ends with its line at the latest: what looks open is an apostrophe.
 */
function textEnd(text: string, at: number, triple: boolean): number {
  const quote = text[at]!;
  if (triple && text.startsWith(quote.repeat(3), at)) {
    const end = text.indexOf(quote.repeat(3), at + 3);
    return end < 0 ? text.length : end + 3;
  }
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === 92) next++;
    else if (text[next] === quote) return next + 1;
    else if (code === 10 && quote !== '`') return next;
  }
  return text.length;
}

/** Behind an operator, an opening bracket or a separator; not behind a value. */
function mayBeginRegexp(previous: number): boolean {
  return previous === 0 || (previous > TEXT && previous !== 41 && previous !== 93 && previous !== 125);
}

function regexpEnd(text: string, at: number): number {
  let inClass = false;
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === 10) return at;
    if (code === 92) next++;
    else if (code === 91) inClass = true;
    else if (code === 93) inClass = false;
    else if (code === 47 && !inClass) {
      while (next + 1 < text.length && isNamePart(text.charCodeAt(next + 1))) next++;
      return next + 1;
    }
  }
  return at;
}

function grown<T extends Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
