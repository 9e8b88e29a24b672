// Reads the notation that most questions ask for: a JSON object with a description and edits.

import { canonicalJson } from '../../../util/canonicalJson.ts';
import { parseEdits } from './editObject.ts';
import type { SplitReply } from './parts.ts';
import type { ReplyRefusal, ReplyParts } from './reply.ts';
import { isRecord } from '../../../util/values/isRecord.ts';

/** Reads edits from JSON; null if the reply has none. Refuses several answers unless they are equal. */
export function readJson({ parts }: SplitReply): ReplyParts | ReplyRefusal | null {
  const answers = parts.flatMap(({ kind, value }) => (kind === 'json' ? [value] : []));
  const lastAnswer = answers.at(-1);
  if (lastAnswer === undefined) return null;
  const parsedAnswer = readAnswer(lastAnswer);
  if ('refused' in parsedAnswer) return parsedAnswer;
  if (parsedAnswer.edits.length === 0) return { refused: 'The reply changes nothing.' };
  return answers.every((answer) => canonicalJson(answer) === canonicalJson(lastAnswer))
    ? parsedAnswer
    : { refused: 'The reply holds two answers, and it is unclear which of them counts.' };
}

/** Reads the edits and the description of one answer. */
function readAnswer(answer: unknown): ReplyParts | ReplyRefusal {
  const object = Array.isArray(answer) ? { edits: answer } : isRecord(answer) ? answer : {};
  const edits = parseEdits(object);
  if ('refused' in edits) return edits;
  return { description: typeof object['description'] === 'string' ? object['description'] : '', edits };
}
