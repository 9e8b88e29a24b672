// Models of an editor as proposers: an editor ends a cancelled answer silently, tells no tokens, and knows no system
// role.

import { expect, test } from 'vitest';
import { createEditorProposer } from '../../../server/src/adapters/models/editor.ts';
import { createProposers } from '../../../server/src/adapters/models/proposers.ts';
import type { EditorModels, EditorQuestion } from '../../../server/src/core/ports/editorModels.ts';
import type { ProposerRequest } from '../../../server/src/core/ports/proposers.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';

const nobody = new AbortController().signal;
const quietly = () => undefined;
const small = { vendor: 'acme', id: 'small/1', title: 'Small', mostTokens: 1000 };
const destination = 'the provider of the model, acme';

function request(maxTokens = 100, seconds = 60): ProposerRequest {
  return {
    id: 'r',
    task: { kind: 'request', id: 'k', opportunity: null, path: null },
    messages: [
      { role: 'system', content: 'rules' },
      { role: 'user', content: 'question' },
      { role: 'assistant', content: 'answer' },
    ],
    maxTokens,
    deadline: Date.now() + seconds * 1000,
  };
}

interface Scripted extends EditorModels {
  readonly asked: readonly EditorQuestion[];
  readonly signals: readonly AbortSignal[];
}

function editor(ask: (onPiece: (piece: string) => void, signal: AbortSignal) => Promise<void>): Scripted {
  const [asked, signals]: [EditorQuestion[], AbortSignal[]] = [[], []];
  return {
    asked,
    signals,
    list: async () => [small],
    async ask(question, signal, onPiece) {
      asked.push(question);
      signals.push(signal);
      await ask(onPiece, signal);
    },
  };
}

const proposer = (models: EditorModels) =>
  createEditorProposer({ name: 'editor:acme/small/1', vendor: 'acme', id: 'small/1', models });
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

test('an answer in pieces is whole at its end; the system speaks first, as a user; nothing is known of tokens', async () => {
  const models = editor(async (onPiece) => ['{"a"', ': 1}'].forEach(onPiece));
  const heard: number[] = [];
  expect(await proposer(models).ask(request(), nobody, (characters) => heard.push(characters))).toEqual({
    text: '{"a": 1}',
    finished: true,
    model: 'acme/small/1',
    usage: null,
  });
  expect(heard).toEqual([4, 8]);
  expect(models.asked[0]?.messages).toEqual([
    { role: 'user', content: 'rules' },
    { role: 'user', content: 'question' },
    { role: 'assistant', content: 'answer' },
  ]);
});

test('an answer that a cancelled editor ends silently is cancelled, not whole', async () => {
  const cancelled = new AbortController();
  const models = editor(async (onPiece, signal) => {
    onPiece('{}');
    await untilAborted(signal);
  });
  const asking = proposer(models).ask(request(), cancelled.signal, () => cancelled.abort());
  await expect(asking).rejects.toMatchObject({ reason: 'cancelled' });
  expect(models.signals[0]?.aborted).toBe(true);
});

test('an answer over its limit is ended, and counts as cut', async () => {
  const models = editor(async (onPiece, signal) => {
    while (!signal.aborted) onPiece('0123456789');
  });
  const reply = await proposer(models).ask(request(20), nobody, quietly);
  expect(reply).toMatchObject({ finished: false, text: expect.stringMatching(/^(?:0123456789){8}$/) });
});

test('a silent editor is not waited for beyond the deadline', async () => {
  const models = editor((_, signal) => untilAborted(signal));
  await expect(proposer(models).ask(request(100, 0.05), nobody, quietly)).rejects.toMatchObject({ reason: 'timedOut' });
  expect(models.signals[0]?.aborted).toBe(true);
});

test('what the editor says against it is passed on', async () => {
  const models = editor(() => Promise.reject(new SelfwareError('forbidden', 'Not allowed.')));
  await expect(proposer(models).ask(request(), nobody, quietly)).rejects.toMatchObject({
    reason: 'forbidden',
    message: 'Not allowed.',
  });
});

test('a question has room to spare in what the model can read; of an unknown model nothing is known', async () => {
  const models = editor(async () => undefined);
  expect(await proposer(models).maxQuestionTokens?.(nobody)).toBe(850);
  const other = createEditorProposer({ name: 'o', vendor: 'acme', id: 'other', models });
  expect(await other.maxQuestionTokens?.(nobody)).toBeNull();
});

test('they are listed with where code would go; switched off, with why', async () => {
  const options = { rootDir: '/nowhere', env: {} };
  const listed = await createProposers({ ...options, editorModels: editor(async () => undefined) }).list(nobody);
  expect(listed[0]).toEqual({
    name: 'editor:acme/small/1',
    title: 'Small',
    destination,
    available: true,
    onlyInEditor: true,
    why: 'A model of this editor.',
  });
  const off = { ...editor(async () => undefined), list: () => Promise.reject(new SelfwareError('forbidden', 'Off.')) };
  expect((await createProposers({ ...options, editorModels: off }).list(nobody))[0]).toMatchObject({
    available: false,
    why: 'Off.',
  });
});

test('by name they are opened in an editor alone', () => {
  const options = { rootDir: '/nowhere', env: {} };
  const inEditor = createProposers({ ...options, editorModels: editor(async () => undefined) });
  expect(inEditor.open('editor:acme/small/1')).toMatchObject({ name: 'editor:acme/small/1', destination });
  expect(() => createProposers(options).open('editor:acme/small/1')).toThrow(/only there/);
  for (const name of ['editor:acme', 'editor:/small', 'editor:acme/', 'editor:'])
    expect(() => inEditor.open(name)).toThrow(/There is no proposer/);
});
