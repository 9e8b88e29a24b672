// Questions and answers as files.

import { mkdtemp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REPLY_SCHEMA } from '../../../server/src/core/proposers/replySchema.ts';
import { createMailbox } from '../../../server/src/adapters/models/mailbox.ts';
import { createProposers } from '../../../server/src/adapters/models/proposers.ts';
import type { MailboxAction } from '../../../server/src/adapters/models/proposerNames.ts';
import type { ProposerRequest } from '../../../server/src/core/ports/proposers.ts';

const nobody = new AbortController().signal;
const quietly = () => undefined;
const request = (seconds = 60): ProposerRequest => ({
  id: 'q1',
  task: { kind: 'request', id: 'k', opportunity: null, path: null },
  messages: [{ role: 'user', content: 'Why?' }],
  maxTokens: 100,
  deadline: Date.now() + seconds * 1000,
});

async function place() {
  const folder = await mkdtemp(join(tmpdir(), 'selfware-mail-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

const mailbox = (folder: string, unanswered: MailboxAction = 'wait') =>
  createMailbox({ name: `mailbox:${folder}`, folder, rootDir: '/nowhere/repository', unanswered });

test('a question is a file, and its answer is taken when it is complete', async () => {
  await using mail = await place();
  const asking = mailbox(mail.folder).ask({ ...request(), schema: REPLY_SCHEMA }, nobody, quietly);
  const file = join(mail.folder, 'requests', 'q1.json');
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('Why?');
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    id: 'q1',
    format: 'json',
    maxTokens: 100,
    task: { kind: 'request' },
  });
  await writeFile(
    join(mail.folder, 'replies', 'q1.part'),
    JSON.stringify({ text: 'Because.', model: 'me', usage: { input: 3, output: 2 } }),
  );
  await rename(join(mail.folder, 'replies', 'q1.part'), join(mail.folder, 'replies', 'q1.json'));
  expect(await asking).toEqual({
    text: 'Because.',
    finished: true,
    model: 'me',
    usage: { input: 3, output: 2, cached: 0, estimated: false },
  });
});

test('an answer may be plain text; what is answered already is not asked again', async () => {
  await using mail = await place();
  await mkdir(join(mail.folder, 'replies'));
  await writeFile(join(mail.folder, 'replies', 'q1.txt'), 'Because.');
  expect(await mailbox(mail.folder, 'refuse').ask(request(), nobody, quietly)).toMatchObject({
    text: 'Because.',
    model: null,
  });
  expect(await readdir(mail.folder)).toEqual(['replies']);
});

test.each([
  ['no JSON', 'Because.'],
  ['no object', '"Because."'],
  ['no text', '{"answer": "Because."}'],
])('an answer with %s is reported, and stays', async (_what, answer) => {
  await using mail = await place();
  await mkdir(join(mail.folder, 'replies'));
  await writeFile(join(mail.folder, 'replies', 'q1.json'), answer);
  await expect(mailbox(mail.folder).ask(request(), nobody, quietly)).rejects.toMatchObject({ reason: 'unavailable' });
  expect(await readdir(join(mail.folder, 'replies'))).toEqual(['q1.json']);
});

test('a pipe in the place of an answer does not hold anybody up', async () => {
  await using mail = await place();
  await mkdir(join(mail.folder, 'replies'));
  execFileSync('mkfifo', [join(mail.folder, 'replies', 'q1.json')]);
  await expect(mailbox(mail.folder).ask(request(), nobody, quietly)).rejects.toMatchObject({ reason: 'unavailable' });
});

test('no answer until the deadline, and none in a recording', async () => {
  await using mail = await place();
  await expect(mailbox(mail.folder).ask(request(0), nobody, quietly)).rejects.toMatchObject({ reason: 'timedOut' });
  await expect(mailbox(mail.folder, 'refuse').ask(request(), nobody, quietly)).rejects.toMatchObject({
    reason: 'unavailable',
  });
});

test('a question that is left is answered between two runs', async () => {
  await using mail = await place();
  const later = mailbox(mail.folder, 'leave');
  const left = await later.fileQuestion!(request());
  expect(left).toBe(join(mail.folder, 'requests', 'q1.json'));
  expect(JSON.parse(await readFile(left!, 'utf8'))).toMatchObject({ id: 'q1', messages: [{ content: 'Why?' }] });
  await writeFile(join(mail.folder, 'replies', 'q1.txt'), 'Because.');
  expect(await later.fileQuestion!(request())).toBeNull();
  expect(await later.ask(request(), nobody, quietly)).toMatchObject({ text: 'Because.' });
  expect(mailbox(mail.folder).fileQuestion).toBeUndefined();
});

test('a cancelled question ends', async () => {
  await using mail = await place();
  const cancelled = new AbortController();
  const asking = mailbox(mail.folder).ask(request(), cancelled.signal, quietly);
  cancelled.abort();
  await expect(asking).rejects.toMatchObject({ reason: 'cancelled' });
});

test('mail does not lie in the repository', () => {
  const proposers = createProposers({ rootDir: '/nowhere/repository', env: {} });
  expect(() => proposers.open('mailbox:/nowhere/repository/mail')).toThrow(/lies in the repository/);
  expect(() => proposers.open('later:/nowhere/repository/mail')).toThrow(/lies in the repository/);
  expect(proposers.open('mailbox:/nowhere/mail').destination).toBeNull();
  expect(proposers.open('later:/nowhere/mail')).toMatchObject({
    destination: null,
    fileQuestion: expect.any(Function),
  });
});

test.each([
  ['ollama:', /no proposer/],
  ['gpt', /no proposer/],
  ['constructor:x', /no proposer/],
  ['openai-compatible:m', /address are needed/],
  ['openai-compatible:m@http://example.org/v1', /unencrypted/],
  ['openai-compatible:m@https://me:secret@example.org/v1', /password/],
])('%s is no proposer', (name, reason) => {
  expect(() => createProposers({ rootDir: '/nowhere', env: {} }).open(name)).toThrow(reason);
});

test.each([
  ['ollama:qwen2.5-coder:14b', null],
  ['openai-compatible:org/m@v2@http://localhost:8080/v1', null],
  ['openai-compatible:m@http://127.0.0.1.example.org/v1', 'unencrypted'],
  ['openai-compatible:m@https://example.org/v1', 'example.org'],
  ['openai:gpt', 'api.openai.com'],
])('%s: where code goes', (name, destination) => {
  const open = () => createProposers({ rootDir: '/nowhere', env: {} }).open(name).destination;
  if (destination === 'unencrypted') expect(open).toThrow(/unencrypted/);
  else expect(open()).toBe(destination);
});
