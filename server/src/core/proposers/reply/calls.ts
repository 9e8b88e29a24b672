// Reads tool calls that a model wrote as text: JSON objects and lists, and XML.

import { parseEdits, isObject } from './editObject.ts';
import { findJsonParts, parseLooseJson } from './jsonText.ts';
import { readPatch } from './patch.ts';
import { TRUNCATED_REPLY, type ReplyRefusal, type ReplyEdit, type ReplyParts } from './reply.ts';

/** Names under which calls carry their arguments. */
const ARGUMENT_KEYS = ['arguments', 'parameters', 'input', 'args'];
/** Names of arguments that contain a patch. */
const PATCH_KEYS = ['patch', 'input', 'diff'];
/** Names of tools that read or run something; their calls contain no edits. */
const READ_ONLY = /read|list|search|grep|view|run|shell|bash|exec/i;

/** A call of a tool, with its arguments. */
interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Reads edits from calls of tools; null if the text has none. Refuses a call that is cut off, and an edit that cannot
 * be read.
 */
export function readCalls(text: string): ReplyParts | ReplyRefusal | null {
  const calls = [...readXmlCalls(text), ...jsonCalls(text)];
  if (/<(?:tool_call|function=|invoke )/.test(text) && calls.length === 0) return TRUNCATED_REPLY;
  const edits: ReplyEdit[] = [];
  for (const call of calls.filter(({ name }) => !READ_ONLY.test(name))) {
    const read = editsOfCall(call);
    if ('refused' in read) return read;
    edits.push(...read);
  }
  return edits.length === 0 ? null : { description: '', edits };
}

/**
 * The edits that the arguments of a call ask for: a patch in one of them, a text to append, or an edit as an object.
 */
function editsOfCall({ name, args }: Call): readonly ReplyEdit[] | ReplyRefusal {
  const patch = PATCH_KEYS.map((key) => args[key]).find((value) => typeof value === 'string');
  if (typeof patch === 'string' && patch.includes('*** Begin Patch')) {
    const read = readPatch(patch) ?? TRUNCATED_REPLY;
    return 'refused' in read ? read : read.edits;
  }
  if (/append/i.test(name) && typeof args['text'] === 'string' && args['append'] === undefined)
    return parseEdits({ ...args, append: args['text'] });
  return parseEdits(args);
}

/**
 * The calls in JSON: `{"name": …, "arguments": {…}}`, as one object, in a list, or below `tool_calls`; the arguments
 * may be a string of JSON.
 */
function jsonCalls(text: string): Call[] {
  return findJsonParts(text)
    .parts.map(parseLooseJson)
    .flatMap((value) => (isObject(value) && Array.isArray(value['tool_calls']) ? value['tool_calls'] : [value]).flat())
    .flatMap((value) => parseCall(value) ?? []);
}

function parseCall(value: unknown): Call | null {
  if (!isObject(value)) return null;
  const inner = isObject(value['function']) ? value['function'] : value;
  const name = inner['name'] ?? inner['tool'];
  const key = ARGUMENT_KEYS.find((candidate) => Object.hasOwn(inner, candidate));
  if (typeof name !== 'string' || key === undefined) return null;
  const callArguments = typeof inner[key] === 'string' ? parseLooseJson(inner[key]) : inner[key];
  return isObject(callArguments) ? { name, args: callArguments } : null;
}

/**
 * The calls in XML: `<function=NAME><parameter=KEY>…</parameter></function>` and `<invoke name="NAME"><parameter
 * name="KEY">`.
 */
function readXmlCalls(text: string): Call[] {
  const calls: Call[] = [];
  for (const { tag, name, body } of findElements(text, ['function', 'invoke'])) {
    const callArguments = Object.fromEntries(
      findElements(body, ['parameter']).map((parameter) => [parameter.name, trimLineBreaks(parameter.body)]),
    );
    if (tag !== '' && Object.keys(callArguments).length > 0) calls.push({ name, args: callArguments });
  }
  return calls;
}

/** An XML element: its tag, its name, and the text between its tags. */
interface Element {
  readonly tag: string;
  readonly name: string;
  readonly body: string;
}

/** The elements with these tags and a name, in order; an element that is not closed ends the search. */
function findElements(text: string, tags: readonly string[]): Element[] {
  const result: Element[] = [];
  const opening = new RegExp(`<(${tags.join('|')})(?:=| name=)"?([\\w.-]+)"?>`, 'g');
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const [element, tag, name] = match;
    const end = text.indexOf(`</${tag}>`, match.index + element.length);
    if (end < 0) break;
    result.push({ tag: tag!, name: name!, body: text.slice(match.index + element.length, end) });
    opening.lastIndex = end;
  }
  return result;
}

/** The body without the line breaks next to its tags. */
function trimLineBreaks(body: string): string {
  const start = body.startsWith('\n') ? 1 : 0;
  const end = body.endsWith('\n') && body.length > start ? body.length - 1 : body.length;
  return body.slice(start, end);
}
