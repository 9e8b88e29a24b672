// Reads and writes the TOML files of the inbox. A file that cannot be used causes an error that names the line, so that
// the file is never mistaken for an empty inbox.

import { parse, stringify, TomlError } from 'smol-toml';
import { RULE_FILES } from '../../model/feedback.ts';
import type { InboxItem, InboxKind } from '../../model/inbox.ts';
import { SelfwareError } from '../../../util/typedError.ts';

const FILE_HEADER = `# Proposals that wait for you: selfware inbox list
# Selfware rewrites this file, without comments. A text or a command may be edited before it is applied.
`;

/** The text of the file with these open proposals. */
export function formatInbox(items: readonly InboxItem[]): string {
  return `${FILE_HEADER}\n${items.map(formatBlock).join('\n')}`;
}

/** Fields of each kind that are optional or have another type than text. */
const OTHER_FIELDS: Readonly<Record<InboxKind, readonly string[]>> = {
  tool: [],
  command: ['effects'],
  skill: ['replaces'],
  preference: [],
};

/** Fields of each kind that are texts and required. */
const TEXT_FIELDS: Readonly<Record<InboxKind, readonly string[]>> = {
  tool: ['wish'],
  command: ['command'],
  skill: ['file', 'text'],
  preference: ['rule', 'first', 'second'],
};

/** Name of the file with the open proposals of a kind, relative to the inbox. */
export function createInboxFileName(kind: InboxKind): string {
  return `${kind}s.toml`;
}

/** One proposal with its decision as TOML, for the archive of a day. */
export function formatArchiveBlock(
  item: InboxItem,
  decision: { readonly at: string; readonly reason: string | null },
): string {
  const { reason, at } = decision;
  return stringify({
    proposal: [{ ...removeKind(item), kind: item.kind, at, ...(reason === null ? {} : { reason }) }],
  });
}

/**
 * The proposals in the text of a file. `path`: the path of the file, for messages. Throws `damaged`, with path and
 * line, if the text or one of its proposals cannot be used.
 */
export function parseInbox(text: string, kind: InboxKind, path: string): readonly InboxItem[] {
  let table: Record<string, unknown>;
  try {
    table = parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    throw createDamagedError(path, cause.line, 'the TOML does not parse', cause);
  }
  const unknownKey = Object.keys(table).find((key) => key !== 'proposal');
  if (unknownKey !== undefined)
    throw createDamagedError(path, findLine(text, unknownKey), `${unknownKey} does not belong there`);
  const { proposal = [] } = table;
  if (!Array.isArray(proposal))
    throw createDamagedError(path, findLine(text, 'proposal'), 'it needs [[proposal]] tables');
  return proposal.map((entry: unknown, index) => {
    const parsedItem = parseItem(entry, kind);
    if (typeof parsedItem !== 'string') return parsedItem;
    throw createDamagedError(path, findHeadingLine(text, index), parsedItem);
  });
}

/** The error about a line (1-based) of a file. `problem`: the end of a sentence without a full stop. */
function createDamagedError(path: string, line: number, problem: string, cause?: unknown): SelfwareError {
  return new SelfwareError('damaged', `${path}, line ${line}: ${problem}.`, {
    action:
      'Fix that line, or move the file away: its open proposals are then listed from the ledger, as they were filed. ' +
      'Selfware leaves the file as it is until then.',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The item in a table, or the reason why it cannot be used, as a part of a sentence. */
function parseItem(entry: unknown, kind: InboxKind): InboxItem | string {
  if (typeof entry !== 'object' || entry === null) return 'a proposal is a table';
  const table = entry as Readonly<Record<string, unknown>>;
  const requiredKeys = TEXT_FIELDS[kind];
  const missingKey = ['id', 'name', 'description', ...requiredKeys].find((key) => typeof table[key] !== 'string');
  if (missingKey !== undefined) return `a ${kind} needs the text ${missingKey}`;
  const allowedKeys = new Set(['id', 'name', 'description', 'by', 'events', ...requiredKeys, ...OTHER_FIELDS[kind]]);
  const unknownField = Object.keys(table).find((key) => !allowedKeys.has(key));
  if (unknownField !== undefined) return `a ${kind} has no ${unknownField}`;
  const { events, by } = table;
  if (!Array.isArray(events) || events.length === 0 || !events.every((event) => Number.isInteger(event) && event > 0))
    return 'events are the numbers of events in the ledger';
  if (by !== 'selfware' && by !== 'agent') return 'by is agent or selfware';
  const readText = (key: string) => table[key] as string;
  const base = {
    id: readText('id'),
    name: readText('name'),
    description: readText('description'),
    by: by === 'agent' ? ('agent' as const) : ('selfware' as const),
    events: events as number[],
  };
  if (kind === 'tool') return { ...base, kind, wish: readText('wish') };
  if (kind === 'preference')
    return { ...base, kind, rule: readText('rule'), first: readText('first'), second: readText('second') };
  if (kind === 'command') {
    const { effects } = table;
    if (effects !== 'none' && effects !== 'unknown') return 'effects are none or unknown';
    return { ...base, kind, command: readText('command'), effects };
  }
  const file = RULE_FILES.find((name) => name === table['file']);
  if (!file) return `file is one of ${RULE_FILES.join(', ')}`;
  const { replaces = [] } = table;
  if (!Array.isArray(replaces) || !replaces.every((replace) => typeof replace === 'string'))
    return 'replaces are the ids of rules';
  return { ...base, kind, file, text: readText('text'), replaces };
}

function formatBlock(item: InboxItem): string {
  return stringify({ proposal: [removeKind(item)] });
}

function removeKind({ kind: _, ...fields }: InboxItem): Record<string, unknown> {
  return fields;
}

/**
 * The line (1-based) of the heading `[[proposal]]` with this index; 1 if there is none, because the table is written in
 * another form.
 */
function findHeadingLine(text: string, index: number): number {
  const lines = text
    .split('\n')
    .flatMap((line, position) => (/^\s*\[\[\s*proposal\s*\]\]/.test(line) ? [position + 1] : []));
  return lines[index] ?? 1;
}

/** The first line (1-based) that begins with a key; 1 if none does. */
function findLine(text: string, key: string): number {
  return (
    Math.max(
      0,
      text.split('\n').findIndex((line) => line.replace(/^[\s["]+/, '').startsWith(key)),
    ) + 1
  );
}
