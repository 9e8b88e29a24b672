// Finds definitions by regular expressions, in languages for which no grammar is shipped. This is less exact than a
// parser.

import type { Range, SymbolInfo } from '../../model.ts';
import { createBracketEndFinder, findIndentEnds } from './blocks.ts';
import { LANGUAGE_PATTERNS } from './patternTable.ts';
import type { LanguagePatterns } from './languagePatterns.ts';
import { findSections } from './sections.ts';

/** Maximum length of a line, in UTF-16 units. Longer lines are data. */
const MAX_LINE = 500;
/** Maximum number of definitions of a file. A file with more is data. */
const MAX_DEFINITIONS = 20_000;
/**
 * Maximum number of lines of a statement that ends with a terminator. A statement whose end is not recognised is cut
 * there.
 */
const MAX_STATEMENT = 400;
/** Minimum number of lines of a function whose inner definitions are listed. A shorter function is read as a whole. */
const LONG_FUNCTION_LINES = 40;
/** Kinds of types, and modules. */
const SCOPE_KINDS = new Set<SymbolInfo['kind']>(['class', 'interface', 'module', 'enum']);
const FUNCTION_KINDS = new Set<SymbolInfo['kind']>(['function', 'method', 'macro']);

/** By file extension: the format of a text for people. */
const PROSE_FORMAT_BY_EXTENSION: Readonly<Record<string, 'markdown' | 'asciidoc' | 'rst'>> = {
  md: 'markdown',
  mdx: 'markdown',
  markdown: 'markdown',
  qmd: 'markdown',
  adoc: 'asciidoc',
  asciidoc: 'asciidoc',
  rst: 'rst',
};
/** By file extension: the patterns of the language. */
const PATTERNS_BY_EXTENSION = new Map(
  Object.values(LANGUAGE_PATTERNS).flatMap((family) =>
    family.extensions.split(' ').map((extension) => [extension, family] as const),
  ),
);
/** By file name: the patterns of the language. */
const PATTERNS_BY_NAME = new Map(
  Object.values(LANGUAGE_PATTERNS).flatMap((family) =>
    (family.names ?? '')
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => [name, family] as const),
  ),
);

/** The definitions in text order; empty if the table has no row for files of this name. Reads the text in one pass. */
export function findDefinitionsByPattern(path: string, text: string): SymbolInfo[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const format = Object.hasOwn(PROSE_FORMAT_BY_EXTENSION, extension) ? PROSE_FORMAT_BY_EXTENSION[extension] : undefined;
  if (format) return findSections(lines, format).slice(0, MAX_DEFINITIONS);
  const family = PATTERNS_BY_NAME.get(name) ?? (name.includes('.') ? PATTERNS_BY_EXTENSION.get(extension) : undefined);
  return family ? addPaths(findDefinitions(lines, family)) : [];
}

/** A definition without its path. */
type FoundDefinition = Omit<SymbolInfo, 'path'>;

/** The definitions that the patterns of a language find in these lines, in order. */
function findDefinitions(lines: readonly string[], family: LanguagePatterns): FoundDefinition[] {
  const readable = removeComments(lines, family);
  const heads = findHeads(readable, family);
  const endOf = createEndFinder(readable, family);
  return heads.map(({ line, kind, name, span }, index) => {
    const text = readable[line]!;
    const end = Math.max(endOf(line, span[1], heads[index + 1]?.line ?? lines.length, kind), line);
    return {
      name,
      kind,
      range: {
        startLine: line + 1,
        startColumn: text.search(/\S/) + 1,
        endLine: end + 1,
        endColumn: lines[end]!.trimEnd().length + 1,
      },
      nameRange: { startLine: line + 1, startColumn: span[0] + 1, endLine: line + 1, endColumn: span[1] + 1 },
      exported: !family.hiddenPattern?.test(text),
    };
  });
}

/** The line at which a definition begins, and the columns of its name. Lines and columns are counted from 0. */
interface Head {
  readonly line: number;
  readonly kind: SymbolInfo['kind'];
  readonly name: string;
  readonly span: readonly [from: number, to: number];
}

/**
 * The lines at which definitions begin, at most one definition per line and `MAX_DEFINITIONS` in all. `lines`: without
 * comments.
 */
function findHeads(lines: readonly string[], family: LanguagePatterns): Head[] {
  const heads: Head[] = [];
  for (const [line, text] of lines.entries()) {
    if (text === '') continue;
    for (const [kind, expression] of family.definitions) {
      const match = expression.exec(text);
      const span = match?.indices?.groups?.['name'];
      if (!match || !span) continue;
      const name = match.groups!['name']!.replaceAll(/^[`'"(]+|[`'")]+$/g, '').trim();
      if (name !== '') heads.push({ line, kind, name, span });
      break;
    }
    if (heads.length >= MAX_DEFINITIONS) break;
  }
  return heads;
}

/** The lines without comments; lines that are not read become blank. */
function removeComments(lines: readonly string[], family: LanguagePatterns): string[] {
  const hasBlocks = family.comment.source.includes('\\/\\/') || family.comment.source.startsWith('--');
  let isInBlock = false;
  let isInside = !family.within;
  return lines.map((line) => {
    if (family.within) {
      const mark = isInside ? family.within.to : family.within.from;
      if (mark.test(line)) {
        isInside = !isInside;
        return '';
      }
      if (!isInside) return '';
    }
    if (line.length > MAX_LINE) return '';
    let remaining = line;
    if (isInBlock) {
      const end = remaining.indexOf('*/');
      if (end < 0) return '';
      isInBlock = false;
      remaining = ' '.repeat(end + 2) + remaining.slice(end + 2);
    }
    if (hasBlocks && remaining.includes('/*')) {
      remaining = remaining.replaceAll(/\/\*.*?\*\//g, (comment) => ' '.repeat(comment.length));
      const begin = remaining.indexOf('/*');
      // `"/*"` in a string begins no comment.
      if (begin >= 0 && !/["'`]/.test(remaining.slice(0, begin))) {
        isInBlock = true;
        remaining = remaining.slice(0, begin);
      }
    }
    // `"http://…"` is not a comment.
    return family.comment.test(remaining) && !/["'`][^"'`]*$/.test(remaining.replace(family.comment, ''))
      ? remaining.replace(family.comment, '').trimEnd()
      : remaining;
  });
}

/** Returns the last line of the definition at a position. Lines and columns are counted from 0. */
type EndFinder = (line: number, column: number, nextHead: number, kind: SymbolInfo['kind']) => number;

function createEndFinder(lines: readonly string[], family: LanguagePatterns): EndFinder {
  const usualEndOf = createUsualEndFinder(lines, family);
  if (!family.until) return usualEndOf;
  const [head, last] = family.until;
  return (line, ...otherArguments) =>
    head.test(lines[line]!) ? findFirstMatch(lines, last, line, lines.length - 1) : usualEndOf(line, ...otherArguments);
}

/** Returns a function that finds the end of a definition by the rule `end` of the language. */
function createUsualEndFinder(lines: readonly string[], family: LanguagePatterns): EndFinder {
  switch (family.end) {
    case 'braces': {
      const ends = createBracketEndFinder(lines, 'braces');
      return (line, column, nextHead) => ends(line, column, nextHead) ?? line;
    }
    case 'parens': {
      const ends = createBracketEndFinder(lines, 'parens');
      return (line, _column, nextHead) => ends(line, 0, nextHead) ?? line;
    }
    case 'indent': {
      const ends = findIndentEnds(lines);
      // The `end` directly below a value closes the block around it.
      return (line, _column, _nextHead, kind) =>
        (kind === 'constant' || kind === 'variable') && ends[line] === line + 1 ? line : ends[line]!;
    }
    case 'terminator':
      return (line) =>
        findFirstMatch(lines, family.terminator!, line, Math.min(lines.length - 1, line + MAX_STATEMENT));
    case 'line':
      return (line) => line;
  }
}

/** The first matching line from `from` on; `limit` if no line before `limit` matches. */
function findFirstMatch(lines: readonly string[], expression: RegExp, from: number, limit: number): number {
  for (let current = from; current < limit; current++) if (expression.test(lines[current]!)) return current;
  return limit;
}

/** Adds the paths of definitions by their nesting. Definitions inside short functions are skipped. */
function addPaths(definitions: readonly FoundDefinition[]): SymbolInfo[] {
  const openSymbols: SymbolInfo[] = [];
  return definitions.flatMap((definition) => {
    while (openSymbols.length > 0 && !contains(openSymbols.at(-1)!.range, definition.range)) openSymbols.pop();
    const enclosing = openSymbols.at(-1);
    if (
      enclosing &&
      FUNCTION_KINDS.has(enclosing.kind) &&
      enclosing.range.endLine - enclosing.range.startLine < LONG_FUNCTION_LINES
    )
      return [];
    const isInType = enclosing !== undefined && SCOPE_KINDS.has(enclosing.kind) && enclosing.kind !== 'module';
    const symbol: SymbolInfo = {
      ...definition,
      kind: definition.kind === 'function' && isInType ? 'method' : definition.kind,
      path: enclosing ? `${enclosing.path}.${definition.name}` : definition.name,
    };
    openSymbols.push(symbol);
    return [symbol];
  });
}

function contains(outer: Range, inner: Range): boolean {
  return (
    outer.endLine > inner.startLine ||
    (outer.endLine === inner.startLine && outer.startLine < inner.startLine && outer.endLine >= inner.endLine)
  );
}
