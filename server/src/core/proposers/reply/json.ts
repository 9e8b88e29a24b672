// Reads the notation that Selfware asks for: an object with a description and edits.

import { canonicalJson } from '../../../util/canonicalJson.ts';
import { isEditList, isObject, parseEdits } from './editObject.ts';
import type { SplitReply } from './parts.ts';
import type { ReplyRefusal, ReplyEdit, ReplyParts } from './reply.ts';

/**
 * Reads edits from JSON; null if the reply has none. Of several answers, the last one counts if it edits all files of
 * the others, so that it corrects them; other answers that differ are refused.
 */
export function readJson({ parts }: SplitReply): ReplyParts | ReplyRefusal | null {
  const answers = parts.flatMap(({ kind, value }) => (kind === 'json' ? [value] : []));
  const last = answers.at(-1);
  if (last === undefined) return null;
  const read = readAnswer(last);
  if ('refused' in read) return read;
  if (read.edits.length === 0) return { refused: 'The reply changes nothing.' };
  return answers.every((answer) => isReplaced(answer, last, read.edits))
    ? read
    : { refused: 'The reply holds two answers, and it is unclear which of them counts.' };
}

function readAnswer(answer: unknown): ReplyParts | ReplyRefusal {
  const object = Array.isArray(answer) ? { edits: answer } : isObject(answer) ? answer : {};
  const edits = parseEdits(object);
  if ('refused' in edits) return edits;
  return { description: typeof object['description'] === 'string' ? object['description'] : '', edits };
}

/** True if the last answer equals this one, or edits all of its files, so that it replaces it. */
function isReplaced(answer: unknown, last: unknown, lastEdits: readonly ReplyEdit[]): boolean {
  if (canonicalJson(answer) === canonicalJson(last)) return true;
  if (!isEditList(answer) || !isEditList(last)) return false;
  const read = readAnswer(answer);
  if ('refused' in read) return false;
  const files = new Set(lastEdits.map(({ file }) => file));
  return read.edits.every(({ file }) => files.has(file));
}
