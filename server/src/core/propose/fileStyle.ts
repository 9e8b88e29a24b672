// Detects the style in which a file is written (line ends, indentation, quotes, semicolons), so that new text matches

import { findFrequentLineEnd } from '../../util/values/lineEnds.ts';
// it.

/** The style in which a file is written. */
export interface Style {
  readonly newline: '\n' | '\r\n';
  /** One level of indentation: a tab, or some spaces. */
  readonly indent: string;
  readonly quote: "'" | '"';
  readonly semicolons: boolean;
  /** True for `function name (a)`, false for `function name(a)`. */
  readonly spaceBeforeParameters: boolean;
  /** True for `{ a: 1 }` and `import { a }`, false for `{a: 1}` and `import {a}`. */
  readonly spaceInBraces: boolean;
}

/**
 * Detects the most frequent style. Defaults are LF, two spaces, single quotes, semicolons, no space before parameters,
 * and spaces in braces.
 */
export function detectStyle(text: string): Style {
  return {
    newline: findFrequentLineEnd(text),
    indent: findUsualIndent(text),
    quote: detectQuote(text),
    semicolons: hasSemicolons(text),
    spaceBeforeParameters: hasSpaceBeforeParameters(text),
    spaceInBraces: hasSpaceInBraces(text),
  };
}

/** Puts names or members into braces, in this style. */
export function wrapInBraces(text: string, { spaceInBraces }: Pick<Style, 'spaceInBraces'>): string {
  return spaceInBraces ? `{ ${text} }` : `{${text}}`;
}

/**
 * Detects the line width: at least 98 % of the lines of code are not longer. It is at least 80 and at most 120
 * characters. Comments are not measured.
 */
export function detectLineWidth(text: string): number {
  const lengths = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/\*|\*)/.test(line))
    .map((line) => line.length)
    .sort((a, b) => a - b);
  // Formatters do not break long strings, so up to one line in fifty may exceed the width.
  return Math.min(120, Math.max(80, lengths[Math.floor(lengths.length * 0.98)] ?? 0));
}

/**
 * True if at least half of the lists and objects on several lines have a trailing comma. If there are none, true if the
 * text has semicolons or is empty, because a style without semicolons usually forbids trailing commas.
 */
export function hasTrailingCommas(text: string): boolean {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const lastMembers = lines.filter((line, index) => isMember(line) && /^[\]}]/.test(lines[index + 1] ?? ''));
  if (lastMembers.length === 0) return text.trim() === '' || lines.some((line) => line.endsWith(';'));
  return lastMembers.filter((line) => line.endsWith(',')).length * 2 >= lastMembers.length;
}

/**
 * True for the text of a member or an element: `name: value`, a name, a number or a string, with or without a trailing
 * comma.
 */
function isMember(line: string): boolean {
  return !/[;{[(]$/.test(line) && /^(?:[\w$]+|'[^']*'|"[^"]*")(?:: \S.*|,?)$/.test(line) && !line.startsWith('case ');
}

/** The most frequent difference between a line and the less indented one before it; two spaces if there is none. */
function findUsualIndent(text: string): string {
  const countsByStep = new Map<string, number>();
  let previousIndent = '';
  for (const line of text.split(/\r?\n/)) {
    // Lines of block comments begin with a space and a star.
    if (!line.trim() || /^\s*\*/.test(line)) continue;
    const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
    if (indent.length > previousIndent.length && indent.startsWith(previousIndent)) {
      const step = indent.slice(previousIndent.length);
      if (step === '\t' || /^ {2,8}$/.test(step)) countsByStep.set(step, (countsByStep.get(step) ?? 0) + 1);
    }
    previousIndent = indent;
  }
  return [...countsByStep].sort(([a, countA], [b, countB]) => countB - countA || a.length - b.length)[0]?.[0] ?? '  ';
}

function detectQuote(text: string): Style['quote'] {
  const countMatches = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return countMatches(/(?:from|import|require\(|[=(,:[])\s*"[^"'\n]*"/g) >
    countMatches(/(?:from|import|require\(|[=(,:[])\s*'[^"'\n]*'/g)
    ? '"'
    : "'";
}

/** True if at least half of the lines that contain a complete statement end with a semicolon. */
function hasSemicolons(text: string): boolean {
  const lines =
    text.match(
      /^[ \t]*(?:(?:import|export \*|export \{|const|let|var|return|throw)\b[^\n]*[\w)'"\]]|[\w.]+\([^\n]*\)(?!\s*\{));?[ \t]*\r?$/gm,
    ) ?? [];
  const terminatedCount = lines.filter((line) => line.trimEnd().endsWith(';')).length;
  return terminatedCount * 2 >= lines.length;
}

/** True if most functions and methods with a name have a space before their parameters. */
function hasSpaceBeforeParameters(text: string): boolean {
  const method = String.raw`^[ \t]+(?:static |async |get |set )*(?!if\b|for\b|while\b|switch\b|catch\b|with\b|function\b)[\w$#]+`;
  const countMatches = (withSpace: string) =>
    text.match(new RegExp(String.raw`\bfunction\*? [\w$]+${withSpace}\(|${method}${withSpace}\([^()\n]*\) \{$`, 'gm'))
      ?.length ?? 0;
  return countMatches(' ') > countMatches('');
}

/** False if most objects and lists of names on one line have no spaces inside their braces. */
function hasSpaceInBraces(text: string): boolean {
  const countMatches = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return (
    countMatches(/(?:[([,:] ?|[\w=] )\{[\w'"[][^{}\n]*\}/g) <= countMatches(/(?:[([,:] ?|[\w=] )\{ [\w'"[][^{}\n]* \}/g)
  );
}
