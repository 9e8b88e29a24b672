// What an edit only quotes is no edit: pages and tests about tools, prompts and patches quote every notation. And long
// replies are read in a time that grows with their length.

import { expect, test } from 'vitest';
import { readReply } from '../../../../server/src/core/proposers/reply/read.ts';
import { block, edit, patch } from './quoted.ts';

const XML_CALL =
  '<function=write_file>\n<parameter=file>src/b.ts</parameter>\n<parameter=content>EVIL</parameter>\n</function>';
const QUOTATIONS: Readonly<Record<string, string>> = {
  'a call in XML': XML_CALL,
  'a call in JSON': '{"name": "write_file", "arguments": {"file": "src/b.ts", "content": "EVIL"}}',
  'edits in JSON': '{"edits": [{"file": "src/b.ts", "content": "EVIL"}]}',
  'edits in a fence': '```json\n{"edits": [{"file": "src/b.ts", "content": "EVIL"}]}\n```',
  'a patch': '*** Begin Patch\n*** Add File: src/b.ts\n+EVIL\n*** End Patch',
  'the beginning of a call': '<tool_call>\n<invoke name="write_file">\n<parameter name="file">',
  'the beginning of edits': '{"edits": [{"file": "src/b.ts", "content": "EVIL',
};
const wrapInCall = (content: string) =>
  `<function=write_file>\n<parameter=file>docs/tools.md</parameter>\n<parameter=content>${content}</parameter>\n</function>`;
const rows = (sign: string, text: string) => text.replaceAll(/^/gm, sign);
const ANSWERS: Readonly<Record<string, (quotation: string) => string>> = {
  JSON: (quotation) => edit(quotation, 'nothing', 'docs/tools.md'),
  'JSON in a fence': (quotation) => `Here it is:\n\`\`\`json\n${edit(quotation, 'nothing', 'docs/tools.md')}\n\`\`\`\n`,
  'JSON with line breaks in its texts': (quotation) =>
    edit(`First:\n${quotation}\n`, 'nothing', 'docs/tools.md').replaceAll('\\n', '\n'),
  'a block': (quotation) => block(`${quotation}\n`, 'nothing\n', 'docs/tools.md'),
  'a block in a fence': (quotation) =>
    `docs/tools.md\n\`\`\`md\n${block(`${quotation}\n`, 'nothing\n', 'docs/tools.md')}\`\`\`\n`,
  'a diff': (quotation) => `--- a/docs/tools.md\n+++ b/docs/tools.md\n@@\n${rows('-', quotation)}\n+nothing\n`,
  'the lines of a diff that stay': (quotation) =>
    `--- a/docs/tools.md\n+++ b/docs/tools.md\n@@\n${rows(' ', quotation)}\n-something\n+nothing\n`,
  'a new file in a fence': (quotation) => `docs/tools.md\n~~~~md\nA page:\n\n${quotation}\n~~~~\n`,
};
const pairs = Object.keys(ANSWERS).flatMap((answer) =>
  Object.keys(QUOTATIONS).map((quotation) => [answer, quotation] as const),
);

test.each(pairs)('%s that quotes %s is one edit', (answer, quotation) => {
  const read = readReply(ANSWERS[answer]!(QUOTATIONS[quotation]!), true);
  expect(read).toMatchObject({ edits: [{ file: 'docs/tools.md' }] });
  expect('edits' in read && read.edits).toHaveLength(1);
});

test('a new page may quote a block, a diff and an answer', () => {
  const page = `Text.\n${block('a\n', 'b\n', 'src/b.ts')}--- a/src/b.ts\n+++ b/src/b.ts\n@@\n-a\n+b\n`;
  const read = readReply(`docs/tools.md\n\`\`\`md\n${page}\`\`\`\n`, true);
  expect(read).toMatchObject({ format: 'files', edits: [{ file: 'docs/tools.md', content: page }] });
  const fixture = `fixtures/reply.json\n\`\`\`json\n${edit('a', 'b', 'src/b.ts')}\n\`\`\`\n`;
  expect(readReply(fixture, true)).toMatchObject({ edits: [{ file: 'fixtures/reply.json' }] });
});

const good = edit('a', 'b');
test.each([
  ['code with the marks of calls', edit('a', "const marks = ['<tool_call>', '<invoke ', '<function='];")],
  ['prose with a brace that never closes', `The function ends with { and never closes.\n\n${good}`],
  ['prose with an object that never closes', `As in { retries: 3, it is.\n\n${good}`],
  ['thoughts with a brace', `<think>Maybe {"edits": [ or {?</think>\n${good}`],
  ['thoughts with a draft', `<think>${edit('a', 'draft')}</think>${good}`],
  ['the same answer twice', `${good}\n\nAs a fence:\n\n\`\`\`json\n${good}\n\`\`\`\n`],
  ['an answer, and below it a part of a file as an explanation', `${good}\n\n\`c.ts\`:\n\`\`\`ts\nlater();\n\`\`\`\n`],
  ['an answer below the path of its file', `\`a.ts\`\n\`\`\`json\n${good}\n\`\`\`\n`],
])('a good reply is read: %s', (what, reply) => {
  const read = readReply(reply, true);
  expect(read).toMatchObject({ format: 'json', edits: [{ file: 'a.ts', search: 'a' }] });
  if (!what.startsWith('code')) expect(read).toMatchObject({ edits: [{ replace: 'b' }] });
});

test.each([
  [
    'an answer, and another one below it',
    `${edit('a', 'draft')}\n\nThat was wrong:\n\n\`\`\`json\n${good}\n\`\`\`\n`,
    /two answers/,
  ],
  ['answers about two files', `${good}\n${edit('a', 'b', 'b.ts')}`, /two answers/],
  [
    'an answer below the path of another file',
    `docs/a.md\n\`\`\`json\n${good}\n\`\`\`\n`,
    /unclear .* below docs\/a\.md/,
  ],
  [
    'an answer below a path that cannot be read',
    `a.ts\n\`\`\`json\n${good.replace('"search"', '"search" "')}\n\`\`\`\n`,
    /unclear .* below a\.ts/,
  ],
  ['a file, and below it an answer', `\`c.ts\`\n\`\`\`ts\nlater();\n\`\`\`\n\n${good}`, /two notations/],
  ['an answer and a patch', `${good}\n${patch('*** Add File: b.ts\n+x')}`, /two notations/],
  ['a second answer that does not end', `${good}\n${edit('a', 'b').slice(0, -3)}`, /cut off/],
  [
    'a page whose fence a fence in its text closes',
    `docs/tools.md\n\`\`\`md\nA:\n\`\`\`ts\na\n\`\`\`\nB:\n${QUOTATIONS['edits in a fence']}\n\`\`\`\n`,
    /two notations/,
  ],
  ['a page that a fence in its text would cut short', 'docs/tools.md\n```md\nA:\n```ts\na\n```\nB.\n```\n', /cut off/],
  ['a call that quotes a call', wrapInCall(`Write ${XML_CALL} to do so.`), /ends are unclear/],
  [
    'a call that quotes the end of a call and another call',
    wrapInCall(`x</parameter></function>\n${XML_CALL}\n`),
    /ends are unclear/,
  ],
  ['thoughts that do not end', `<think>Perhaps ${good}`, /cut off/],
  ['an answer within JSON that cannot be read', `{"edits": [{"file": "the "a" file"\n${good}\n}]}`, /cannot be read/],
])('refused: %s', (_what, reply, reason) => {
  expect(readReply(reply, true)).toEqual({ refused: expect.stringMatching(reason) });
});

test.each([
  ['blocks', block('a\n', 'b\n').repeat(20_000)],
  ['braces', '{a}'.repeat(100_000)],
  ['objects', '{a: 1}'.repeat(50_000)],
  ['objects that may be edits', '{"file": "a"}\n'.repeat(30_000)],
  ['braces that never close', '{a:'.repeat(100_000)],
  ['braces that close at the end', '{a:\n'.repeat(75_000) + '}'.repeat(75_000)],
  ['fences', '```\n{\n'.repeat(50_000)],
])('a reply of many %s takes no more than seconds to read', (_what, reply) => {
  const start = process.threadCpuUsage();
  readReply(reply, true);
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(5);
});

test('JSON like an answer is the text of a file of JSON', () => {
  const other = edit('a', 'b', 'b.ts');
  expect(readReply(`test/answers.json\n\`\`\`json\n${other}\n\`\`\`\n`, true)).toMatchObject({
    format: 'files',
    edits: [{ file: 'test/answers.json', content: `${other}\n` }],
  });
});
