// Finds the place in a file that a quoted text refers to, and writes its replacement in the style of that place.
// Similarity is never estimated: the place must be unique at one level of exactness, otherwise nothing is changed.

import { diffArrays } from 'diff';
import { findReindent, type Reindent } from './indentation.ts';
import { toAsciiPunctuation, spellAsFile, removeSpacing } from './punctuation.ts';
import type { ReplyRefusal } from './reply.ts';
import { findFrequentLineEnd, shortenToFirstLine } from '../../../util/values/lineEnds.ts';

/** Levels of exactness, from an exact quotation to one whose spaces and quotation marks differ from the file. */
export const EXACTNESS_LEVELS = ['exact', 'trailing blanks', 'indentation', 'punctuation', 'spacing'] as const;
/** A level of exactness. */
export type Exactness = (typeof EXACTNESS_LEVELS)[number];

/** A replacement of `text.slice(start, end)` by `replacement`. */
export interface QuotationPlace {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly exactness: Exactness;
}

/** The form of a line that is compared at each level. */
const KEY_BY_EXACTNESS: Readonly<Record<Exactness, (line: string) => string>> = {
  exact: (line) => line,
  'trailing blanks': (line) => line.trimEnd(),
  indentation: (line) => line.trim(),
  punctuation: (line) => toAsciiPunctuation(line).trim(),
  spacing: (line) => removeSpacing(toAsciiPunctuation(line)),
};

/**
 * A quotation with its replacement. `byLines`: true if both consist of whole lines. `below`: a line of the file below
 * which the place is searched. `kept`: the unchanged lines, as pairs of their indexes in both texts, in order.
 */
export interface QuotedEdit {
  readonly search: string;
  readonly replace: string;
  readonly byLines: boolean;
  readonly below?: string;
  readonly kept?: readonly (readonly [number, number])[];
}

/** A line of a file with its offsets. */
interface Line {
  readonly start: number;
  readonly text: string;
  /** The offset after the line end. */
  readonly end: number;
}

/**
 * Finds the place of `search` in `text`, and writes the replacement with the line ends and the indentation of the file.
 * Refuses if there is no such place, or if there are several at the first level that finds any.
 */
export function findQuotation(text: string, quoted: QuotedEdit): QuotationPlace | ReplyRefusal {
  const search = normaliseLineEnds(quoted.search);
  const replace = normaliseLineEnds(quoted.replace);
  if (search.trim() === '') return { refused: 'A search text is empty.' };
  if (search === replace) return { refused: 'A replacement is the same as its search text.' };
  if (!quoted.byLines) {
    const place = findPlaceInText(text, search, replace);
    if (place) return place;
  }
  const lines = collectLines(text);
  const firstIndex = quoted.below === undefined ? 0 : findLineBelow(lines, quoted.below);
  if (typeof firstIndex !== 'number') return firstIndex;
  for (const exactness of EXACTNESS_LEVELS) {
    const place = findPlaceAtLevel(text, lines.slice(firstIndex), {
      search: splitRows(search),
      replace: splitRows(replace),
      kept: quoted.kept ?? [],
      exactness: exactness,
    });
    if (place) return place;
  }
  const isPresent = replace.trim() !== '' && splitRows(replace).length > 0 && containsRows(lines, splitRows(replace));
  return {
    refused: isPresent
      ? `The new text is in the file already: ${shortenToFirstLine(replace)}`
      : `A search text is not in the file: ${shortenToFirstLine(search)}`,
  };
}

/** Replaces every line end of the text by `\n`. */
export function normaliseLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/**
 * Finds a quotation that may begin and end within a line. Null if it does not occur; refused if it occurs twice, also
 * if the occurrences differ only in their line ends or in the missing line end at the end of the file.
 */
function findPlaceInText(text: string, search: string, replace: string): QuotationPlace | ReplyRefusal | null {
  const terminatedText = normaliseLineEnds(text.endsWith('\n') ? text : `${text}\n`);
  if (terminatedText.indexOf(search) !== terminatedText.lastIndexOf(search)) return refuseAmbiguous(search);
  const fileLineEnd = findFrequentLineEnd(text);
  const [searchedText, replacementText] = [search, replace].map((quotation) =>
    fileLineEnd === '\n' ? quotation : quotation.replaceAll('\n', fileLineEnd),
  );
  const start = text.indexOf(searchedText!);
  if (start < 0 || (search.startsWith('\n') && text[start - 1] === '\r')) return null;
  return { start, end: start + searchedText!.length, replacement: replacementText!, exactness: 'exact' };
}

/** A quotation in lines, and the level at which it is searched. */
interface QuotedLines {
  readonly search: readonly string[];
  readonly replace: readonly string[];
  readonly kept: readonly (readonly [number, number])[];
  readonly exactness: Exactness;
}

/** Finds the place at one level of exactness; null if there is none, refused if there are several. */
function findPlaceAtLevel(
  text: string,
  lines: readonly Line[],
  quoted: QuotedLines,
): QuotationPlace | ReplyRefusal | null {
  const { search, exactness } = quoted;
  const formatKey = KEY_BY_EXACTNESS[exactness];
  const searchedKeys = search.map(formatKey);
  const keys = lines.map((line) => formatKey(line.text));
  const matches: { readonly lineIndex: number; readonly reindent: Reindent }[] = [];
  for (let index = 0; index + searchedKeys.length <= keys.length; index += 1) {
    if (!searchedKeys.every((searchedKey, row) => keys[index + row] === searchedKey)) continue;
    const placedLines = lines.slice(index, index + searchedKeys.length).map((line) => line.text);
    const reindent =
      exactness === 'exact' || exactness === 'trailing blanks'
        ? (line: string) => line
        : findReindent(search, placedLines);
    if (reindent) matches.push({ lineIndex: index, reindent });
    if (matches.length > 1) return refuseAmbiguous(search.join('\n'));
  }
  const [match] = matches;
  if (!match) return null;
  const place = lines.slice(match.lineIndex, match.lineIndex + searchedKeys.length);
  return createPlace(text, place, quoted, match.reindent);
}

/** Creates the place with its new text. Lines that the reply leaves unchanged keep the bytes of the file. */
function createPlace(
  text: string,
  place: readonly Line[],
  { search, replace, kept, exactness }: QuotedLines,
  reindent: Reindent,
): QuotationPlace | ReplyRefusal {
  const lineEnd = findFrequentLineEnd(text);
  const [firstLine, lastLine] = [place[0]!, place.at(-1)!];
  const [quotedText, placedText] = [search.join('\n'), text.slice(firstLine.start, lastLine.end)];
  const result: string[] = [];
  let [searchIndex, replaceIndex] = [0, 0];
  const formatKey = KEY_BY_EXACTNESS[exactness === 'exact' ? 'exact' : 'trailing blanks'];
  for (const { added, removed, count } of compareLines(search.map(formatKey), replace.map(formatKey), kept)) {
    if (added) {
      for (const line of replace.slice(replaceIndex, replaceIndex + count)) {
        const indentedLine = reindent(line);
        if (indentedLine === null)
          return { refused: `The indentation of a new line is unclear: ${shortenToFirstLine(line)}` };
        result.push(spellAsFile(indentedLine, quotedText, placedText) + lineEnd);
      }
    } else if (!removed) {
      for (const line of place.slice(searchIndex, searchIndex + count)) result.push(text.slice(line.start, line.end));
    }
    if (!added) searchIndex += count;
    if (!removed) replaceIndex += count;
  }
  return { start: firstLine.start, end: lastLine.end, replacement: joinRows(result, placedText, lineEnd), exactness };
}

/** Compares the lines of both texts. Lines that are known to be unchanged (`kept`) are compared with no other line. */
function compareLines(
  search: readonly string[],
  replace: readonly string[],
  kept: QuotedLines['kept'],
): { readonly added: boolean; readonly removed: boolean; readonly count: number }[] {
  const changes = [];
  let [searchIndex, replaceIndex] = [0, 0];
  for (const [oldIndex, newIndex] of [...kept, [search.length, replace.length] as const]) {
    changes.push(...diffArrays(search.slice(searchIndex, oldIndex), replace.slice(replaceIndex, newIndex)));
    if (oldIndex < search.length) changes.push({ added: false, removed: false, count: 1 });
    [searchIndex, replaceIndex] = [oldIndex + 1, newIndex + 1];
  }
  return changes;
}

/**
 * Joins the rows to one text. The text has a final line end only if the replaced text has one; all other rows have one.
 */
function joinRows(rows: readonly string[], placedText: string, lineEnd: string): string {
  const terminatedRows = rows
    .map((row, index) => (index < rows.length - 1 && !row.endsWith('\n') ? row + lineEnd : row))
    .join('');
  if (placedText.endsWith('\n')) return terminatedRows;
  return terminatedRows.replace(/\r?\n$/, '');
}

/**
 * Finds the index of the line `landmark`, below which the place is searched. Refuses unless the file has exactly one.
 */
function findLineBelow(lines: readonly Line[], landmark: string): number | ReplyRefusal {
  const searchedLine = landmark.trim();
  const index = lines.findIndex((line) => line.text.trim() === searchedLine);
  if (index < 0)
    return {
      refused: `The line that should stand above the change is not in the file: ${shortenToFirstLine(landmark)}`,
    };
  const secondIndex = lines.findIndex((line, row) => row > index && line.text.trim() === searchedLine);
  return secondIndex < 0
    ? index
    : {
        refused: `The line that should stand above the change is in the file more than once: ${shortenToFirstLine(landmark)}`,
      };
}

/** The lines of a text without a byte-order mark. Their `text` excludes the line end, and their `end` is after it. */
function collectLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  while (start < text.length) {
    const lineFeed = text.indexOf('\n', start);
    const end = lineFeed < 0 ? text.length : lineFeed + 1;
    const lineText = text.slice(start, lineFeed < 0 ? end : lineFeed);
    lines.push({ start, text: lineText.endsWith('\r') ? lineText.slice(0, -1) : lineText, end });
    start = end;
  }
  return lines;
}

/** Splits a text into rows. A final line end does not add an empty row. */
function splitRows(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** True if the file contains these rows one after the other, ignoring indentation. */
function containsRows(lines: readonly Line[], rows: readonly string[]): boolean {
  return lines.some((_line, index) => rows.every((row, offset) => lines[index + offset]?.text.trim() === row.trim()));
}

function refuseAmbiguous(search: string): ReplyRefusal {
  return { refused: `A search text is in the file more than once: ${shortenToFirstLine(search)}` };
}
