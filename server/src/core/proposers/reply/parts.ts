// Splits a reply into its outermost parts. A part that quotes another notation, such as an edit of a page about edits,
// stays one part, so what it quotes is not an edit.

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
import { pathOnLine, plainPath } from './pathLine.ts';
import type { ReplyRefusal } from './reply.ts';
import { parseCalls, readXmlCall, type ToolCall } from './toolCalls.ts';

/** `json`: edits as JSON; `call`: a call of a tool, as JSON or XML; `code`: the text of a fence; `data`: other JSON. */
export type PartKind = 'json' | 'call' | 'block' | 'patch' | 'diff' | 'code' | 'data';

/** A file that may itself hold JSON like that of an answer. */
const JSON_PATH_PATTERN = /\.json[5cl]?$/i;

/** An outermost part of a reply, by its offsets; prose belongs to no part. */
export interface ReplyPart {
  readonly kind: PartKind;
  readonly start: number;
  readonly end: number;
  /** The edits as JSON; only of `json`. */
  readonly value?: unknown;
  /** The calls; only of `call`. */
  readonly calls?: readonly ToolCall[];
  /** True for the code of a fence with the path of a file. */
  readonly isFile?: boolean;
}

/** A reply in parts. */
export interface SplitReply {
  readonly text: string;
  readonly parts: readonly ReplyPart[];
  /** Set if a part is cut or unreadable, so that nothing of the reply is used. */
  readonly problem: ReplyRefusal | null;
}

/** The prose of a reply with the parts of this kind, if any; its lines keep their numbers. */
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
  // The marks of an open fence that holds edits, and not the code of a file.
  let openFence: string | null = null;
  for (let index = 0; index < rows.length; ) {
    const isLineStart = offset <= starts[index]!;
    if (isLineStart && openFence !== null && closesFence(rows[index]!, openFence)) {
      openFence = null;
      index += 1;
      continue;
    }
    const endIndex = isLineStart ? findMarkedEnd(lines, index) : null;
    if (endIndex !== null) {
      parts.push({ kind: endIndex.kind, start: starts[index]!, end: starts[endIndex.end] ?? text.length });
      index = endIndex.end;
      continue;
    }
    const marks: string | null = isLineStart && openFence === null ? matchOpeningFence(rows[index]!) : null;
    if (marks !== null) {
      const label = findLabelOf(rows, index);
      const held = holdsEdits(lines, { index, marks, label }, findJson);
      if (typeof held !== 'boolean') return { text, parts, problem: held };
      if (!held) {
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

function createLines(text: string): Lines {
  const starts = [0];
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) starts.push(index + 1);
  return { text, rows: splitLinesWithoutEndings(text), starts };
}

/**
 * The end of the block, patch or diff that begins on this line: the index of the line after it. Null if none begins. A
 * diff ends at a fence, or with the text: what follows may be a line of it whose sign is missing.
 */
function findMarkedEnd({ rows }: Lines, index: number): { readonly kind: PartKind; readonly end: number } | null {
  const row = rows[index]!;
  const through = (fits: (line: string) => boolean) => Math.min(rows.length, findLine(rows, index + 1, fits) + 1);
  if (BLOCK_OPENING_PATTERN.test(row))
    return { kind: 'block', end: through((line) => BLOCK_CLOSING_PATTERN.test(line)) };
  if (row.trim() === PATCH_BEGIN_LINE) return { kind: 'patch', end: through((line) => line.trim() === PATCH_END_LINE) };
  if (isDiffHead(rows, index))
    return { kind: 'diff', end: findLine(rows, index + 1, (line) => DIFF_FENCE_PATTERN.test(line)) };
  return null;
}

/** The path on the first line of a fence, or above it; null if there is none. */
function findLabelOf(rows: readonly string[], opening: number): string | null {
  let above = opening - 1;
  while (above >= 0 && rows[above]!.trim() === '') above -= 1;
  return pathOnLine(rows[opening]!.trim()) ?? pathOnLine(rows[above] ?? '');
}

/**
 * True if the fence that opens on this line holds edits in another notation: it begins with one, perhaps below a path.
 * JSON below the path of a file is the text of that file, unless it edits the file. Refused if it reads like an answer,
 * and the file is not one of JSON.
 */
function holdsEdits(
  { rows, starts }: Lines,
  { index: opening, marks, label }: { readonly index: number; readonly marks: string; readonly label: string | null },
  findJson: JsonFinder,
): boolean | ReplyRefusal {
  const first = findLine(rows, opening + 1, (row) => row.trim() !== '');
  const row = rows[first] ?? '';
  if (closesFence(row, marks)) return false;
  const next = pathOnLine(row) === null ? first : findLine(rows, first + 1, (line) => line.trim() !== '');
  if (BLOCK_OPENING_PATTERN.test(rows[next] ?? '') || row.trim() === PATCH_BEGIN_LINE) return true;
  if (/^(?:diff --git |Index: |index [0-9a-f]+\.\.)/.test(row) || (first < rows.length && isDiffHead(rows, first)))
    return true;
  if (/\bapply_patch\b/.test(row) && rows[next + 1]?.trim() === PATCH_BEGIN_LINE) return true;
  if (label === null && (/^\s*<(?:!-- |tool_calls?>|function|invoke )/.test(row) || holdsBlock(rows, first, marks)))
    return true;
  const indent = row.length - row.trimStart().length;
  const json = /^\s*[{[]/.test(row) ? findJson(starts[first]! + indent) : null;
  if (json === null) return false;
  const isRefused = 'refused' in json;
  if (label === null) return isRefused || json.isAnswer;
  if (!isRefused && (!json.isAnswer || editsFile(json.value, label))) return json.isAnswer;
  return JSON_PATH_PATTERN.test(label)
    ? false
    : { refused: `It is unclear whether the JSON below ${label} is its text.` };
}

/** True if a block with the path of its file right above it is among these lines of a fence. */
function holdsBlock(rows: readonly string[], first: number, marks: string): boolean {
  const opening = findLine(rows, first, (row) => BLOCK_OPENING_PATTERN.test(row) || closesFence(row, marks));
  return BLOCK_OPENING_PATTERN.test(rows[opening] ?? '') && pathOnLine(rows[opening - 1] ?? '') !== null;
}

/** True if one of the edits that the value lists is one of this file. */
function editsFile(value: unknown, path: string): boolean {
  const edits = isEditList(value) ? parseEdits(value) : [];
  return !('refused' in edits) && edits.some(({ file }) => plainPath(file) === plainPath(path));
}

/** The first part that begins on a line, between these offsets; null if none does. Text between backquotes is prose. */
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
