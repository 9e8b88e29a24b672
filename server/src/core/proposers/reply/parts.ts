// Splits a reply into its outermost parts. A part that quotes another notation, such as an edit of a page about edits,
// stays one part, so the quotation is not read as an edit.

import { isEditList, parseEdits } from './editObject.ts';
import { createJsonFinder, isEditAnswer, type JsonFinder } from './jsonParts.ts';
import {
  BLOCK_CLOSING_PATTERN,
  BLOCK_OPENING_PATTERN,
  closesFence,
  DIFF_FENCE_PATTERN,
  matchOpeningFence,
  findLine,
  isDiffHead,
  PATCH_BEGIN_LINE,
  PATCH_END_LINE,
  splitLinesWithoutEndings,
} from './marks.ts';
import { findPathOnLine, normalisePath } from './pathLine.ts';
import type { ReplyRefusal } from './reply.ts';
import { parseCalls, readXmlCall, type ToolCall } from './toolCalls.ts';

/**
 * The content of a part. `json`: edits as JSON. `call`: a tool call, as JSON or XML. `block`: a search/replace block.
 * `patch`: a patch that begins with `*** Begin Patch`. `diff`: a unified diff. `code`: the text of a fence. `data`:
 * other JSON.
 */
export type PartKind = 'json' | 'call' | 'block' | 'patch' | 'diff' | 'code' | 'data';

/** Matches the path of a file that may itself contain JSON that looks like an answer. */
const JSON_PATH_PATTERN = /\.json[5cl]?$/i;

/** An outermost part of a reply, by its offsets. Prose belongs to no part. */
export interface ReplyPart {
  readonly kind: PartKind;
  readonly start: number;
  readonly end: number;
  /** The parsed edits; only for `json`. */
  readonly value?: unknown;
  /** The tool calls; only for `call`. */
  readonly calls?: readonly ToolCall[];
  /** True for the code of a fence that has the path of a file. */
  readonly isFile?: boolean;
}

/** A reply in parts. */
export interface SplitReply {
  readonly text: string;
  readonly parts: readonly ReplyPart[];
  /** The reason why nothing of the reply is used, if a part is cut off or unreadable; otherwise null. */
  readonly problem: ReplyRefusal | null;
}

/**
 * The prose of a reply together with the parts of this kind. Other parts are replaced by line breaks, so lines keep
 * their numbers.
 */
export function keepParts({ text, parts }: SplitReply, kind: PartKind | null): string {
  let [result, offset] = ['', 0];
  for (const part of parts) {
    if (part.kind === kind) continue;
    const lineBreaks = text.slice(part.start, part.end).split('\n').length - 1;
    result += text.slice(offset, part.start) + '\n'.repeat(lineBreaks);
    offset = part.end;
  }
  return result + text.slice(offset);
}

/** The lines of a reply, with the offset at which each begins. */
interface Lines {
  readonly text: string;
  readonly rows: readonly string[];
  readonly starts: readonly number[];
}

/** Splits a reply. */
export function splitReply(text: string): SplitReply {
  const lines = createLines(text);
  const { rows, starts } = lines;
  const findJson = createJsonFinder(text);
  const parts: ReplyPart[] = [];
  let offset = 0;
  // The characters that opened the current fence, if it contains edits instead of the code of a file.
  let openFence: string | null = null;
  for (let index = 0; index < rows.length; ) {
    const isLineStart = offset <= starts[index]!;
    if (isLineStart && openFence !== null && closesFence(rows[index]!, openFence)) {
      openFence = null;
      index += 1;
      continue;
    }
    const markedPart = isLineStart ? findMarkedEnd(lines, index) : null;
    if (markedPart !== null) {
      parts.push({ kind: markedPart.kind, start: starts[index]!, end: starts[markedPart.end] ?? text.length });
      index = markedPart.end;
      continue;
    }
    const marks: string | null = isLineStart && openFence === null ? matchOpeningFence(rows[index]!) : null;
    if (marks !== null) {
      const label = findFencePathAt(rows, index);
      const hasEdits = containsEdits(lines, { index, marks, label }, findJson);
      if (typeof hasEdits !== 'boolean') return { text, parts, problem: hasEdits };
      if (!hasEdits) {
        const closing = findLine(rows, index + 1, (row) => closesFence(row, marks));
        const [start, end] = [starts[index + 1] ?? text.length, starts[closing] ?? text.length];
        parts.push({ kind: 'code', start, end, isFile: label !== null });
        index = closing + 1;
        continue;
      }
      openFence = marks;
    }
    const part = findPartInLine(text, Math.max(offset, starts[index]!), starts[index]! + rows[index]!.length, findJson);
    if (part !== null && 'refused' in part) return { text, parts, problem: part };
    if (part === null) index += 1;
    else {
      parts.push(part);
      offset = part.end;
      while (index + 1 < rows.length && starts[index + 1]! <= offset) index += 1;
    }
  }
  return { text, parts, problem: null };
}

/** Splits a text into lines and finds the offsets at which they start. */
function createLines(text: string): Lines {
  const starts = [0];
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) starts.push(index + 1);
  return { text, rows: splitLinesWithoutEndings(text), starts };
}

/**
 * Finds the end of the block, patch or diff that begins on this line: the index of the line after it. Null if none
 * begins. A diff ends at a fence or at the end of the text, because a line after it may belong to it without its sign.
 */
function findMarkedEnd({ rows }: Lines, index: number): { readonly kind: PartKind; readonly end: number } | null {
  const row = rows[index]!;
  const findEndAfter = (fits: (line: string) => boolean) => Math.min(rows.length, findLine(rows, index + 1, fits) + 1);
  if (BLOCK_OPENING_PATTERN.test(row))
    return { kind: 'block', end: findEndAfter((line) => BLOCK_CLOSING_PATTERN.test(line)) };
  if (row.trim() === PATCH_BEGIN_LINE)
    return { kind: 'patch', end: findEndAfter((line) => line.trim() === PATCH_END_LINE) };
  if (isDiffHead(rows, index))
    return { kind: 'diff', end: findLine(rows, index + 1, (line) => DIFF_FENCE_PATTERN.test(line)) };
  return null;
}

/** The path on the opening line of a fence, or above it; null if there is none. */
function findFencePathAt(rows: readonly string[], openingIndex: number): string | null {
  let lineIndex = openingIndex - 1;
  while (lineIndex >= 0 && rows[lineIndex]!.trim() === '') lineIndex -= 1;
  return findPathOnLine(rows[openingIndex]!.trim()) ?? findPathOnLine(rows[lineIndex] ?? '');
}

/**
 * True if the fence that opens on this line contains edits in another notation: it begins with such a notation,
 * possibly below a path. JSON below the path of a file is the text of that file, unless it edits the file. Refuses JSON
 * that looks like an answer below the path of a file that is not a JSON file.
 */
function containsEdits(
  { rows, starts }: Lines,
  {
    index: openingIndex,
    marks,
    label,
  }: { readonly index: number; readonly marks: string; readonly label: string | null },
  findJson: JsonFinder,
): boolean | ReplyRefusal {
  const firstRow = findLine(rows, openingIndex + 1, (row) => row.trim() !== '');
  const row = rows[firstRow] ?? '';
  if (closesFence(row, marks)) return false;
  const nextRow = findPathOnLine(row) === null ? firstRow : findLine(rows, firstRow + 1, (line) => line.trim() !== '');
  if (BLOCK_OPENING_PATTERN.test(rows[nextRow] ?? '') || row.trim() === PATCH_BEGIN_LINE) return true;
  if (
    /^(?:diff --git |Index: |index [0-9a-f]+\.\.)/.test(row) ||
    (firstRow < rows.length && isDiffHead(rows, firstRow))
  )
    return true;
  if (/\bapply_patch\b/.test(row) && rows[nextRow + 1]?.trim() === PATCH_BEGIN_LINE) return true;
  if (
    label === null &&
    (/^\s*<(?:!-- |tool_calls?>|function|invoke )/.test(row) || containsBlock(rows, firstRow, marks))
  )
    return true;
  const indent = row.length - row.trimStart().length;
  const json = /^\s*[{[]/.test(row) ? findJson(starts[firstRow]! + indent) : null;
  if (json === null) return false;
  const isRefused = 'refused' in json;
  if (label === null) return isRefused || json.isAnswer;
  if (!isRefused && (!json.isAnswer || editsFile(json.value, label))) return json.isAnswer;
  return JSON_PATH_PATTERN.test(label)
    ? false
    : { refused: `It is unclear whether the JSON below ${label} is its text.` };
}

/** True if these lines of a fence contain a block with the path of its file directly above it. */
function containsBlock(rows: readonly string[], firstRow: number, marks: string): boolean {
  const openingIndex = findLine(rows, firstRow, (row) => BLOCK_OPENING_PATTERN.test(row) || closesFence(row, marks));
  return BLOCK_OPENING_PATTERN.test(rows[openingIndex] ?? '') && findPathOnLine(rows[openingIndex - 1] ?? '') !== null;
}

/** True if the value lists an edit of this file. */
function editsFile(value: unknown, path: string): boolean {
  const edits = isEditList(value) ? parseEdits(value) : [];
  return !('refused' in edits) && edits.some(({ file }) => normalisePath(file) === normalisePath(path));
}

/** Finds the first part that begins on a line, between these offsets; null if none does. Text in backticks is prose. */
function findPartInLine(
  text: string,
  start: number,
  end: number,
  findJson: JsonFinder,
): ReplyPart | ReplyRefusal | null {
  for (let offset = start; offset < end; offset += 1) {
    const character = text[offset]!;
    if ((character !== '{' && character !== '[' && character !== '<') || text[offset - 1] === '`') continue;
    if (character === '<') {
      const xmlCall = readXmlCall(text, offset);
      if (xmlCall === null) continue;
      return 'refused' in xmlCall ? xmlCall : { kind: 'call', start: offset, end: xmlCall.end, calls: [xmlCall.call] };
    }
    const json = findJson(offset);
    if (json === null) continue;
    if ('refused' in json) return json;
    const place = { start: offset, end: json.end };
    if (!json.isAnswer) return { kind: 'data', ...place };
    return isEditAnswer(json.value)
      ? { kind: 'json', ...place, value: json.value }
      : { kind: 'call', ...place, calls: parseCalls(json.value) };
  }
  return null;
}
