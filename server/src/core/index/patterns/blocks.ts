// Finds the ends of blocks in one pass over the lines, by brackets or by indentation.

const BRACKET_PAIRS = { braces: ['{', '}'], parens: ['(', ')'] } as const;
/** Maximum number of lines of a head. A definition with a longer one is treated as having no body. */
const MAX_HEAD_LINES = 20;

/**
 * Returns a function that finds the end of a block by brackets: the last line (from 0) of the block that the first
 * bracket after a position opens. Null if the statement ends, or the line `before` begins, before a bracket opens.
 */
export function createBracketEndFinder(
  lines: readonly string[],
  kind: keyof typeof BRACKET_PAIRS,
): (line: number, column: number, before: number) => number | null {
  const [opening, closing] = BRACKET_PAIRS[kind];
  /** Each opening bracket in text order, with its line and column and the line of its closing bracket. */
  const openedBrackets: { readonly line: number; readonly column: number; closes: number }[] = [];
  const firstOfLine: number[] = [];
  const openIndexes: number[] = [];
  for (const [line, text] of lines.entries()) {
    firstOfLine.push(openedBrackets.length);
    let quote = '';
    for (let column = 0; column < text.length; column++) {
      const character = text[column]!;
      // A string over several lines is rare, and its brackets usually match.
      if (quote !== '') {
        if (character === '\\') column++;
        else if (character === quote) quote = '';
      } else if (character === '"' || character === '`') quote = character;
      else if (character === "'" && /^'(\\?.|[^'\\]*)'/.test(text.slice(column, column + 80))) quote = character;
      else if (character === opening) {
        openIndexes.push(openedBrackets.length);
        openedBrackets.push({ line, column, closes: lines.length - 1 });
      } else if (character === closing) {
        const lastOpen = openIndexes.pop();
        if (lastOpen !== undefined) openedBrackets[lastOpen]!.closes = line;
      }
    }
  }
  firstOfLine.push(openedBrackets.length);
  return (line, column, before) => {
    let index = firstOfLine[line]!;
    while (
      index < openedBrackets.length &&
      openedBrackets[index]!.line === line &&
      openedBrackets[index]!.column < column
    )
      index++;
    const firstBracket = openedBrackets[index];
    if (
      !firstBracket ||
      firstBracket.line - line > MAX_HEAD_LINES ||
      (firstBracket.line > line && firstBracket.line >= before)
    )
      return null;
    for (let row = line; row <= firstBracket.line; row++) {
      const part = lines[row]!.slice(
        row === line ? column : 0,
        row === firstBracket.line ? firstBracket.column : undefined,
      );
      if (part.includes(';') || (row > line && part.trim() === '' && row < firstBracket.line)) return null;
    }
    return firstBracket.closes;
  };
}

/** A line that closes a block, by a keyword or a bracket. */
const CLOSING_LINE = /^\s*(?:(?:end\w*|done|fi|esac)\b|[})\]]|;;)/i;

/**
 * For each line (from 0), the last line of the block that it opens by indentation. A line that closes the block belongs
 * to it.
 */
export function findIndentEnds(lines: readonly string[]): Uint32Array {
  const ends = new Uint32Array(lines.length);
  /** Lines whose block is still open, deepest last. */
  const openLines: { readonly line: number; readonly indent: number }[] = [];
  let lastText = 0;
  for (const [line, text] of lines.entries()) {
    if (text.trim() === '') continue;
    const indent = measureIndent(text);
    while (openLines.length > 0 && openLines.at(-1)!.indent >= indent) {
      const head = openLines.pop()!;
      ends[head.line] = head.indent === indent && head.line < line && CLOSING_LINE.test(text) ? line : lastText;
    }
    openLines.push({ line, indent });
    lastText = line;
  }
  for (const head of openLines) ends[head.line] = lastText;
  return ends;
}

/** Width of the white space at the beginning of a line; tab stops are eight columns apart. */
function measureIndent(text: string): number {
  let width = 0;
  for (const character of text) {
    if (character === ' ') width++;
    else if (character === '\t') width += 8 - (width % 8);
    else break;
  }
  return width;
}
