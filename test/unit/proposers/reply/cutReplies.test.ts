// Replies of every notation, cut at every character: a cut that the provider reports gives no edit. One that nobody
// reports gives no part of an edit; only a diff without a fence does not mark the end of its last line.

import { expect, test } from 'vitest';
import { readReply, type ReplyTarget } from '../../../../server/src/core/proposers/reply/read.ts';
import type { ReplyEdit, ReplyFormat } from '../../../../server/src/core/proposers/reply/reply.ts';
import { block, patch } from './quoted.ts';

const OLD = '  const unused = 1;\n  return value / 100;\n';
const NEW = '  // \u00E9, {[("\u{1F600}\n  return value * 0.01;\n';
const target: ReplyTarget = { file: 'a.ts', name: 'rate', text: `function rate(value) {\n${OLD}}` };
const hunk = `${prefixed('-', OLD)}${prefixed('+', NEW)} }`;
const edits = [
  { file: 'a.ts', search: OLD, replace: NEW },
  { file: 'b.ts', content: NEW },
  { file: 'c.ts', append: NEW },
  { file: 'd.ts', delete: true },
];

function prefixed(sign: string, text: string): string {
  return text.replaceAll(/^(?=.)/gm, sign);
}

const REPLIES: Readonly<Record<ReplyFormat, string>> = {
  json: `Here are the edits:\n\`\`\`json\n${JSON.stringify({ description: 'A better rate', edits }, null, 2)}\n\`\`\`\n`,
  blocks: `A better rate.\n\n${block(OLD, NEW)}${block('', NEW, 'b.ts')}`,
  patch: patch(`*** Update File: a.ts\n@@\n${hunk}\n*** Add File: b.ts\n${prefixed('+', NEW)}*** Delete File: d.ts`),
  diff: `--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n${hunk}\n--- a/b.ts\n+++ b/b.ts\n@@ -1,3 +1,3 @@\n${hunk}\n`,
  files: `\`a.ts\`\n\n\`\`\`ts\n${NEW}\`\`\`\n\n\`b.ts\`\n\n\`\`\`ts\n${NEW}\`\`\`\n`,
  function: `Here it is:\n\`\`\`ts\nfunction rate(value) {\n${NEW}}\n\`\`\`\n`,
  calls:
    `<function=edit>\n<parameter=path>a.ts</parameter>\n<parameter=search>${OLD}</parameter>\n` +
    `<parameter=replace>${NEW}</parameter>\n</function>`,
};
const FORMATS = Object.keys(REPLIES) as ReplyFormat[];

function readCut(format: ReplyFormat, end: number, isComplete: boolean): readonly ReplyEdit[] | string {
  const read = readReply(REPLIES[format].slice(0, end), isComplete, format === 'function' ? target : undefined);
  return 'refused' in read ? read.refused : read.edits;
}

/** The lengths of the beginnings of a reply, the whole one included. */
function lengthsOf(format: ReplyFormat): number[] {
  return Array.from({ length: REPLIES[format].length + 1 }, (_, length) => length);
}

test.each(FORMATS)('%s: a reply that is reported as cut gives no edit, wherever it is cut', (format) => {
  expect(readReply(REPLIES[format], true, target)).toMatchObject({ format });
  for (const length of lengthsOf(format)) expect(readCut(format, length, false)).toMatch(/cut off/);
});

test.each<[ReplyFormat, boolean]>([
  ['json', true],
  ['patch', true],
  ['function', true],
  ['calls', true],
  // These may end after each of their edits.
  ['blocks', false],
  ['files', false],
])('%s: a cut that nobody reports gives no part of an edit', (format, isWhole) => {
  const whole = readCut(format, REPLIES[format].length, true);
  for (const length of lengthsOf(format)) {
    const read = readCut(format, length, true);
    if (typeof read !== 'string') expect(read).toEqual(isWhole ? whole : whole.slice(0, read.length));
  }
});

test('diff: a cut at the end of a line or in the head of a file, which nobody reports, gives no part of an edit', () => {
  const whole = readCut('diff', REPLIES.diff.length, true);
  const ends = lengthsOf('diff').filter((length) =>
    /\n(?:[-+]{1,3}(?: [ab/.ts]*)?)?$/.test(REPLIES.diff.slice(0, length)),
  );
  expect(ends.length).toBeGreaterThan(20);
  for (const length of ends) {
    const read = readCut('diff', length, true);
    if (typeof read !== 'string') expect(read).toEqual(whole.slice(0, read.length));
  }
});

test.each<[ReplyFormat, string]>([
  ['diff', `Here it is:\n\`\`\`diff\n${REPLIES.diff}\`\`\`\n`],
  ['diff', `\`\`\`diff\n${REPLIES.diff.replaceAll('-1,3 +1,3', '-7,90 +7,90')}\`\`\`\nThat is all.\n`],
  ['blocks', `A better rate.\n\n\`\`\`ts\n${REPLIES.blocks}\`\`\`\n`],
])('%s in a fence: a reply that ends before the fence does gives no edit', (format, reply) => {
  expect(readReply(reply, true)).toMatchObject({ format, edits: [{}, {}] });
  const end = reply.lastIndexOf('```');
  for (let length = 0; length <= end; length += 1)
    expect(readReply(reply.slice(0, length), true)).toMatchObject({ refused: expect.any(String) });
});
