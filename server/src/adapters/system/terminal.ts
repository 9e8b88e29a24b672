// Writes to standard output and standard error for the command line. Control sequences in the text are made visible:
// only Selfware's own colours, and its rewriting of a line, reach a terminal as such.

import { randomBytes } from 'node:crypto';
import pc from 'picocolors';
import { escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';

type Paint = (text: string) => string;

/** Functions that colour a text. */
export type Colors = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', Paint>>;

const ESCAPE = '\u001b';
/**
 * Replaces the escape character in our own colours until the text is written. It is random, so that no author of a text
 * can put it into the text.
 */
const OWN_ESCAPE = `\u0000${randomBytes(12).toString('hex')}\u0000`;
/** Width of a terminal that reports none. */
const DEFAULT_COLUMNS = 80;
/** Number of characters that are kept at the end of a line that is too long for the terminal. */
const KEPT_END_LENGTH = 20;
/** Indentation of the rows of a long line after the first. */
const INDENT = '    ';
/** Terminals of this width or less get only the beginning of a line. */
const MIN_WIDTH = 20;

/** Creates colours that `escapeForTerminal` keeps. If `isEnabled` is false, they leave a text unchanged. */
export function createColors(isEnabled: boolean): Colors {
  const allColors = pc.createColors(isEnabled);
  const markPaint = (paint: Paint): Paint => {
    const [before = '', after = ''] = paint('|')
      .split('|')
      .map((part) => part.replaceAll(ESCAPE, OWN_ESCAPE));
    return (text) => `${before}${text}${after}`;
  };
  const { bold, dim, red, green, yellow, cyan } = allColors;
  return {
    bold: markPaint(bold),
    dim: markPaint(dim),
    red: markPaint(red),
    green: markPaint(green),
    yellow: markPaint(yellow),
    cyan: markPaint(cyan),
  };
}

/**
 * The text as a terminal may receive it: with our own colours, but with the number of each other control character in
 * place of the character.
 */
export function escapeForTerminal(text: string): string {
  return text.split(OWN_ESCAPE).map(escapeInvisible).join(ESCAPE);
}

/** Writes one or more lines of an answer. */
export function writeOut(text: string): void {
  process.stdout.write(`${escapeForTerminal(text)}\n`);
}

/**
 * Writes one JSON document as a line of the answer. Invisible characters are written as numbers, with the same meaning.
 */
export function writeJson(value: unknown): void {
  process.stdout.write(`${escapeInvisible(JSON.stringify(value))}\n`);
}

/** Writes one or more lines that are not part of the answer. */
export function writeError(text: string): void {
  process.stderr.write(`${escapeForTerminal(text)}\n`);
}

/** Prints the standard error of a library or a thread, with its control characters made visible. */
export function printEscaped(text: Uint8Array): void {
  process.stderr.write(escapeInvisible(Buffer.from(text).toString()));
}

/**
 * Assumes the usual width for a terminal that reports none. Otherwise questions would be drawn one character per line.
 */
export function setDefaultWidth(): void {
  if (process.stdout.isTTY && !process.stdout.columns) process.stdout.columns = DEFAULT_COLUMNS;
  if (process.stderr.isTTY && !process.stderr.columns) process.stderr.columns = DEFAULT_COLUMNS;
}

/** Rewrites the last line of a terminal; null removes it. */
export function rewriteLine(text: string | null): void {
  const width = (process.stderr.columns || DEFAULT_COLUMNS) - 1;
  process.stderr.write(`\r${ESCAPE}[2K${text === null ? '' : cutMiddle(escapeInvisibleLine(text), width)}`);
}

/** The text in at most `width` characters. The end is kept, because it contains the duration of the work. */
export function cutMiddle(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = Math.min(KEPT_END_LENGTH, Math.floor(width / 2));
  return `${text.slice(0, Math.max(0, width - end - 1))}…${text.slice(text.length - end)}`;
}

/**
 * Writes lines of an answer over the previous ones. `rows`: the number of rows of the previous lines. Returns the
 * number of the new rows. A line that is wider than the terminal is written as several rows, so that all of them are
 * overwritten. Rows that do not fit on the screen are skipped, because they could not be overwritten later.
 */
export function rewriteBlock(lines: readonly string[], rows: number): number {
  const width = (process.stdout.columns || DEFAULT_COLUMNS) - 1;
  const height = Math.max(1, (process.stdout.rows || Number.POSITIVE_INFINITY) - 1);
  const newRows = lines.flatMap((line) => wrapLine(escapeInvisibleLine(line), width)).slice(0, height);
  const moveUp = rows === 0 ? '' : `${ESCAPE}[${rows}A`;
  process.stdout.write(`${moveUp}${newRows.map((row) => `\r${ESCAPE}[2K${row}\n`).join('')}${ESCAPE}[J`);
  return newRows.length;
}

/**
 * The line as rows of at most `width` characters, broken at spaces if possible. Later rows are indented. If `width` is
 * at most `MIN_WIDTH`, there is one row, which is cut off.
 */
export function wrapLine(line: string, width: number): readonly string[] {
  if (line.length <= width || width <= MIN_WIDTH) return [line.slice(0, width)];
  const blank = line.lastIndexOf(' ', width);
  const end = blank > width / 2 ? blank : width;
  return [line.slice(0, end), ...wrapLine(`${INDENT}${line.slice(end).trimStart()}`, width)];
}

/** True for a terminal that supports colours and rewriting a line. */
export function supportsControl(isTerminal: boolean | undefined, env: NodeJS.ProcessEnv = process.env): boolean {
  return isTerminal === true && env.TERM !== 'dumb';
}
