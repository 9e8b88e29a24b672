// Finds the JSON in a reply that is an answer. Braces in prose are skipped. JSON that is cut off or cannot be read ends
// the search, because the text after it may be part of a quotation.

import { isEditList, isEditObject, isKeyOfAnswer } from './editObject.ts';
import { findJsonEnd, parseLooseJson } from './jsonText.ts';
import { TRUNCATED_REPLY, type ReplyRefusal } from './reply.ts';
import { parseCalls } from './toolCalls.ts';

/** A piece of JSON. `isAnswer`: true if it contains edits or tool calls; other pieces are skipped. */
export interface JsonPart {
  readonly value: unknown;
  readonly isAnswer: boolean;
  readonly end: number;
}

/**
 * Finds the JSON that begins exactly at an offset. Null if there is none; refused if the rest of the reply must not be
 * used.
 */
export type JsonFinder = (offset: number) => JsonPart | ReplyRefusal | null;

/** Matches the first key of an object: in double quotes, in single quotes, or without quotes. */
const FIRST_KEY_PATTERN =
  /(?:\[\s*)?\{(?:\s|\/\/[^\n]*\n)*(?:"([^"\n]{1,100})"|'([\w$]{1,100})'|([A-Za-z_$][\w$]{0,100}))\s*:/y;
/** Matches the keys that identify edits and tool calls. Each of them contains at least one such key. */
const ANSWER_PATTERN = /\b(?:edits|changes|tests|file|path|file_path|filePath|filename|target_file|name|tool)["']?\s*:/;
/** Maximum number of pieces of JSON that are parsed. */
const MAX_PARSED_PIECES = 100;
/**
 * Maximum numbers of characters that are parsed, and that are searched for the end of JSON, as multiples of the text
 * length.
 */
const [MAX_PARSED, MAX_SEARCHED] = [3, 100];

const TOO_MANY_PIECES: ReplyRefusal = {
  refused: 'The reply holds too many pieces of JSON to find out which of them counts.',
};
const UNREADABLE: ReplyRefusal = { refused: 'The JSON of the reply cannot be read.' };

/** Creates a finder for one reply. */
export function createJsonFinder(text: string): JsonFinder {
  let [pieceCount, parsedCharacters, searchedCharacters] = [0, 0, 0];
  // After a brace that begins no JSON, only a complete answer that begins on a line of its own is accepted.
  let isStrict = false;
  const readAt = (offset: number): JsonPart | ReplyRefusal | null => {
    const key = findFirstKey(text, offset);
    if (key === null || (isStrict && !(key.isQuoted && startsLine(text, offset)))) return null;
    const end = findJsonEnd(text, offset);
    const source = text.slice(offset, end ?? undefined);
    searchedCharacters += source.length;
    if (searchedCharacters > MAX_SEARCHED * text.length) return TOO_MANY_PIECES;
    if (!ANSWER_PATTERN.test(source))
      return end === null || source.includes('\n') ? null : { value: undefined, isAnswer: false, end };
    if (end !== null) {
      pieceCount += 1;
      parsedCharacters += source.length;
      if (pieceCount > MAX_PARSED_PIECES || parsedCharacters > MAX_PARSED * text.length) return TOO_MANY_PIECES;
      const value = parseLooseJson(source);
      if (value !== undefined) {
        const isAnswer = isStrict ? isEditList(value) : isEditAnswer(value) || parseCalls(value).length > 0;
        return { value, isAnswer, end };
      }
    }
    if (key.isQuoted || isKeyOfAnswer(key.name)) return end === null ? TRUNCATED_REPLY : UNREADABLE;
    isStrict = true;
    return null;
  };
  let lastResult: { readonly offset: number; readonly result: ReturnType<JsonFinder> } | null = null;
  return (offset) => {
    if (lastResult?.offset !== offset) lastResult = { offset, result: readAt(offset) };
    return lastResult.result;
  };
}

/** True for an object with edits, for an edit, and for a list of edits. */
export function isEditAnswer(value: unknown): boolean {
  return isEditObject(value) || (Array.isArray(value) && value.length > 0 && value.every(isEditObject));
}

/** Reads the first key of the object that begins at an offset; null if none begins there. */
function findFirstKey(text: string, offset: number): { readonly name: string; readonly isQuoted: boolean } | null {
  FIRST_KEY_PATTERN.lastIndex = offset;
  const match = FIRST_KEY_PATTERN.exec(text);
  if (!match) return null;
  const [, quoted, single, bare] = match;
  return { name: quoted ?? single ?? bare ?? '', isQuoted: quoted !== undefined };
}

/** True if only white space precedes the offset in its line. */
function startsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}
