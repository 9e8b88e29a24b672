// Reads edits from JSON objects, which models and agents write with various names for the parts of an edit.

import type { ReplyRefusal, ReplyEdit } from './reply.ts';
import { isRecord } from '../../../util/values/isRecord.ts';

/** The keys under which models write the path of the edited file. */
const FILE_KEYS = ['file', 'path', 'file_path', 'filePath', 'filename', 'target_file'];
/** The keys under which models write the text to search for. */
const SEARCH_KEYS = ['search', 'old_string', 'old_str', 'oldText', 'old_text', 'oldString', 'find'];
/** The keys under which models write the replacement of the searched text. */
const REPLACE_KEYS = ['replace', 'new_string', 'new_str', 'newText', 'new_text', 'newString', 'replacement'];
/** The keys under which models write the whole text of a file. */
const CONTENT_KEYS = ['content', 'contents', 'file_text', 'text', 'code'];
/** The keys under which models write a list of edits. */
const LIST_KEYS = ['edits', 'changes', 'tests'];
/** The keys with which the objects of answers and of tool calls may begin. */
const ANSWER_KEYS: ReadonlySet<string> = new Set([
  ...[...LIST_KEYS, ...FILE_KEYS, ...SEARCH_KEYS, ...REPLACE_KEYS, ...CONTENT_KEYS],
  ...['description', 'append', 'delete', 'name', 'tool', 'tool_calls', 'function', 'id', 'type', 'arguments'],
]);

type JsonObject = Readonly<Record<string, unknown>>;

/** The value of the first of these names that the object has, if it is a string or null; otherwise undefined. */
function findString(object: JsonObject, names: readonly string[]): string | null | undefined {
  const name = names.find((candidate) => Object.hasOwn(object, candidate));
  const value = name === undefined ? undefined : object[name];
  return typeof value === 'string' || value === null ? value : undefined;
}

/** True if the object contains a list of edits, or is an edit. */
export function isEditObject(value: unknown): value is JsonObject {
  return isEditList(value) || (isRecord(value) && findString(value, FILE_KEYS) !== undefined);
}

/** True if the object contains a list of edits. */
export function isEditList(value: unknown): value is JsonObject {
  return isRecord(value) && LIST_KEYS.some((key) => Array.isArray(value[key]));
}

/** True if an object that is an answer may begin with this key. */
export function isKeyOfAnswer(key: string): boolean {
  return ANSWER_KEYS.has(key);
}

/** Reads all edits in an object. `file`: the file of edits that name no file themselves. */
export function parseEdits(object: JsonObject, file?: string): readonly ReplyEdit[] | ReplyRefusal {
  const fileName = findString(object, FILE_KEYS) ?? file;
  const lists = LIST_KEYS.map((key) => object[key]).filter(Array.isArray);
  if (lists.length === 0) {
    const edit = parseEdit(object, fileName);
    return 'refused' in edit ? edit : [edit];
  }
  const edits: ReplyEdit[] = [];
  for (const edit of lists.flat() as unknown[]) {
    if (!isRecord(edit)) return { refused: 'An edit of the reply is not an object.' };
    const parsedEdits = parseEdits(edit, fileName);
    if ('refused' in parsedEdits) return parsedEdits;
    edits.push(...parsedEdits);
  }
  return edits;
}

/** Reads one edit. An empty search text means the whole file. Refuses an edit without a file or without content. */
function parseEdit(object: JsonObject, file: string | undefined): ReplyEdit | ReplyRefusal {
  if (file === undefined || file.trim() === '') return { refused: 'An edit of the reply names no file.' };
  const [search, replace] = [findString(object, SEARCH_KEYS), findString(object, REPLACE_KEYS)];
  if (typeof search === 'string' && typeof replace === 'string')
    return search === ''
      ? { kind: 'file', file, content: replace }
      : { kind: 'replace', file, search, replace, byLines: false };
  const appendedText = findString(object, ['append']);
  if (typeof appendedText === 'string') return { kind: 'append', file, text: appendedText };
  if (object['delete'] === true) return { kind: 'file', file, content: null };
  const content = findString(object, CONTENT_KEYS);
  if (content !== undefined) return { kind: 'file', file, content };
  return { refused: `The edit of ${file} has neither search and replace nor content.` };
}
