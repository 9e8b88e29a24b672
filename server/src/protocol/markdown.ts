// Creates Markdown. No other module does so. The text of a template is markup, and every inserted value is escaped.

import { escapeInvisible, escapeInvisibleLine } from '../util/visible.ts';

/** A value for a template. A text is escaped; Markdown is inserted unchanged. */
export type Insertable = string | number | Markdown;

/** Markup as text. Only this module can create an instance, so other text is never treated as markup. */
class MarkdownSource {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  toString(): string {
    return this.#source;
  }
}

/** Markdown that this module has made. */
export type Markdown = MarkdownSource;

/** A template tag. md`**${title}** is new` escapes the title; all other text is markup. */
export function md(parts: TemplateStringsArray, ...values: readonly Insertable[]): Markdown {
  let source = parts[0] ?? '';
  values.forEach((value, index) => {
    // At the start of a line, or directly after the marks of a list or quotation, a text could begin with marks of its
    // own, such as a heading.
    const isAtLineStart = /^\s*(?:[-+*>]\s+)*$/.test(source.slice(source.lastIndexOf('\n') + 1));
    source += `${sourceOf(value, isAtLineStart)}${parts[index + 1] ?? ''}`;
  });
  return markdownOf(source);
}

/** The items on separate lines. */
export function joinLines(items: readonly Insertable[]): Markdown {
  return joinMarkdown(items, '\n');
}

/** The items with `separator`, which is markup, between them. */
export function joinMarkdown(items: readonly Insertable[], separator: string): Markdown {
  return markdownOf(items.map((element) => sourceOf(element, separator.includes('\n'))).join(separator));
}

/** A row of a table. */
export function tableRow(...cells: readonly Insertable[]): Markdown {
  return markdownOf(`| ${cells.map((cell) => renderCell(cell)).join(' | ')} |`);
}

/** The line below the head of a table. */
export function tableDivider(columns: number): Markdown {
  return markdownOf(`|${'---|'.repeat(columns)}`);
}

/** A name in an HTML comment, which programs can find and people do not see. */
export function createMarkerComment(name: `selfware-${string}`): Markdown {
  return markdownOf(`<!-- ${name.replaceAll('-->', '')} -->`);
}

/** The Markdown, indented so that it belongs to a list item. */
export function indentMarkdown(markdown: Markdown): Markdown {
  return markdownOf(
    markdown
      .toString()
      .split('\n')
      .map((line) => `  ${line}`)
      .join('\n'),
  );
}

/** A code span within a line, for any text. */
export function codeSpan(text: string): Markdown {
  const visibleText = escapeInvisibleLine(text);
  if (visibleText.trim() === '') return markdownOf('` `');
  const fence = '`'.repeat(measureBacktickRun(visibleText) + 1);
  const padding = /^[` ]|[` ]$/.test(visibleText) ? ' ' : '';
  return markdownOf(`${fence}${padding}${visibleText}${padding}${fence}`);
}

/**
 * A code block, whose fence is longer than any run of backticks in the text. `language`: for the colours of an editor.
 */
export function fencedBlock(text: string, language: 'diff' | '' = ''): Markdown {
  const visibleText = escapeInvisible(text.replaceAll('\r\n', '\n'));
  const fence = '`'.repeat(Math.max(3, measureBacktickRun(visibleText) + 1));
  return markdownOf(`${fence}${language}\n${visibleText}\n${fence}`);
}

/** A link. Returns only the label if the address is invalid, or if its scheme is not known to be harmless. */
export function link(label: Insertable, address: string): Markdown {
  if (!/^(?:https?|file|vscode[\w-]*):[^\s()<>\\]*$/.test(address)) return markdownOf(sourceOf(label));
  return markdownOf(`[${sourceOf(label)}](${address})`);
}

/** A link that runs a command of this extension, with arguments that are already encoded. */
export function commandLink(label: string, command: `selfware.${string}`, encodedArguments: string): Markdown {
  return markdownOf(
    `[${renderProse(label)}](command:${command}?${encodedArguments.replaceAll('(', '%28').replaceAll(')', '%29')})`,
  );
}

/**
 * The Markdown of a page that ships with Selfware. Nothing is escaped, so text from a repository must never be passed.
 */
export function markdownOfPage(source: string): Markdown {
  return markdownOf(source);
}

/** The text without markup, for clients that show no Markdown. */
export function removeMarkup(markdown: Markdown): string {
  return markdown
    .toString()
    .replace(/(?<!\\)\[((?:[^\]\\]|\\.){0,200})\]\([^)\s]{0,2000}\)/g, '$1')
    .replace(/(?<!\\)\*\*/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** Turns markup into Markdown, without escaping anything. */
function markdownOf(source: string): Markdown {
  return new MarkdownSource(source);
}

/** The markup of a value: Markdown unchanged, and any other value escaped. */
function sourceOf(value: Insertable, isAtLineStart = false): string {
  if (value instanceof MarkdownSource) return value.toString();
  const source = renderProse(String(value));
  return isAtLineStart ? escapeLineStart(source) : source;
}

/**
 * A cell of a table. A vertical bar ends a cell even within code, so each is escaped by an odd number of backslashes
 * before it.
 */
function renderCell(value: Insertable): string {
  const source = sourceOf(value).replace(/\n+/g, ' ');
  return source.replace(/(?<!\\)(\\*)\|/g, (_, slashes: string) =>
    slashes.length % 2 === 1 ? `${slashes}|` : `${slashes}\\|`,
  );
}

/** Escapes a text, such as a name or a message from others. Only its complete code spans remain markup. */
function renderProse(text: string): string {
  const parts = escapeInvisibleLine(text).split('`');
  // An odd number of backticks cannot be paired, so all of them are escaped.
  if (parts.length % 2 === 0 || parts.some((part, index) => index % 2 === 1 && part === ''))
    return escapeText(parts.join('`'));
  return parts.map((part, index) => (index % 2 === 1 ? codeSpan(part).toString() : escapeText(part))).join('');
}

/** Escapes all characters within a line that are markup, and those that would turn an address into a link. */
function escapeText(text: string): string {
  return text
    .replace(/[\\`*[\]<>|~$]|(?<=[\w.+-])@|&(?=#?\w{1,40};)/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/:(?=\/)|(?<=www)\./gi, '\\$&');
}

/** Escapes characters that would start a heading, a list or an indented block. */
function escapeLineStart(source: string): string {
  return source
    .trimStart()
    .replace(/^[#+=-]/, '\\$&')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2');
}

/** The length of the longest run of backticks; 0 if there is none. */
function measureBacktickRun(text: string): number {
  let longestLength = 0;
  for (const [run] of text.matchAll(/`+/g)) longestLength = Math.max(longestLength, run.length);
  return longestLength;
}
