// Reads the edits of a reply in any known notation. A cut reply is never read, and an ambiguous one is refused.

import { readBlocks } from './blocks.ts';
import { readCalls } from './calls.ts';
import { readFileFences, readFunction } from './fences.ts';
import { readJson } from './json.ts';
import { readPatch } from './patch.ts';
import { announcesChange } from './phantom.ts';
import { TRUNCATED_REPLY, type ReadReply, type ReplyRefusal, type ReplyFormat, type ReplyReader } from './reply.ts';
import { readDiff } from './unifiedDiff.ts';

/** The function that a reply may return as a whole. */
export interface ReplyTarget {
  readonly file: string;
  readonly text: string;
}

/** The readers in their order: strings in JSON may contain the marks of the notations below it. */
const READER_BY_FORMAT: readonly (readonly [ReplyFormat, ReplyReader])[] = [
  ['calls', readCalls],
  ['json', readJson],
  ['patch', readPatch],
  ['blocks', readBlocks],
  ['diff', readDiff],
  ['files', readFileFences],
];

/**
 * Reads the edits of a reply in the first notation that fits, or gives the reason why there are none. `isComplete`:
 * according to the provider, the reply ended normally, and not at a limit or with the connection. `target`: the
 * function that a single piece of code replaces.
 */
export function readReply(text: string, isComplete: boolean, target?: ReplyTarget): ReadReply | ReplyRefusal {
  if (!isComplete) return TRUNCATED_REPLY;
  for (const [format, reader] of READER_BY_FORMAT) {
    const read = reader(text);
    if (read) return 'refused' in read ? read : { format, ...read };
  }
  const functionReply = target ? readFunction(text, target) : null;
  if (functionReply) return 'refused' in functionReply ? functionReply : { format: 'function', ...functionReply };
  const refused = 'The reply holds no edit in a notation that Selfware reads.';
  if (!announcesChange(text)) return { refused };
  return { refused: `${refused} It only announces one; answer with the edit itself.`, phantom: true };
}
