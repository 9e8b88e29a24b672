// Questions to models from GGUF files: cancelling one, or asking another model, ends no other question.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { REPLY_SCHEMA } from '../../../server/src/core/proposers/replySchema.ts';
import type { MachineMemory } from '../../../server/src/util/memoryTiers.ts';
import {
  createLocalModels,
  type LocalModels,
  type LocalModelsOptions,
} from '../../../server/src/adapters/models/local/localProposer.ts';

const program = join(import.meta.dirname, '../../fixtures/models/localModel.mjs');
const never = new AbortController().signal;
let folder: string;
let models: LocalModels;
const AMPLE = { total: 1000, available: 1000 };
let memory: MachineMemory;
/** Free bytes of the graphics card. */
let card: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfware-local-'));
  for (const name of ['a.gguf', 'b.gguf']) await writeFile(join(folder, name), '');
  memory = AMPLE;
  card = 0;
  models = modelsWith();
});
afterEach(async () => {
  models.unload();
  await rm(folder, { recursive: true, force: true });
});

const modelsWith = (more: Partial<LocalModelsOptions> = {}) =>
  createLocalModels({
    resolveLibrary: () => String(card),
    program,
    env: process.env,
    measureMemory: () => memory,
    ...more,
  });

/** Asks a model; `onText` is called at its first piece. */
const ask = (name: string, content: string, signal = never, onText: () => void = () => undefined) =>
  models.open(`gguf:${name}`, join(folder, name)).ask(
    {
      id: 'r',
      task: { kind: 'request', id: 'k', opportunity: null, path: null },
      messages: [{ role: 'user', content }],
      maxTokens: 10,
      deadline: Date.now() + 60_000,
    },
    signal,
    (characters) => characters > 0 && onText(),
  );

test('a question right after a cancelled one is answered, although the process has to be ended', async () => {
  const cancel = new AbortController();
  const cancelled = ask('a.gguf', 'block', cancel.signal, () => cancel.abort());
  await expect(cancelled).rejects.toMatchObject({ reason: 'cancelled' });
  expect(await ask('a.gguf', 'hello')).toMatchObject({ text: expect.stringContaining('of a.gguf') });
});

test('the process gets no secrets, and no CI, of which the library wants a boolean', async () => {
  models = modelsWith({ env: { PATH: process.env['PATH'], CI: '', A_TOKEN: 'secret', LANG: 'C' } });
  const { text } = await ask('a.gguf', 'env');
  expect(text.split(' ')).toEqual(expect.arrayContaining(['PATH', 'LANG']));
  expect(text).not.toMatch(/\bCI\b|A_TOKEN/);
});

test('a question to another model waits until the first one is answered', async () => {
  const go = join(folder, 'go');
  const order: string[] = [];
  let second: Promise<unknown> | undefined;
  await new Promise<void>((resolve, reject) => {
    const first = ask('a.gguf', `wait ${go}`, never, resolve).then(({ text }) => order.push(text));
    second = ask('b.gguf', 'hello').then(({ text }) => order.push(text));
    second = Promise.all([first, second]);
    second.catch(reject);
  });
  await writeFile(go, '');
  await second;
  expect(order).toEqual([expect.stringContaining('of a.gguf'), expect.stringContaining('of b.gguf')]);
});

test('a question that waits can be cancelled, and a process that was ended is asked nothing', async () => {
  const cancel = new AbortController();
  const go = join(folder, 'go');
  let first: Promise<{ readonly text: string }> | undefined;
  await new Promise<void>((resolve) => (first = ask('a.gguf', `wait ${go}`, never, resolve)));
  const waiting = ask('b.gguf', 'hello', cancel.signal);
  cancel.abort();
  await expect(waiting).rejects.toMatchObject({ reason: 'cancelled' });
  await writeFile(go, '');
  const { text: before } = await first!;
  models.unload();
  const { text: after } = await ask('a.gguf', 'hello');
  expect(after).not.toBe(before);
});

const processIn = (text: string) => Number.parseInt(text, 10);
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a model that does not fit is refused, and one that fits with the graphics card is loaded', async () => {
  await writeFile(join(folder, 'a.gguf'), 'x'.repeat(500));
  memory = { total: 1000, available: 700 };
  const refused = { reason: 'unavailable', action: expect.stringContaining('smaller quantisation') };
  await expect(ask('a.gguf', 'hello')).rejects.toMatchObject({
    ...refused,
    message: expect.stringMatching(/^The model needs about .* are filled\.$/),
  });
  // 600 bytes are needed, and 550 may be loaded.
  card = 49;
  await expect(ask('a.gguf', 'hello')).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining('The graphics card has 1 MB free'),
  });
  card = 50;
  expect(await ask('a.gguf', 'hello')).toMatchObject({ text: expect.stringContaining('of a.gguf') });
});

test('the memory is measured once the process of the model before has ended', async () => {
  await writeFile(join(folder, 'b.gguf'), 'x'.repeat(500));
  let first: number | null = null;
  models = modelsWith({
    measureMemory: () => ({ total: 1000, available: first !== null && isRunning(first) ? 400 : 1000 }),
  });
  first = processIn((await ask('a.gguf', 'hello')).text);
  expect(await ask('b.gguf', 'hello')).toMatchObject({ text: expect.stringContaining('of b.gguf') });
});

test('where memory is full, the model stays for the next step and is unloaded once it is idle', async () => {
  memory = AMPLE;
  const step = async () => processIn((await ask('a.gguf', 'hello')).text);
  const first = await step();
  memory = { total: 1000, available: 100 };
  expect([await step(), await step()]).toEqual([first, first]);
  models.unload();
  memory = AMPLE;
  models = modelsWith({ idleIfFullMs: 0 });
  const second = processIn(
    (await ask('a.gguf', 'hello', never, () => (memory = { total: 1000, available: 100 }))).text,
  );
  await vi.waitFor(() => expect(isRunning(second)).toBe(false), { timeout: 60_000 });
  memory = AMPLE;
  expect(await step()).not.toBe(second);
});

test('a library that makes no grammar is asked without one, from then on at once', async () => {
  const main = join(import.meta.dirname, '../../../server/src/adapters/models/local/main.ts');
  const library = join(import.meta.dirname, '../../fixtures/models/noGrammar.mjs');
  await writeFile(join(folder, 'a.gguf'), Buffer.from([...Buffer.from('GGUF'), 3, 0, 0, 0]));
  models = modelsWith({ program: main, resolveLibrary: () => library });
  const own = models.open('gguf:a', join(folder, 'a.gguf'));
  const asked = {
    id: 'r',
    task: { kind: 'request', id: 'k', opportunity: null, path: null },
    messages: [{ role: 'user', content: 'hello' }],
    schema: REPLY_SCHEMA,
    maxTokens: 10,
    deadline: Date.now() + 60_000,
  } as const;
  for (let time = 0; time < 2; time += 1)
    expect(await own.ask(asked, never, () => undefined)).toMatchObject({ text: 'free after 1', finished: true });
});
