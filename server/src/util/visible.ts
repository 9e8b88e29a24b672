// Escapes invisible characters, and those that a terminal or an editor would obey, so that foreign text is shown and
// never acts.

/** Controls but for tab and line feed; a carriage return counts where no line ends. */
const CONTROLS = /\r(?!\n)|[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/;
/** Marks that turn the writing direction, characters of no width, and tags. */
const FORMATS = /[\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|\uDB40[\uDC00-\uDFFF]/;
/** Such a quotation, whole: it is not quoted again. */
const QUOTED = /^The (?:agent|model) says: “([^“”\r\n]{0,1100})”$/;
const UNSEEN = new RegExp(`${CONTROLS.source}|${FORMATS.source}`, 'g');

/** The lines stay. The numbers are those of JSON, so that a JSON text still says the same. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (found) => found.split('').map(spelledOut).join(''));
}

/** The same on one line, for names and titles: a line break in one begins no line of ours. */
export function visibleLine(text: string): string {
  return visible(text.replace(/[\r\n]+/g, ' '));
}

/**
 * What somebody else says, marked as theirs: on one line, shortened, and with no mark that could end the quotation,
 * make a link or pass for a command of ours.
 */
export function agentSays(words: string, characters: number): string {
  return `The agent says: ${inQuotes(words, characters)}`;
}

/** The same of a language model. */
export function modelSays(words: string, characters: number): string {
  return `The model says: ${inQuotes(words, characters)}`;
}

/** The same without saying who. */
export function inQuotes(words: string, characters: number): string {
  const line = visibleLine(QUOTED.exec(words)?.[1] ?? words)
    .replace(/[ \t]+/g, ' ')
    .replace(/["“”„‟«»〝-〟＂`]/g, "'")
    .replaceAll('](', '] (');
  return `“${shortened(line.trim(), characters)}”`;
}

/** Begins with what fits and ends with an ellipsis where something is missing. No character is cut in two. */
export function shortened(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, Math.max(0, characters - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function spelledOut(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
