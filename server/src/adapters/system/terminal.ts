// The one writer to standard output and standard error. Only our own colours reach a terminal as control sequences.

import { randomBytes } from 'node:crypto';
import pc from 'picocolors';
import { visible, visibleLine } from '../../util/visible.ts';

type Paint = (text: string) => string;

export type Colors = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', Paint>>;

const ESCAPE = '\u001b';
/**
 * Stands for the escape character of our own colours. Nobody else knows it, so what a text brings along is not obeyed.
 */
const OURS = `\u0000${randomBytes(12).toString('hex')}\u0000`;

/** Colours that the writer lets through; without `enabled` they leave a text as it is. */
export function createColors(enabled: boolean): Colors {
  const all = pc.createColors(enabled);
  const marked = (paint: Paint): Paint => {
    const [before = '', after = ''] = paint('|')
      .split('|')
      .map((part) => part.replaceAll(ESCAPE, OURS));
    return (text) => `${before}${text}${after}`;
  };
  const { bold, dim, red, green, yellow, cyan } = all;
  return {
    bold: marked(bold),
    dim: marked(dim),
    red: marked(red),
    green: marked(green),
    yellow: marked(yellow),
    cyan: marked(cyan),
  };
}

/** What a terminal gets to see of a text: our colours as they are, everything else that it would obey as its number. */
export function forTerminal(text: string): string {
  return text.split(OURS).map(visible).join(ESCAPE);
}

/** A line, or several, of an answer. */
export function writeOut(text: string): void {
  process.stdout.write(`${forTerminal(text)}\n`);
}

/** One JSON document as a line of the answer. It says the same with the unseen as numbers. */
export function writeJson(value: unknown): void {
  process.stdout.write(`${visible(JSON.stringify(value))}\n`);
}

/** A line, or several, beside the answer. */
export function writeError(text: string): void {
  process.stderr.write(`${forTerminal(text)}\n`);
}

/** What a library or a thread printed, as it comes. */
export function passOn(text: Uint8Array): void {
  process.stderr.write(visible(Buffer.from(text).toString()));
}

const USUAL_COLUMNS = 80;

/** Gives a terminal that says it has no width the usual one: questions would be drawn one character a line. */
export function assumeWidth(): void {
  if (process.stdout.isTTY && !process.stdout.columns) process.stdout.columns = USUAL_COLUMNS;
  if (process.stderr.isTTY && !process.stderr.columns) process.stderr.columns = USUAL_COLUMNS;
}

/** Rewrites the last line of a terminal; null takes it away. */
export function rewriteLine(text: string | null): void {
  process.stderr.write(
    `\r${ESCAPE}[2K${text === null ? '' : visibleLine(text).slice(0, (process.stderr.columns || USUAL_COLUMNS) - 1)}`,
  );
}

/** Whether a terminal obeys more than line breaks: colours, and a line that is rewritten in place. */
export function obeys(isTerminal: boolean | undefined, env: NodeJS.ProcessEnv = process.env): boolean {
  return isTerminal === true && env.TERM !== 'dumb';
}
