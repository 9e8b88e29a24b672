// A model in a GGUF file that the test writes, run by the real node-llama-cpp: `npm test -- --lane inference`, which
// installs the library from npm.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMPONENTS } from '../../../server/src/adapters/components/componentTable.ts';
import { requireComponent } from '../../../server/src/adapters/components/installed.ts';
import { createLocalModels, type LocalModels } from '../../../server/src/adapters/models/local/localProposer.ts';
import { REPLY_SCHEMA } from '../../../server/src/core/proposers/replySchema.ts';
import type { ProposerRequest } from '../../../server/src/core/ports/proposers.ts';
import { createCommandLine } from '../../helpers/commandLine.ts';
import { writeGguf } from '../../helpers/gguf.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { libraryOf } from './library.ts';

const program = join(import.meta.dirname, '../../../server/src/adapters/models/local/main.ts');
const never = new AbortController().signal;
const quiet = () => undefined;
const REPLY = 'A rate is per cent, `names !== x`, and 1 / 100.';
let libraryDir: string;
let folder: string;
let model: string;
let models: LocalModels;
beforeAll(async () => {
  libraryDir = await libraryOf('local');
  folder = await mkdtemp(join(tmpdir(), 'selfware-inference-'));
  model = join(folder, 'tiny.gguf');
  writeGguf(model, REPLY);
  models = modelsWith(program);
});
afterAll(async () => {
  models.unload();
  await rm(folder, { recursive: true, force: true });
});

function modelsWith(entry: string): LocalModels {
  const places = { env: {}, configuredFolder: libraryDir, selfwareFolder: '' };
  return createLocalModels({
    resolveLibrary: () => requireComponent(COMPONENTS.local, places),
    program: entry,
    env: process.env,
    // Of a machine with room: what fits is tested elsewhere.
    measureMemory: () => ({ total: 2 ** 40, available: 2 ** 40 }),
  });
}

const request = (content: string, maxTokens = 1000): ProposerRequest => ({
  id: 'r',
  task: { kind: 'request', id: 'k', opportunity: null, path: null },
  messages: [
    { role: 'system', content: 'You change code.' },
    { role: 'user', content },
  ],
  maxTokens,
  deadline: Date.now() + 120_000,
});

test('an answer comes in pieces, whole and exact, with its tokens and the name in the file', async () => {
  const proposer = models.open(`gguf:${model}`, model);
  const lengths: number[] = [];
  const reply = await proposer.ask(request('Make the rate exact.'), never, (length) => lengths.push(length));
  expect(reply).toMatchObject({ text: REPLY, finished: true, model: 'selfware-test' });
  expect(reply.usage).toMatchObject({ output: expect.any(Number), cached: expect.any(Number), estimated: false });
  expect(reply.usage!.input).toBeGreaterThan(30);
  expect(reply.usage!.output).toBeGreaterThan(5);
  expect(lengths.length).toBeGreaterThan(3);
  expect(proposer.destination).toBeNull();
  expect(await proposer.maxQuestionTokens!(never)).toBe(Math.floor(65_536 * 0.7));
});

test('an answer that reaches its limit is cut, and the next one is whole', async () => {
  const proposer = models.open(`gguf:${model}`, model);
  const cut = await proposer.ask(request('Make the rate exact.', 3), never, quiet);
  expect(cut).toMatchObject({ finished: false });
  expect(REPLY.startsWith(cut.text)).toBe(true);
  const whole = await proposer.ask(request('Make the rate exact.'), never, quiet);
  expect(whole).toMatchObject({ text: REPLY, finished: true });
  // Both questions begin alike, and what was computed for the first is used again.
  expect(whole.usage!.cached).toBeGreaterThan(0);
});

test('with a schema, the answer is JSON of that shape, whatever the model would say', async () => {
  const answer = { description: 'd', edits: [{ file: 'a.ts', search: 'a', replace: 'b' }] };
  const file = join(folder, 'schema.gguf');
  writeGguf(file, JSON.stringify(answer));
  const own = modelsWith(program);
  const asked = { ...request('Make the rate exact.'), schema: REPLY_SCHEMA };
  const whole = await own.open('gguf:schema', file).ask(asked, never, quiet);
  expect(whole).toMatchObject({ text: JSON.stringify(answer), finished: true });
  // This model would speak prose. The grammar leaves it blanks, of which it may take as many as it likes.
  const forced = await own.open('gguf:tiny', model).ask({ ...asked, maxTokens: 40 }, never, quiet);
  if (forced.finished) expect(JSON.parse(forced.text)).toMatchObject({ description: expect.any(String) });
  else expect(forced.text).toMatch(/^\s*\{\s*(?:"description"\s*(?::|$)|$)/);
  own.unload();
});

test('cancelling ends a question at once, and the model answers the next one', async () => {
  const proposer = models.open(`gguf:${model}`, model);
  const cancel = new AbortController();
  const asking = proposer.ask(request('Make the rate exact.'), cancel.signal, () => cancel.abort());
  await expect(asking).rejects.toMatchObject({ reason: 'cancelled' });
  expect(await proposer.ask(request('Again.'), never, quiet)).toMatchObject({ text: REPLY, finished: true });
});

test('a question that the model cannot see at once is refused, not shortened', async () => {
  const small = join(folder, 'small.gguf');
  writeGguf(small, REPLY, 512);
  const own = modelsWith(program);
  const asking = own.open('gguf:small', small).ask(request('x'.repeat(3000)), never, quiet);
  await expect(asking).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringMatching(/the question has 3\d\d\d tokens, and the model sees 512 at once/),
  });
  own.unload();
});

test.each([
  ['no file', null, /There is no file/],
  ['a file that is no model', () => Buffer.from('GGUF, but no model'), /bad\.gguf gave no answer: it is no GGUF file/],
  ['half a download', (whole: Buffer) => whole.subarray(0, whole.length / 2), /bad\.gguf gave no answer: /],
  ['a download that has only begun', (whole: Buffer) => whole.subarray(0, 3000), /bad\.gguf gave no answer: /],
])('%s is told', async (_what, contentOf, message) => {
  const own = modelsWith(program);
  const file = join(folder, contentOf === null ? 'none.gguf' : 'bad.gguf');
  if (contentOf !== null) await writeFile(file, contentOf(await readFile(model)));
  await expect(own.open('gguf:bad', file).maxQuestionTokens!(never)).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringMatching(message),
    retry: contentOf === null ? null : { afterMs: null },
  });
});

test('a process that dies fails the question, and the next question starts another one', async () => {
  const own = modelsWith(program);
  const proposer = own.open('gguf:tiny', model);
  await proposer.maxQuestionTokens!(never);
  // The first sign of life comes right before the question goes to the process.
  const asking = proposer.ask(request('Make the rate exact.'), never, () => own.unload());
  await expect(asking).rejects.toMatchObject({ reason: 'unavailable' });
  expect(await proposer.ask(request('Again.'), never, quiet)).toMatchObject({ text: REPLY });
  own.unload();
});

test('from a GGUF file to a verified proposal, by the command line', async () => {
  const rate = 'export function rate(value) {\n  return value / 10;\n}\n';
  const repository = await createTemporaryRepository({
    'package.json': '{ "name": "rate", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
    'src/rate.mjs': rate,
    'test/rate.test.mjs': [
      "import assert from 'node:assert/strict';",
      "import { test } from 'node:test';",
      "import { rate } from '../src/rate.mjs';",
      "test('a rate is per cent', () => assert.equal(rate(100), 1));\n",
    ].join('\n'),
  });
  const line = await createCommandLine(repository.dir);
  const answer = {
    description: 'A rate is per cent',
    edits: [{ file: 'src/rate.mjs', search: '  return value / 10;', replace: '  return value / 100;' }],
  };
  const file = join(folder, 'rate.gguf');
  writeGguf(file, JSON.stringify(answer));
  await writeFile(join(line.home, 'settings.json'), JSON.stringify({ 'models.localLibrary': libraryDir }));
  const { value: listed } = await line.json<{ id: string }[]>(['models']);
  expect(listed).toContainEqual(expect.objectContaining({ id: 'gguf:FILE', local: true, available: true }));
  const { value } = await line.json(['propose', '--fix', '--proposer', `gguf:${file}`]);
  expect(value).toMatchObject({
    author: 'model',
    status: 'verified',
    claimed: 'fix',
    edits: [{ path: 'src/rate.mjs' }],
  });
  expect(await repository.read('src/rate.mjs')).toBe(rate);
  const { value: events } = await line.json<{ events: { type: string; data: object }[] }>(['ledger', 'query']);
  expect(JSON.stringify(events)).toContain('"model":"selfware-test"');
  for (const one of [repository, line]) await one.dispose();
});
