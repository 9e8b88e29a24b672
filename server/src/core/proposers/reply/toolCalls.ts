// Finds tool calls in JSON and in XML.

import { parseLooseJson } from './jsonText.ts';
import { TRUNCATED_REPLY, type ReplyRefusal } from './reply.ts';
import { isRecord } from '../../../util/values/isRecord.ts';

/** The keys under which calls contain their arguments. */
const ARGUMENT_KEYS = ['arguments', 'parameters', 'input', 'args'];

/** A tool call with its arguments. */
export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Finds the calls in a piece of JSON: `{"name": …, "arguments": {…}}`, as one object, in a list, or in `tool_calls`.
 * The arguments may be a string of JSON.
 */
export function parseCalls(value: unknown): readonly ToolCall[] {
  const calls = isRecord(value) && Array.isArray(value['tool_calls']) ? value['tool_calls'] : [value];
  return (calls.flat() as unknown[]).flatMap((call) => parseCall(call) ?? []);
}

/** Reads one call; null if the value is not a call with a name and arguments. */
function parseCall(value: unknown): ToolCall | null {
  if (!isRecord(value)) return null;
  const callObject = isRecord(value['function']) ? value['function'] : value;
  const name = callObject['name'] ?? callObject['tool'];
  const key = ARGUMENT_KEYS.find((candidate) => Object.hasOwn(callObject, candidate));
  if (typeof name !== 'string' || key === undefined) return null;
  const callArguments = typeof callObject[key] === 'string' ? parseLooseJson(callObject[key]) : callObject[key];
  return isRecord(callArguments) ? { name, args: callArguments } : null;
}

/** Matches the opening tag of a call with at least one argument. */
const CALL_PATTERN = /<(function|invoke)(?:=| name=)"?([\w.-]+)"?>(?=\s*<parameter(?:=| name=))/y;
/** Matches the opening tag of an argument. */
const ARGUMENT_PATTERN = /\s*<parameter(?:=| name=)"?([\w.-]+)"?>/y;
/** Matches a tag of a call inside an argument, which may be quoted or begin another argument. */
const NESTED_PATTERN = /<(?:parameter|function|invoke)(?:=| name=)/;

/** The refusal of calls whose arguments contain tags of calls. */
export const UNCLEAR_CALL: ReplyRefusal = {
  refused: 'A call in the reply has tags of calls within its arguments, so their ends are unclear.',
};

/**
 * Reads the call in XML that begins at this offset, `<function=NAME><parameter=KEY>…</parameter></function>` or
 * `<invoke name="NAME"><parameter name="KEY">…`, and finds its end. Null if none begins there. Refuses a call that is
 * cut off, or that has tags of calls in its arguments.
 */
export function readXmlCall(
  text: string,
  offset: number,
): { readonly call: ToolCall; readonly end: number } | ReplyRefusal | null {
  CALL_PATTERN.lastIndex = offset;
  const [opening, tag, name] = CALL_PATTERN.exec(text) ?? [];
  if (opening === undefined) return null;
  const args = new Map<string, string>();
  let end = offset + opening.length;
  for (;;) {
    ARGUMENT_PATTERN.lastIndex = end;
    const [argument, key] = ARGUMENT_PATTERN.exec(text) ?? [];
    if (argument === undefined) break;
    const start = end + argument.length;
    end = text.indexOf('</parameter>', start);
    if (end < 0) return TRUNCATED_REPLY;
    const body = text.slice(start, end);
    if (NESTED_PATTERN.test(body) || args.has(key!)) return UNCLEAR_CALL;
    args.set(key!, trimLineBreaks(body));
    end += '</parameter>'.length;
  }
  const closing = `</${tag}>`;
  const closingOffset = text.indexOf(closing, end);
  if (closingOffset < 0) return TRUNCATED_REPLY;
  if (text.slice(end, closingOffset).trim() !== '') return UNCLEAR_CALL;
  return { call: { name: name!, args: Object.fromEntries(args) }, end: closingOffset + closing.length };
}

/** Removes one line break next to each tag of an argument. */
function trimLineBreaks(body: string): string {
  const start = body.startsWith('\n') ? 1 : 0;
  const end = body.endsWith('\n') && body.length > start ? body.length - 1 : body.length;
  return body.slice(start, end);
}
