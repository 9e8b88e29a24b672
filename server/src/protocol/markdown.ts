// The one place where Markdown is made: the text of a template is markup, and everything that is put into it is
// escaped.

import { visible, visibleLine } from '../util/visible.ts';

/** What can be put into a template. A text is escaped; Markdown is taken as it is. */
export type Insertable = string | number | Markdown;

/** Nobody else can make one, so a text of others is never taken for markup. */
class Source {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  toString(): string {
    return this.#source;
  }
}

/** Markdown that was made here. */
export type Markdown = Source;

/** `md`**${title}** is new`` — the title is escaped, the rest is markup. */
export function md(parts: TemplateStringsArray, ...values: readonly Insertable[]): Markdown {
  let source = parts[0] ?? '';
  values.forEach((value, index) => {
    // Behind marks of ours alone, a text could go on with marks of its own: a heading, a list.
    const begins = /^\s*(?:[-+*>]\s+)*$/.test(source.slice(source.lastIndexOf('\n') + 1));
    source += `${sourceOf(value, begins)}${parts[index + 1] ?? ''}`;
  });
  return made(source);
}

/** One below the other. */
export function lines(all: readonly Insertable[]): Markdown {
  return joined(all, '\n');
}

/** One after the other, with a mark of ours between them. */
export function joined(all: readonly Insertable[], between: string): Markdown {
  return made(all.map((one) => sourceOf(one, between.includes('\n'))).join(between));
}

/** A row of a table. */
export function row(...cells: readonly Insertable[]): Markdown {
  return made(`| ${cells.map((cell) => inCell(cell)).join(' | ')} |`);
}

/** Under the head of a table. */
export function divider(columns: number): Markdown {
  return made(`|${'---|'.repeat(columns)}`);
}

/** A word of ours that programs find and people do not see. */
export function mark(name: `selfware-${string}`): Markdown {
  return made(`<!-- ${name.replaceAll('-->', '')} -->`);
}

/** A block that belongs to an item of a list. */
export function within(markdown: Markdown): Markdown {
  return made(
    markdown
      .toString()
      .split('\n')
      .map((line) => `  ${line}`)
      .join('\n'),
  );
}

/** A span of code, whatever stands in it. */
export function code(text: string): Markdown {
  const shown = visibleLine(text);
  if (shown.trim() === '') return made('` `');
  const fence = '`'.repeat(longestRun(shown) + 1);
  const pad = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return made(`${fence}${pad}${shown}${pad}${fence}`);
}

/** A block of code: its fence is longer than any in the text. */
export function block(text: string): Markdown {
  const shown = visible(text.replaceAll('\r\n', '\n'));
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return made(`${fence}\n${shown}\n${fence}`);
}

/** A link to a place of ours. Throws for anything that is no address, or that runs something. */
export function link(label: Insertable, address: string): Markdown {
  if (!/^(?:https?|file|vscode[\w-]*):[^\s()<>\\]*$/.test(address)) return made(sourceOf(label));
  return made(`[${sourceOf(label)}](${address})`);
}

/** A link that runs a command of our own extension. `given` is encoded already. */
export function commandLink(label: string, command: `selfware.${string}`, given: string): Markdown {
  return made(`[${prose(label)}](command:${command}?${given.replaceAll('(', '%28').replaceAll(')', '%29')})`);
}

/** A page that ships with us. Nothing of a repository is ever given to it. */
export function ownPage(source: string): Markdown {
  return made(source);
}

/** For who shows no Markdown: the same words without marks. */
export function withoutMarks(markdown: Markdown): string {
  return markdown
    .toString()
    .replace(/(?<!\\)\[((?:[^\]\\]|\\.){0,200})\]\([^)\s]{0,2000}\)/g, '$1')
    .replace(/(?<!\\)\*\*/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

function made(source: string): Markdown {
  return new Source(source);
}

function sourceOf(value: Insertable, begins = false): string {
  if (value instanceof Source) return value.toString();
  const source = prose(String(value));
  return begins ? withoutBeginning(source) : source;
}

/** A bar parts cells even within code. Where a backslash stands before it readers differ, so that is told as words. */
function inCell(value: Insertable): string {
  const source = sourceOf(value).replace(/\n+/g, ' ');
  return source.replace(/(?<!\\)(\\*)\|/g, (_, slashes: string) =>
    slashes.length % 2 === 1 ? `${slashes}|` : `${slashes}\\|`,
  );
}

/** Names and messages come from others: none of it is markup but whole spans of code, which stay spans of code. */
function prose(text: string): string {
  const parts = visibleLine(text).split('`');
  // An odd mark belongs to nothing, so none of them does.
  if (parts.length % 2 === 0 || parts.some((part, index) => index % 2 === 1 && part === ''))
    return escaped(parts.join('`'));
  return parts.map((part, index) => (index % 2 === 1 ? code(part).toString() : escaped(part))).join('');
}

function escaped(text: string): string {
  return text
    .replace(/[\\`*[\]<>|~$]|(?<=[\w.+-])@|&(?=#?\w{1,40};)/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/:(?=\/)|(?<=www)\./gi, '\\$&');
}

/** What would make a heading, a list or an indented block of a line. */
function withoutBeginning(source: string): string {
  return source
    .trimStart()
    .replace(/^[#+=-]/, '\\$&')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2');
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
