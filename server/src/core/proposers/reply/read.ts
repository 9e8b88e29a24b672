// Reads the edits of a reply in any known notation. A reply that was cut off or is ambiguous is refused, and edits that
// are quoted inside other edits are ignored.

import { readBlocks } from './blocks.ts';
import { readCalls } from './calls.ts';
import { findFences, findFencePath, readFileFences, readFunction } from './fences.ts';
import { readJson } from './json.ts';
import { keepParts, splitReply, type PartKind, type SplitReply } from './parts.ts';
import { readPatch } from './patch.ts';
import { normalisePath } from './pathLine.ts';
import { announcesChange } from './phantom.ts';
import {
  TRUNCATED_REPLY,
  type ReadReply,
  type ReplyFormat,
  type ReplyParts,
  type ReplyReader,
  type ReplyRefusal,
} from './reply.ts';
import { readDiff } from './unifiedDiff.ts';

/** The function that a reply may return as a whole. */
export interface ReplyTarget {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

/** The result of the reader of one notation. */
interface NotationResult {
  readonly format: ReplyFormat;
  readonly result: ReplyParts | ReplyRefusal;
}

const TWO_NOTATIONS: ReplyRefusal = {
  refused: 'The reply holds edits in two notations, and it is unclear which of them count.',
};

/** The notations, each with the reader of its parts. */
const READERS: readonly (readonly [ReplyFormat, (reply: SplitReply) => ReturnType<ReplyReader>])[] = [
  ['json', readJson],
  ['calls', readCalls],
  ['patch', createPartReader('patch', readPatch)],
  ['blocks', createPartReader('block', readBlocks)],
  ['diff', createPartReader('diff', readDiff)],
];

/** Creates a reader that reads only the parts of this kind; null for a reply without such parts. */
function createPartReader(kind: PartKind, reader: ReplyReader): (reply: SplitReply) => ReturnType<ReplyReader> {
  return (reply) => (reply.parts.some((part) => part.kind === kind) ? reader(keepParts(reply, kind)) : null);
}

/**
 * Reads the edits of a reply, or refuses with the reason why there are none. `isComplete`: true if, according to the
 * provider, the reply ended normally, and not at a limit or because the connection broke. `target`: the function that a
 * single piece of code replaces.
 */
export function readReply(text: string, isComplete: boolean, target?: ReplyTarget): ReadReply | ReplyRefusal {
  const answer = isComplete ? removeThoughts(text) : null;
  if (answer === null) return TRUNCATED_REPLY;
  const reply = splitReply(answer);
  if (reply.problem) return reply.problem;
  const outcomes: NotationResult[] = READERS.flatMap(([format, reader]) => {
    const readOutcome = reader(reply);
    return readOutcome === null ? [] : [{ format, result: readOutcome }];
  });
  if (outcomes.length > 1 || (outcomes.length === 1 && mayBelongToFile(reply))) return TWO_NOTATIONS;
  const code = keepParts(reply, 'code');
  if (outcomes.length === 0 && target) outcomes.push(...readCodeOfFunction(code, target));
  const fileOutcome = outcomes.length === 0 ? readFileFences(code) : null;
  if (fileOutcome) outcomes.push({ format: 'files', result: fileOutcome });
  const [outcome] = outcomes;
  if (outcome) return 'refused' in outcome.result ? outcome.result : { format: outcome.format, ...outcome.result };
  const refused = 'The reply holds no edit in a notation that Selfware reads.';
  if (!announcesChange(answer)) return { refused };
  return { refused: `${refused} It only announces one; answer with the edit itself.`, phantom: true };
}

/**
 * True if the edits of a reply may belong to the text of a file in a fence. A fence inside that text closes the fence
 * of the file too early, so the remaining text of the file then seems to be outside it. A fence after edits in JSON
 * only explains them.
 */
function mayBelongToFile({ parts }: SplitReply): boolean {
  const fileIndex = parts.findIndex(({ isFile }) => isFile);
  if (fileIndex < 0) return false;
  const isEdit = ({ kind }: SplitReply['parts'][number]) => kind !== 'code' && kind !== 'data';
  return (
    parts.slice(fileIndex).some(isEdit) ||
    parts.slice(0, fileIndex).some((part) => isEdit(part) && part.kind !== 'json')
  );
}

/**
 * Reads the edit of a reply to a request for a function; empty if its code is a file other than that of the function.
 */
function readCodeOfFunction(text: string, target: ReplyTarget): readonly NotationResult[] {
  const labels = findFences(text).map(findFencePath);
  // A path above the code of the function states where the function is, and not that the code is the whole file.
  const isFile = labels.some((label) => label !== null && (labels.length > 1 || normalisePath(label) !== target.file));
  const functionEdits = isFile ? null : readFunction(text, target);
  return functionEdits === null ? [] : [{ format: 'function', result: functionEdits }];
}

/** Removes the thoughts at the beginning of a reply; null if they do not end. */
function removeThoughts(text: string): string | null {
  const [opening, name] = /^\s*<(think|thinking)>/.exec(text) ?? [];
  if (opening === undefined) return text;
  const closing = `</${name}>`;
  const end = text.indexOf(closing, opening.length);
  return end < 0 ? null : text.slice(end + closing.length);
}
