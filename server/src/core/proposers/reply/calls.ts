// Reads edits from tool calls that a model has written as text: as JSON objects, JSON lists or XML.

import { parseEdits } from './editObject.ts';
import { keepParts, type SplitReply } from './parts.ts';
import { readPatch } from './patch.ts';
import { TRUNCATED_REPLY, type ReplyRefusal, type ReplyEdit, type ReplyParts } from './reply.ts';
import { UNCLEAR_CALL, type ToolCall } from './toolCalls.ts';

/** Names of arguments that contain a patch. */
const PATCH_KEYS = ['patch', 'input', 'diff'];
/** Matches tools that only read or run something; their calls contain no edits. */
const READ_ONLY_TOOL_PATTERN = /read|list|search|grep|view|run|shell|bash|exec/i;

/** Matches a tag that ends a part of a call in XML. */
const END_PATTERN = /<\/(?:parameter|function|invoke)>/;

/** Reads edits from tool calls; null if the reply has none. Refuses an edit that cannot be read. */
export function readCalls(reply: SplitReply): ReplyParts | ReplyRefusal | null {
  const { text, parts } = reply;
  const calls = parts.flatMap((part) => part.calls ?? []);
  // A call without its end is not a part, so the reply contains only its beginning.
  if (parts.length === 0 && /<(?:tool_call>|function=|invoke )/.test(text)) return TRUNCATED_REPLY;
  // If an end tag remains after the last call, an argument probably quotes another call, so the end of the call is
  // unclear.
  if (
    parts.some(({ kind, start }) => kind === 'call' && text[start] === '<') &&
    END_PATTERN.test(keepParts(reply, null))
  )
    return UNCLEAR_CALL;
  const edits: ReplyEdit[] = [];
  for (const call of calls.filter(({ name }) => !READ_ONLY_TOOL_PATTERN.test(name))) {
    const callEdits = readEditsOfCall(call);
    if ('refused' in callEdits) return callEdits;
    edits.push(...callEdits);
  }
  return edits.length === 0 ? null : { description: '', edits };
}

/** Reads the edits in the arguments of a call: a patch in one of them, a text to append, or an edit as an object. */
function readEditsOfCall({ name, args }: ToolCall): readonly ReplyEdit[] | ReplyRefusal {
  const patch = PATCH_KEYS.map((key) => args[key]).find((value) => typeof value === 'string');
  if (typeof patch === 'string' && patch.includes('*** Begin Patch')) {
    const parsedPatch = readPatch(patch) ?? TRUNCATED_REPLY;
    return 'refused' in parsedPatch ? parsedPatch : parsedPatch.edits;
  }
  if (/append/i.test(name) && typeof args['text'] === 'string' && args['append'] === undefined)
    return parseEdits({ ...args, append: args['text'] });
  return parseEdits(args);
}
