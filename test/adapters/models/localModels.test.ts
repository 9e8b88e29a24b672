// Questions to models from GGUF files: cancelling one, or asking another model, ends no other question.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MachineMemory } from '../../../server/src/util/memoryTiers.ts';
import { createLocalModels, type LocalModels } from '../../../server/src/adapters/models/local/localProposer.ts';

const program = join(import.meta.dirname, '../../fixtures/models/localModel.mjs');
const never = new AbortController().signal;
let folder: string;
let models: LocalModels;
const AMPLE = { total: 1000, available: 1000 };
let memory: MachineMemory;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfware-local-'));
  for (const name of ['a.gguf', 'b.gguf']) await writeFile(join(folder, name), '');
  memory = AMPLE;
  models = createLocalModels({ library: () => 'none', program, env: process.env, memory: () => memory });
});
afterEach(async () => {
  models.unload();
  await rm(folder, { recursive: true, force: true });
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

test('a model that does not fit into the memory is not started; one that is loaded makes room for the next', async () => {
  await writeFile(join(folder, 'a.gguf'), 'x'.repeat(500));
  await writeFile(join(folder, 'b.gguf'), 'x'.repeat(500));
  memory = { total: 1000, available: 700 };
  await expect(ask('a.gguf', 'hello')).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('The model needs about'),
    action: expect.stringContaining('smaller quantisation'),
  });
  memory = AMPLE;
  expect(await ask('a.gguf', 'hello')).toMatchObject({ text: expect.stringContaining('of a.gguf') });
  memory = { total: 1000, available: 400 };
  expect(await ask('b.gguf', 'hello')).toMatchObject({ text: expect.stringContaining('of b.gguf') });
});

test('where memory is full after an answer, the model is unloaded at once', async () => {
  const processOf = async () => (await ask('a.gguf', 'hello')).text;
  const first = await processOf();
  expect(await processOf()).toBe(first);
  const asked = ask('a.gguf', 'hello', never, () => (memory = { total: 1000, available: 100 }));
  expect((await asked).text).toBe(first);
  memory = AMPLE;
  expect(await processOf()).not.toBe(first);
});
