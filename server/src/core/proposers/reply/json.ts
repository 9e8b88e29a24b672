// Reads the notation that Selfware asks for: an object with a description and edits.

import { parseEdits, isEditObject, isObject } from './editObject.ts';
import { findJsonParts, parseLooseJson } from './jsonText.ts';
import { TRUNCATED_REPLY, type ReplyRefusal, type ReplyParts } from './reply.ts';

/** Reads edits from JSON; null if the text is not in this notation. Refuses a cut text and more than one answer. */
export function readJson(text: string): ReplyParts | ReplyRefusal | null {
  if (!text.includes('"edits"') && !text.includes('edits:') && !text.includes('"file"')) return null;
  const { parts, open } = findJsonParts(text);
  const answers = parts.map(parseLooseJson).filter((value) => isEditObject(value) || isListOfEdits(value));
  if (answers.length === 0) return open ? TRUNCATED_REPLY : null;
  if (answers.length > 1) return { refused: 'The reply holds two answers, and it is unclear which of them counts.' };
  if (open) return TRUNCATED_REPLY;
  const [answer] = answers;
  const object = Array.isArray(answer) ? { edits: answer } : isObject(answer) ? answer : {};
  const edits = parseEdits(object);
  if ('refused' in edits) return edits;
  if (edits.length === 0) return { refused: 'The reply changes nothing.' };
  const description = typeof object['description'] === 'string' ? object['description'] : '';
  return { description, edits };
}

function isListOfEdits(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isEditObject);
}
