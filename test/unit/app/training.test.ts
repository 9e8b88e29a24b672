// From what was learned to a model in use, and back: a real ledger, a trainer that writes a real GGUF file, and an
// evaluator that computes its perplexity. And trainers that go wrong.

import { copyFile, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../../server/src/app/createApp.ts';
import { serveTraining } from '../../../server/src/app/training/service.ts';
import {
  rollBackModel,
  trainOnce,
  type TrainingRequest,
  type TrainingResult,
} from '../../../server/src/app/training/train.ts';
import { resolveTrainingPlaces } from '../../../server/src/app/training/setUp.ts';
import { resolveStateFolder } from '../../../server/src/adapters/files/stateFolder.ts';
import type { TrainingEvent } from '../../../server/src/core/model/trainings.ts';
import { createDataset, isHeldOut } from '../../../server/src/core/learn/training/dataset.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { defaultSettings, type Settings } from '../../../server/src/settings/schema.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createPeer, type Manner } from '../../adapters/models/peer.ts';
import { createDecidedChanges, recordDecided } from '../../helpers/learnedLedger.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'training');
const HOUR = 3_600_000;
const SECRET = `ghp_${'a1B2'.repeat(9)}`;

const node = (program: string, ...args: string[]) =>
  [`"${process.execPath}"`, `"${join(FIXTURES, program)}"`, ...args].join(' ');

let repository: TemporaryRepository;
let home: string;
let session: Session;
let base: string;
let now: number;

beforeAll(async () => {
  repository = await createTemporaryRepository({ 'a.js': 'export const a = 1;\n' });
  home = await mkdtemp(join(tmpdir(), 'selfware-training-'));
  const env = { SELFWARE_HOME: home, PATH: process.env.PATH, HOME: home };
  const secret = { id: 'p-secret', title: `Use const for ${SECRET}`, outcome: 'kept' } as const;
  const edits = [
    { path: 'src/secret.ts', before: `let t = '${SECRET}';\n`, after: `const t = '${SECRET}';\n` },
    { path: 'src/secret2.ts', before: null, after: 'export {};\n' },
  ];
  await recordDecided(resolveStateFolder(repository.dir, env), [...createDecidedChanges(130), { ...secret, edits }]);
  const log = { write: () => undefined };
  const options = { rootDir: repository.dir, settings: defaultSettings, trusted: true, env, log, searches: false };
  ({ session } = await createApp(options));
  await session.open({ signal: new AbortController().signal });
  base = join(home, 'base.gguf');
  const { writeModel } = await import(join(FIXTURES, 'gguf.mjs'));
  writeModel(base, () => 1 / 258);
  now = Date.now();
});
afterAll(async () => {
  await session.close();
  await repository.dispose();
  await rm(home, { recursive: true, force: true });
});

function request(how: string, more: Partial<Settings> = {}, signal?: AbortSignal): TrainingRequest {
  return {
    session,
    settings: {
      ...defaultSettings,
      'learn.model': `gguf:${base}`,
      'learn.trainCommand': node('trainer.mjs', how),
      'learn.evaluateCommand': node('evaluator.mjs'),
      ...more,
    },
    rootDir: repository.dir,
    env: { SELFWARE_HOME: home, PATH: process.env.PATH },
    now: () => now,
    signal: signal ?? new AbortController().signal,
    note: () => undefined,
  };
}

const folder = () => resolveTrainingPlaces(repository.dir, { SELFWARE_HOME: home }).folder;
const inUse = () => readlink(join(folder(), 'current.gguf'));
test('the dataset holds kept, refused and told things, without secrets, and is the same twice', async () => {
  const { dataset, leftOut } = await session.training.dataset();
  expect(leftOut).toBe(0);
  expect((await session.training.dataset()).dataset).toEqual(dataset);
  // 112 of 130 were kept, and one more; what was said about held-out files is not told; the lessons are about two rules
  // at most.
  const kinds = [...dataset.train, ...dataset.heldOut].map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'kept')).toHaveLength(113);
  expect(kinds.filter((kind) => kind === 'lesson')).toHaveLength(1);
  expect(dataset.refused.length).toBeGreaterThan(0);
  expect(dataset.refused[0]).toMatchObject({ reason: expect.stringMatching(/^Not in part p-\d+$/) });
  const all = JSON.stringify(dataset);
  expect(all).toContain('src/secret.ts');
  expect(all).not.toContain(SECRET);
  const rejected = createDecidedChanges(130).filter(({ outcome }) => outcome === 'rejected');
  const told = rejected
    .filter(({ id }) => new RegExp(`Not in part ${id}\\b`).test(all))
    .map(({ edits }) => edits[0]!.path);
  expect(told).toEqual(rejected.map(({ edits }) => edits[0]!.path).filter((path) => !isHeldOut(path)));
  const [line] = dataset.files['train.jsonl'].split('\n');
  const { messages } = JSON.parse(dataset.train.find(({ kind }) => kind === 'kept') ? line! : '{}');
  expect(messages.at(-1).role).toBe('assistant');
});

test('an answer is right if it makes the kept change, wrong without edits that apply, and otherwise unknown', async () => {
  const { dataset } = await session.training.dataset();
  const example = dataset.train.find(({ kind }) => kind === 'kept')!;
  const lesson = [...dataset.train, ...dataset.heldOut].find(({ kind }) => kind === 'lesson')!;
  const other = example.answer.replace(/const total/g, 'var total');
  expect(other).not.toBe(example.answer);
  const replies = [example.answer, `Here it is:\n${example.answer}`, 'I would use const.', '', other];
  const rights: (boolean | null)[] = [];
  for (const reply of replies) {
    const answers = [{ id: example.id, reply, logProbability: null, tokens: null }];
    rights.push((await session.training.judge([example], answers, request('better')))[0]!.success);
  }
  // Nothing proves the last one: this change has no receipt of its tree.
  expect(rights).toEqual([true, true, false, false, null]);
  const told = [{ id: lesson.id, reply: lesson.answer, logProbability: null, tokens: null }];
  expect(await session.training.judge([lesson], told, request('better'))).toMatchObject([{ success: null }]);
});

test('trained, better, in use; a worse one is not, and nobody trains within the hour after it; rolled back', async () => {
  const first = await trainOnce(request('looks'));
  expect(first).toMatchObject({
    outcome: 'deployed',
    current: { perplexity: expect.closeTo(258, 3), success: null, bleu: null },
    comparison: { metric: 'perplexity', better: true },
  });
  expect(first.candidate!.perplexity).toBeLessThan(20);
  expect(await inUse()).toBe(join(folder(), 'models', first.training, 'model.gguf'));
  // A trainer is shown nothing of the held-out examples: neither a variable nor a file of that time.
  const log = await readFile(join(folder(), 'runs', first.training, 'train.log'), 'utf8');
  expect(log.trim()).toBe('');
  const trained = await readFile(join(folder(), 'runs', first.training, 'dataset', 'train.jsonl'), 'utf8');
  const { dataset } = await session.training.dataset();
  expect(dataset.heldOut.length).toBeGreaterThanOrEqual(10);
  for (const { answer } of dataset.heldOut) expect(trained).not.toContain(JSON.stringify(answer));
  const state = await session.training.state(null);
  expect(state).toMatchObject({
    currentModel: first.training,
    previousModel: null,
    learningsSinceTraining: 0,
    improvementScore: first.comparison!.gain,
  });

  now += 1.5 * HOUR;
  const second = await trainOnce(request('worse'));
  expect(second).toMatchObject({ outcome: 'rejected', comparison: { better: false } });
  expect(second.current!.perplexity).toBeCloseTo(first.candidate!.perplexity!, 6);
  expect(await inUse()).toBe(join(folder(), 'models', first.training, 'model.gguf'));
  expect(await readdir(join(folder(), 'models'))).toEqual([first.training]);
  now = Date.now() + HOUR - 60_000;
  await expect(trainOnce(request('better'))).rejects.toMatchObject({ reason: 'forbidden' });

  const back = await rollBackModel(request('better'));
  expect(back).toMatchObject({ model: first.training, to: null });
  expect(await inUse()).toBe(base);
  await expect(rollBackModel(request('better'))).rejects.toMatchObject({ reason: 'notFound' });
  expect((await session.training.state(null)).currentModel).toBeNull();
});

test('a consent that is withdrawn meanwhile keeps the next command from starting', async () => {
  now = Date.now() + 2 * HOUR;
  let checks = 0;
  const requireAgreed = async () => {
    checks += 1;
    if (checks > 1) throw new SelfwareError('forbidden', 'Withdrawn.');
  };
  const result = await trainOnce({ ...request('better'), requireAgreed });
  expect(result).toMatchObject({ outcome: 'failed', reason: 'Withdrawn.' });
  expect(checks).toBe(2);
  expect(await readdir(join(folder(), 'runs', result.training))).not.toContain('train.log');
});

test.each([
  ['crash', /code 3\. It printed last: CUDA out of memory/],
  ['garbage', /not a GGUF file/],
  ['nothing', /wrote 0 of them/],
  ['cut', /The evaluator failed.*is cut off/s],
  ['endless', /more than learn.modelGigabytes allows/],
])('a trainer that ends in %s changes nothing, and says why', async (how, reason) => {
  now = Date.now() + 2 * HOUR;
  const result = await trainOnce(request(how, { 'learn.modelGigabytes': 0.02 }));
  expect(result).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(reason), comparison: null });
  expect(await inUse()).toBe(base);
  expect((await readdir(join(folder(), 'models'))).includes(result.training)).toBe(false);
  expect((await session.training.state(null)).trainingRuns.at(-1)).toMatchObject({ outcome: 'failed' });
});

/** The request, as if its process were killed right before it records such an event. */
function killedBefore(type: TrainingEvent['type']): TrainingRequest {
  const record = async (event: TrainingEvent) => {
    if (event.type === type) throw new Error('killed');
    await session.training.record(event);
  };
  return { ...request('better'), session: { training: { ...session.training, record } } };
}

test('a training that is killed around its deployment leaves the model of the ledger in use', async () => {
  now = Date.now() + 2 * HOUR;
  const models = await readdir(join(folder(), 'models')).catch(() => []);
  await expect(trainOnce(killedBefore('modelDeployed'))).rejects.toThrow('killed');
  expect(await inUse()).toBe(base);
  await expect(trainOnce(killedBefore('trainingEnded'))).rejects.toThrow('killed');
  const { currentModel } = await session.training.state(null);
  expect(await inUse()).toBe(join(folder(), 'models', currentModel!, 'model.gguf'));
  // The next training removes what the first left, and not the model in use.
  expect((await trainOnce(request('crash'))).outcome).toBe('failed');
  expect(await readdir(join(folder(), 'models'))).toEqual([...models, currentModel].toSorted());
  // Another base has no trained model, and going back takes nothing but the home of the models.
  const other = join(home, 'other.gguf');
  await copyFile(base, other);
  await expect(rollBackModel(request('better', { 'learn.model': `gguf:${other}` }))).rejects.toMatchObject({
    reason: 'notFound',
  });
  const unset = request('better', { 'learn.trainCommand': '', 'learn.evaluateCommand': '' });
  expect(await rollBackModel(unset)).toMatchObject({ model: currentModel, to: null });
});

test('an evaluator that fails is noticed before the trainer runs, and afterwards the result is kept', async () => {
  now = Date.now() + 2 * HOUR;
  const failing = (on: string) => `case "$SELFWARE_RESULTS" in *${on}.jsonl) exit 7;; esac; ${node('evaluator.mjs')}`;
  const filesOf = (training: string) => readdir(join(folder(), 'runs', training));
  const early = await trainOnce(request('better', { 'learn.evaluateCommand': failing('current') }));
  expect(early).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('The evaluator failed') });
  expect(await filesOf(early.training)).not.toContain('train.log');

  const late = await trainOnce(request('better', { 'learn.evaluateCommand': failing('candidate') }));
  expect(late).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('The trained model is kept') });
  expect(await filesOf(late.training)).toEqual(expect.arrayContaining(['train.log', 'output']));
  // A trainer of another training sees no held-out examples either.
  expect(await filesOf(late.training)).not.toContain('heldout.jsonl');

  const next = await trainOnce(request('better'));
  expect(next).toMatchObject({ outcome: 'deployed' });
  expect(await filesOf(next.training)).not.toContain('train.log');
  for (const { training } of [late, next]) expect(await filesOf(training)).not.toContain('output');
  await rollBackModel(request('better'));
});

test('a question that fails is unknown; several in a row mean that the model cannot be asked', async () => {
  const { dataset } = await session.training.dataset();
  const examples = dataset.train.filter(({ kind }) => kind === 'kept').slice(0, 6);
  const refused = 'key refused';
  const replies = async (manners: readonly Manner[]) => {
    await using peer = await createPeer('ollama', manners);
    const asked = await session.training.ask(`ollama:m@${peer.url}`, examples, request('better'));
    return asked.map(({ reply }) => reply !== null);
  };
  const some: readonly Manner[] = [refused, 'fine', refused, refused, 'fine'];
  expect(await replies(some)).toEqual([false, true, false, false, true, true]);
  await expect(replies([refused])).rejects.toMatchObject({ reason: 'unavailable' });
});

test('nothing is trained or judged while Selfware is stopped, and stopping ends a training', async () => {
  now = Date.now() + 2 * HOUR;
  const { heldOut } = (await session.training.dataset()).dataset;
  const answers = heldOut.map(({ id, answer: reply }) => ({ id, reply, logProbability: null, tokens: null }));
  let hanging: ReturnType<typeof trainOnce> | undefined;
  await new Promise<void>((resolve) => {
    hanging = trainOnce({ ...request('hang'), note: (text) => text.startsWith('Training') && resolve() });
    hanging.catch(() => resolve());
  });
  await session.stop();
  try {
    expect(await hanging).toMatchObject({ outcome: 'cancelled', reason: expect.stringContaining('is stopped') });
    const refusal = { reason: 'forbidden', message: expect.stringContaining('is stopped') };
    await expect(trainOnce(request('better'))).rejects.toMatchObject(refusal);
    await expect(serveTraining(request('better'), () => undefined)).rejects.toMatchObject(refusal);
    await expect(session.training.judge(heldOut, answers, request('better'))).rejects.toMatchObject(refusal);
  } finally {
    await session.resume();
  }
});

test('a trainer that hangs ends with the run, and a second one is refused meanwhile', async () => {
  now = Date.now() + 2 * HOUR;
  const ending = new AbortController();
  let hanging: ReturnType<typeof trainOnce> | undefined;
  await new Promise<void>((resolve) => {
    hanging = trainOnce({
      ...request('hang', {}, ending.signal),
      note: (text) => text.startsWith('Training') && resolve(),
    });
    hanging.catch(() => resolve());
  });
  await expect(trainOnce(request('better'))).rejects.toMatchObject({ reason: 'locked' });
  ending.abort();
  expect(await hanging).toMatchObject({ outcome: 'cancelled' });
});

test('what is missing is named before anything runs', async () => {
  const refusal = (more: Partial<Settings>) =>
    trainOnce(request('better', more)).then(
      () => 'trained',
      (error: unknown) => String(error),
    );
  expect(await refusal({ 'learn.model': '' })).toContain('No model is set');
  expect(await refusal({ 'learn.model': 'openai:gpt' })).toContain('cannot be trained here');
  expect(await refusal({ 'learn.model': 'gguf:/nowhere.gguf' })).toContain('There is no model at /nowhere.gguf');
  expect(await refusal({ 'learn.trainCommand': '' })).toContain('Set learn.trainCommand');
  expect(await refusal({ 'learn.evaluateCommand': '' })).toContain('or set learn.evaluateCommand');
});

test('a trigger says whether a training runs, and why none does', async () => {
  now = Date.now() + 4 * HOUR;
  const ending = new AbortController();
  const port = await freePort();
  const asked = request('better', { 'learn.port': port, 'learn.afterLearnings': 1e6 }, ending.signal);
  const nothing = { ...session.training, dataset: async () => ({ dataset: createDataset([]), leftOut: 0 }) };
  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  const serving = serveTraining({ ...asked, session: { training: nothing }, note }, () => undefined);
  await Promise.race([expect.poll(() => notes.join()).toContain('Status and trigger'), serving]);
  const token = (await readFile(join(home, 'metrics-token'), 'utf8')).trim();
  const send = async () => {
    const address = `http://127.0.0.1:${port}/api/v1/genesis/improvement/trigger`;
    const reply = await fetch(address, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    return { status: reply.status, body: (await reply.json()) as unknown };
  };
  const refused = { running: false, error: expect.stringContaining('Too little was learned') };
  expect(await send()).toEqual({ status: 409, body: refused });
  for (const { status } of await Promise.all([send(), send()])) expect(status).toBe(409);
  ending.abort();
  await serving;
});

test('a service answers on the loopback, trains when it is told to, and refuses a second training', async () => {
  now = Date.now() + 4 * HOUR;
  const ending = new AbortController();
  const port = await freePort();
  const asked = request('better', { 'learn.port': port, 'learn.afterLearnings': 1e6 }, ending.signal);
  const notes: string[] = [];
  const results: TrainingResult[] = [];
  const serving = serveTraining({ ...asked, note: (text) => notes.push(text) }, (result) => results.push(result));
  await Promise.race([expect.poll(() => notes.join()).toContain('Status and trigger'), serving]);
  const token = (await readFile(join(home, 'metrics-token'), 'utf8')).trim();
  const send = (path: string, method = 'GET', authorization = `Bearer ${token}`) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { authorization } });
  const [status, trigger] = ['status', 'trigger'].map((name) => `/api/v1/genesis/improvement/${name}`);

  expect((await send(status!, 'GET', 'Bearer guess')).status).toBe(401);
  expect((await send(trigger!, 'POST', 'Bearer guess')).status).toBe(401);
  expect((await send(trigger!)).status).toBe(405);
  expect(await (await send(status!)).json()).toMatchObject({ running: false, currentModel: null });
  expect(results).toEqual([]);

  expect((await send(trigger!, 'POST')).status).toBe(202);
  expect((await send(trigger!, 'POST')).status).toBe(409);
  await expect.poll(() => results).toMatchObject([{ outcome: 'deployed' }]);
  expect(await (await send(status!)).json()).toMatchObject({ running: false, currentModel: expect.any(String) });
  expect(await (await send('/metrics')).text()).toMatch(/genesis_improvements_deployed_total 4\n/);
  await session.stop();
  const stopped = await send(trigger!, 'POST');
  await session.resume();
  expect([stopped.status, await stopped.text()]).toEqual([409, expect.stringContaining('is stopped')]);
  ending.abort();
  await serving;
  expect((await session.training.state(null)).lastCheckTime).not.toBeNull();
});

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
