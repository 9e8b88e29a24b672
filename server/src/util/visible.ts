// Escapes invisible characters and those that control a terminal or an editor, so that text from others can only be
// displayed. Also quotes the words of agents, models and people.

/**
 * Matches control characters except tab and line feed. A carriage return matches unless it is part of a line ending.
 */
const CONTROL_PATTERN = /\r(?!\n)|[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/;
/** Matches marks of writing direction, characters without width, and tag characters. */
const FORMAT_PATTERN =
  /[\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|\uDB40[\uDC00-\uDFFF]/;
/** Matches a text that is a quotation made by this module, so that it is not quoted twice. */
const QUOTED_PATTERN = /^(?:The agent|The model|A person) says: “([^“”\r\n]{0,1100})”$/;
/** Matches all characters that are escaped. */
const INVISIBLE_PATTERN = new RegExp(`${CONTROL_PATTERN.source}|${FORMAT_PATTERN.source}`, 'g');

/**
 * Escapes the invisible characters of a text, except line breaks. The escapes are those of JSON, so that a JSON text
 * keeps its meaning.
 */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE_PATTERN, (match) => match.split('').map(escapeUnit).join(''));
}

/** Escapes a name or a title for a single line: a line break in it cannot start a new line of output. */
export function escapeInvisibleLine(text: string): string {
  return escapeInvisible(text.replace(/[\r\n]+/g, ' '));
}

/** Quotes an agent, named before the quotation. The words are changed as by `quoteText`. */
export function quoteAgent(text: string, characters: number): string {
  return `The agent says: ${quoteText(text, characters)}`;
}

/** Quotes a language model, named before the quotation. The words are changed as by `quoteText`. */
export function quoteModel(text: string, characters: number): string {
  return `The model says: ${quoteText(text, characters)}`;
}

/** Quotes a person, named before the quotation. The words are changed as by `quoteText`. */
export function quotePerson(text: string, characters: number): string {
  return `A person says: ${quoteText(text, characters)}`;
}

/** The quoted words if the text is a quotation of an agent, a model or a person by this module; otherwise the text. */
export function removeSpeaker(text: string): string {
  return /^(?:The agent|The model|A person) says: “(.+)”$/.exec(text)?.[1] ?? text;
}

/**
 * Quotes words without naming the speaker. The words are put on one line, shortened to `characters`, and lose all
 * characters that could end the quotation, make a link or imitate one of Selfware's commands.
 */
export function quoteText(text: string, characters: number): string {
  const line = escapeInvisibleLine(QUOTED_PATTERN.exec(text)?.[1] ?? text)
    .replace(/[ \t]+/g, ' ')
    .replace(/["“”„‟«»〝-〟＂`]/g, "'")
    .replaceAll('](', '] (');
  return `“${shorten(line.trim(), characters)}”`;
}

/**
 * The start of the text, with an ellipsis if something was cut off: at most `characters` characters in total. No
 * character is cut in two.
 */
export function shorten(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, Math.max(0, characters - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The JSON escape of a UTF-16 unit. */
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The text with an upper-case first letter. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
