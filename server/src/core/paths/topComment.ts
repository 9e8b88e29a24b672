// Reads the comments at the top of a file, before its first line of code.

/** A line that is a comment, or means nothing: blank, a shebang, `'use strict'`, an opening tag. */
const NO_CODE = /^\s*($|\/\/|\/\*|\*|#|"""|'''|--|<!--|;|%|\{-|<\?php|<\?xml|(['"])use \w+\2;?\s*$)/;
const BLOCKS: readonly (readonly [opens: RegExp, closes: string])[] = [
  [/^\s*\/\*/, '*/'],
  [/^\s*"""/, '"""'],
  [/^\s*'''/, "'''"],
  [/^\s*<!--/, '-->'],
  [/^\s*\{-/, '-}'],
];

/** The comments at the top of a text, as written, with their comment marks; at most this many characters. */
export function topComment(text: string, characters: number): string {
  const lines: string[] = [];
  let closes: string | null = null;
  for (const line of text.slice(0, characters).split('\n')) {
    if (closes === null && !NO_CODE.test(line)) break;
    lines.push(line);
    closes = openAfter(line, closes);
  }
  return lines.join('\n');
}

/** The mark that ends the comment block that is open after this line; null outside of one. */
function openAfter(line: string, closes: string | null): string | null {
  if (closes !== null) return line.includes(closes) ? null : closes;
  const block = BLOCKS.find(([opens]) => opens.test(line));
  if (!block) return null;
  const [opens, end] = block;
  return line.replace(opens, '').includes(end) ? null : end;
}
