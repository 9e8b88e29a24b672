// Detects how a file is written (line ends, indentation, quotes, semicolons), so that new text follows it.

/** The style in which a file is written. */
export interface Style {
  readonly newline: '\n' | '\r\n';
  /** One level of indentation: a tab, or some spaces. */
  readonly indent: string;
  readonly quote: "'" | '"';
  readonly semicolons: boolean;
  /** `function name (a)` instead of `function name(a)`. */
  readonly spaceBeforeParameters: boolean;
  /** `{ a: 1 }` and `import { a }` instead of `{a: 1}` and `import {a}`. */
  readonly spaceInBraces: boolean;
}

/**
 * The most frequent style. Without one, the style is LF, two spaces, single quotes, semicolons, no space before
 * parameters, and spaces in braces.
 */
export function detectStyle(text: string): Style {
  return {
    newline: detectLineEnd(text),
    indent: findUsualIndent(text),
    quote: detectQuote(text),
    semicolons: hasSemicolons(text),
    spaceBeforeParameters: hasSpaceBeforeParameters(text),
    spaceInBraces: hasSpaceInBraces(text),
  };
}

/** Names or members in braces, in this style. */
export function wrapInBraces(text: string, { spaceInBraces }: Pick<Style, 'spaceInBraces'>): string {
  return spaceInBraces ? `{ ${text} }` : `{${text}}`;
}

/**
 * The line width of the file: 98 % of its lines of code are not longer. It is at least 80 and at most 120 characters.
 * Comments do not count.
 */
export function detectLineWidth(text: string): number {
  const lengths = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/\*|\*)/.test(line))
    .map((line) => line.length)
    .sort((a, b) => a - b);
  // Formatters do not break long strings, so up to one line in fifty is not evidence of the width.
  return Math.min(120, Math.max(80, lengths[Math.floor(lengths.length * 0.98)] ?? 0));
}

/**
 * True if most lists and objects on several lines have a trailing comma. If there are none: true if the text has
 * semicolons, because a style without them usually forbids trailing commas.
 */
export function hasTrailingCommas(text: string): boolean {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const lastMembers = lines.filter((line, index) => isMember(line) && /^[\]}]/.test(lines[index + 1] ?? ''));
  if (lastMembers.length === 0) return text.trim() === '' || lines.some((line) => line.endsWith(';'));
  return lastMembers.filter((line) => line.endsWith(',')).length * 2 >= lastMembers.length;
}

/** True for `name: value`, a name, a number or a text in quotes, with or without a trailing comma. */
function isMember(line: string): boolean {
  return !/[;{[(]$/.test(line) && /^(?:[\w$]+|'[^']*'|"[^"]*")(?:: \S.*|,?)$/.test(line) && !line.startsWith('case ');
}

function detectLineEnd(text: string): Style['newline'] {
  const lineBreaks = text.split('\n').length - 1;
  const crlfCount = text.split('\r\n').length - 1;
  return crlfCount * 2 > lineBreaks ? '\r\n' : '\n';
}

/** The most common difference between a line and the less indented one before it; two spaces if there is none. */
function findUsualIndent(text: string): string {
  const steps = new Map<string, number>();
  let previous = '';
  for (const line of text.split(/\r?\n/)) {
    // Lines of block comments begin with a space and a star.
    if (!line.trim() || /^\s*\*/.test(line)) continue;
    const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
    if (indent.length > previous.length && indent.startsWith(previous)) {
      const step = indent.slice(previous.length);
      if (step === '\t' || /^ {2,8}$/.test(step)) steps.set(step, (steps.get(step) ?? 0) + 1);
    }
    previous = indent;
  }
  return [...steps].sort(([a, countA], [b, countB]) => countB - countA || a.length - b.length)[0]?.[0] ?? '  ';
}

function detectQuote(text: string): Style['quote'] {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return count(/(?:from|import|require\(|[=(,:[])\s*"[^"'\n]*"/g) >
    count(/(?:from|import|require\(|[=(,:[])\s*'[^"'\n]*'/g)
    ? '"'
    : "'";
}

/** True if at least half of the lines that begin like a statement and are complete on one line end with a semicolon. */
function hasSemicolons(text: string): boolean {
  const lines =
    text.match(
      /^[ \t]*(?:(?:import|export \*|export \{|const|let|var|return|throw)\b[^\n]*[\w)'"\]]|[\w.]+\([^\n]*\)(?!\s*\{));?[ \t]*\r?$/gm,
    ) ?? [];
  const terminatedCount = lines.filter((line) => line.trimEnd().endsWith(';')).length;
  return terminatedCount * 2 >= lines.length;
}

/** True if functions and methods with a name mostly have a space before their parameters. */
function hasSpaceBeforeParameters(text: string): boolean {
  const method = String.raw`^[ \t]+(?:static |async |get |set )*(?!if\b|for\b|while\b|switch\b|catch\b|with\b|function\b)[\w$#]+`;
  const count = (withSpace: string) =>
    text.match(new RegExp(String.raw`\bfunction\*? [\w$]+${withSpace}\(|${method}${withSpace}\([^()\n]*\) \{$`, 'gm'))
      ?.length ?? 0;
  return count(' ') > count('');
}

/** False if most objects and lists of names on one line have no space inside their braces. */
function hasSpaceInBraces(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return count(/(?:[([,:] ?|[\w=] )\{[\w'"[][^{}\n]*\}/g) <= count(/(?:[([,:] ?|[\w=] )\{ [\w'"[][^{}\n]* \}/g);
}
