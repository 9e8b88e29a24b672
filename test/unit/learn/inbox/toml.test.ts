// The files of the inbox: written and read back the same, and never read as empty if something in them is wrong.

import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import {
  formatArchiveBlock,
  createInboxFileName,
  parseInbox,
  formatInbox,
} from '../../../../server/src/core/learn/inbox/toml.ts';
import { INBOX_KINDS, type InboxItem } from '../../../../server/src/core/model/inbox.ts';

const base = { description: 'It was run “often”.\nSecond line', by: 'selfware', events: [3, 9] } as const;
const ITEMS: readonly InboxItem[] = [
  { ...base, id: 't-1', kind: 'tool', name: 'slow', wish: 'List slow tests' },
  { ...base, id: 'c-1', kind: 'command', name: 'check', command: `echo "it's" && ls`, effects: 'none' },
  { ...base, id: 's-1', kind: 'skill', name: 'early', file: 'CODE', text: 'Return early.', replaces: ['rule-1'] },
];

test('what is written is read back the same', () => {
  for (const kind of INBOX_KINDS) {
    const items = ITEMS.filter((item) => item.kind === kind);
    expect(parseInbox(formatInbox(items), kind, createInboxFileName(kind))).toEqual(items);
    expect(parseInbox(formatInbox([]), kind, createInboxFileName(kind))).toEqual([]);
  }
});

test('the archive holds the decision with its reason', () => {
  const text = ITEMS.map((item) => formatArchiveBlock(item, { at: '2026-11-26T00:00:00.000Z', reason: 'no' })).join(
    '\n',
  );
  expect(parse(text)['proposal']).toHaveLength(3);
  expect(parse(text)['proposal']).toContainEqual(
    expect.objectContaining({ kind: 'tool', reason: 'no', wish: 'List slow tests' }),
  );
});

const good = formatInbox(ITEMS.slice(1, 2));
const lineOf = (text: string, part: string) => text.split('\n').findIndex((line) => line.includes(part)) + 1;

test.each([
  ['a line that does not parse', good.replace('name = "check"', 'name = check'), 'name = check', 'does not parse'],
  ['a missing field', good.replace(/^command = .*$/m, ''), '[[proposal]]', 'needs the text command'],
  ['an unknown field', `${good}color = "red"\n`, '[[proposal]]', 'has no color'],
  ['events that are none', good.replace('[ 3, 9 ]', '[ 0 ]'), '[[proposal]]', 'events are the numbers'],
  ['other effects', good.replace('"none"', '"all"'), '[[proposal]]', 'effects are none or unknown'],
  ['another table', `${good}\n[other]\na = 1\n`, '[other]', 'other does not belong there'],
  ['a value instead of tables', 'proposal = 1\n', 'proposal = 1', 'needs [[proposal]] tables'],
])('%s is an error with its place and line', (_, text, line, message) => {
  expect(() => parseInbox(text, 'command', '/state/inbox/commands.toml')).toThrow(
    expect.objectContaining({
      reason: 'damaged',
      message: expect.stringMatching(new RegExp(`^/state/inbox/commands\\.toml, line ${lineOf(text, line)}: `)),
    }),
  );
  expect(() => parseInbox(text, 'command', 'x')).toThrow(message);
});

test('the line is that of the proposal which cannot be used', () => {
  const text = formatInbox([ITEMS[1]!, { ...ITEMS[1]!, id: 'c-2' }]).replace(/^id = "c-2"$/m, '');
  const line = text.split('\n').flatMap((one, at) => (one === '[[proposal]]' ? [at + 1] : []))[1];
  expect(() => parseInbox(text, 'command', 'x')).toThrow(`x, line ${line}: a command needs the text id.`);
});
