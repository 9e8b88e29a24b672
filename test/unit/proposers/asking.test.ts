// From a question to a filed proposal, with a proposer of the tests and a whole session in memory.

import { expect, test } from 'vitest';
import { askForProposal } from '../../../server/src/core/session/ask/askForProposal.ts';
import type { Proposer, ProposerRequest } from '../../../server/src/core/ports/proposers.ts';
import type { Session } from '../../../server/src/core/session.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createSessionWorld, type SessionWorld } from '../../helpers/memorySessionPorts.ts';

const FILES = {
  'src/rate.ts': 'export function rate(value: number): number {\n  const unused = 1;\n  return value / 100;\n}\n',
  'test/rate.test.ts': "import { rate } from '../src/rate.ts';\nif (rate(100) !== 1) throw new Error();\n",
  'CHANGELOG.md': '# rate\n\nrate rate rate\n',
};
const operation = () => ({ signal: new AbortController().signal });
const edit = (search: string, replace: string, file = 'src/rate.ts') =>
  JSON.stringify({ description: 'A better rate', edits: [{ file, search, replace }] });

interface Scripted {
  readonly session: Session;
  readonly asked: readonly ProposerRequest[];
  readonly opened: readonly string[];
}

/** Answers with these texts, one after the other; an error is thrown. */
async function scripted(
  world: SessionWorld,
  replies: readonly (string | Error)[],
  {
    settings = {},
    destination = null,
    finished = true,
    most,
  }: { settings?: Partial<Settings>; destination?: string | null; finished?: boolean; most?: number } = {},
): Promise<Scripted> {
  const asked: ProposerRequest[] = [];
  const opened: string[] = [];
  const proposer = (name: string): Proposer => ({
    name,
    destination,
    ...(most === undefined ? {} : { maxQuestionTokens: async () => most }),
    async ask(request) {
      asked.push(request);
      const reply = replies[asked.length - 1] ?? 'I do not know.';
      if (reply instanceof Error) throw reply;
      return {
        text: reply,
        finished,
        model: 'scripted-1',
        usage: { input: 100, output: 10, cached: 0, estimated: false },
      };
    },
  });
  const open = (name: string) => {
    opened.push(name);
    return proposer(name);
  };
  const session = await world.session({ settings, change: () => ({ proposers: { open, list: async () => [] } }) });
  return { session, asked, opened };
}

const request = { task: { words: 'Make rate in src/rate.ts exact' }, proposer: 'scripted', verify: false };

test('a reply becomes a proposal by a language model, which claims what was asked for', async () => {
  await using world = await createSessionWorld(FILES);
  const { session, asked } = await scripted(world, [edit('value / 100', 'value * 0.01')]);
  const { proposal, usage, models } = await askForProposal(session, request, operation());
  expect(proposal).toMatchObject({
    title: 'The model says: “A better rate”',
    author: 'model',
    claimed: 'request',
    status: 'proposed',
  });
  expect(proposal?.edits[0]?.after).toContain('value * 0.01');
  expect([usage.input, usage.output, models]).toEqual([100, 10, ['scripted-1']]);
  expect(asked[0]?.messages.at(-1)?.content).toContain('return value / 100;');
  expect(asked[0]?.messages.at(-1)?.content).not.toContain('CHANGELOG');
});

test('a question that is left is no attempt; once it is answered, the same request goes on', async () => {
  await using world = await createSessionWorld(FILES);
  const answered = new Set<string>();
  const left: string[] = [];
  const proposer: Proposer = {
    name: 'later',
    destination: null,
    async fileQuestion({ id }) {
      if (answered.has(id)) return null;
      left.push(id);
      return `requests/${id}.json`;
    },
    ask: async () => ({ text: edit('value / 100', 'value * 0.01'), finished: true, model: null, usage: null }),
  };
  const session = await world.session({
    change: () => ({ proposers: { open: () => proposer, list: async () => [] } }),
  });
  const count = async () => (await session.ledger.query({ types: ['asked', 'answered'] })).length;
  const first = await askForProposal(session, request, operation());
  expect(first).toMatchObject({ proposal: null, leftAt: [`requests/${left[0]}.json`] });
  expect(first.stops).toEqual([
    `The question is in requests/${left[0]}.json. Once it is answered, run the same command again.`,
  ]);
  // It waits for as long as it likes.
  for (let run = 0; run < 12; run += 1) await askForProposal(session, request, operation());
  expect([new Set(left).size, await count()]).toEqual([1, 0]);
  answered.add(left[0]!);
  const second = await askForProposal(session, request, operation());
  expect(second).toMatchObject({ proposal: { status: 'proposed', author: 'model' }, refusals: [], leftAt: [] });
  expect(await count()).toBe(2);
});

test('a malformed answer to a question that was left is a failure of its proposer, and not the end of a run', async () => {
  await using world = await createSessionWorld(FILES);
  const proposer: Proposer = {
    name: 'later',
    destination: null,
    async fileQuestion() {
      throw new SelfwareError('unavailable', 'replies/1.json cannot be read.');
    },
    ask: async () => ({ text: '', finished: true, model: null, usage: null }),
  };
  const session = await world.session({
    change: () => ({ proposers: { open: () => proposer, list: async () => [] } }),
  });
  const { proposal, refusals } = await askForProposal(session, request, operation());
  expect([proposal, refusals]).toEqual([null, [expect.stringContaining('replies/1.json cannot be read.')]]);
});

test('a file that the question did not show is not replaced; one that it showed is', async () => {
  await using world = await createSessionWorld(FILES);
  const whole = (file: string) => JSON.stringify({ description: 'New', edits: [{ file, content: '# new\n' }] });
  const { session } = await scripted(world, [whole('CHANGELOG.md'), whole('src/rate.ts')]);
  const { proposal, refusals } = await askForProposal(session, request, operation());
  expect(refusals).toEqual([
    'CHANGELOG.md exists already and was not shown; add to it with "append", or name a new file.',
  ]);
  expect(proposal?.edits.map(({ path }) => path)).toEqual(['src/rate.ts']);
});

test('an answer does not change an accepted test, even if it is in the tree already', async () => {
  await using world = await createSessionWorld(FILES);
  const path = 'test/rate.test.ts';
  const edits = [
    { file: path, search: 'rate(100) !== 1', replace: 'rate(100) !== 2' },
    { file: 'src/rate.ts', search: 'value / 100', replace: 'value * 0.01' },
  ];
  const { session } = await scripted(world, [JSON.stringify({ description: 'A better rate', edits })]);
  const task = { ...request.task, acceptance: [{ path, before: null, after: FILES[path] }] };
  const { proposal } = await askForProposal(session, { ...request, task }, operation());
  expect(proposal?.edits.map((one) => one.path)).toEqual(['src/rate.ts']);
});

test('the attempt is recorded before it starts, and what came of it after', async () => {
  await using world = await createSessionWorld(FILES);
  let before: readonly string[] = [];
  const { session } = await scripted(world, [new SelfwareError('unavailable', 'No server.')]);
  const types = async () => (await session.ledger.query({ types: ['asked', 'answered'] })).map(({ type }) => type);
  before = await types();
  const { proposal, refusals } = await askForProposal(session, request, operation());
  expect([before, await types()]).toEqual([[], ['asked', 'answered']]);
  expect([proposal, refusals]).toEqual([null, ['No server.']]);
});

test('why an answer was not usable is told to the next question; three are asked', async () => {
  await using world = await createSessionWorld(FILES);
  const { session, asked } = await scripted(world, ['No idea.', edit('value / 12', 'x'), edit('nowhere', 'x')]);
  const { proposal, refusals } = await askForProposal(session, request, operation());
  expect(proposal).toBeNull();
  expect(refusals).toHaveLength(3);
  expect(asked[1]?.messages.at(-1)?.content).toContain('no edit in a notation');
  expect(asked[2]?.messages.at(-1)?.content).toContain('Correct what was wrong');
  expect(asked[0]?.messages[0]).toEqual(asked[2]?.messages[0]);
});

test('a question fits what its model can read; a model that cannot read even the task is not asked', async () => {
  await using world = await createSessionWorld({ ...FILES, 'src/long.ts': 'export const rate = 1;\n'.repeat(2000) });
  const wish = { ...request, task: { words: 'Make rate in src/long.ts and src/rate.ts exact' } };
  const tokens = ({ messages }: ProposerRequest) =>
    messages.reduce((sum, { content }) => sum + content.length / 3.5, 0);
  const large = await scripted(world, []);
  await askForProposal(large.session, wish, operation());
  expect(tokens(large.asked[0]!)).toBeGreaterThan(10_000);
  const small = await scripted(world, [], { most: 4_000 });
  await askForProposal(small.session, { ...wish, ignoresEarlier: true }, operation());
  expect(small.asked).toHaveLength(3);
  for (const asked of small.asked) expect(tokens(asked)).toBeLessThanOrEqual(4_000);
  expect(small.asked[0]?.messages.at(-1)?.content).toContain('The rest of this file is not shown');
  const tiny = await scripted(world, [], { most: 200 });
  const { refusals, stops } = await askForProposal(tiny.session, { ...wish, ignoresEarlier: true }, operation());
  expect([tiny.asked.length, refusals, stops]).toEqual([0, [], [expect.stringContaining('reads at most 200')]]);
});

test('after nine attempts nobody is asked until a person begins anew', async () => {
  await using world = await createSessionWorld(FILES);
  const { session, asked } = await scripted(world, []);
  for (let call = 0; call < 3; call += 1) await askForProposal(session, request, operation());
  expect(asked).toHaveLength(9);
  expect(asked[3]?.messages.at(-1)?.content).toContain('another approach');
  const { refusals, stops, intervention } = await askForProposal(session, request, operation());
  expect([asked.length, refusals]).toEqual([9, []]);
  expect(stops).toEqual([expect.stringContaining('9 attempts have failed')]);
  expect(intervention).toContain('waits for you after 9 attempts');
  expect(await session.failedTasks.interventions('another task')).toEqual([]);
  // The same is a notice, once, and says what was learned and what could be corrected.
  const [waiting, ...others] = await session.failedTasks.interventions();
  expect(others).toEqual([]);
  expect(waiting).toMatchObject({
    attempts: 9,
    learned: ['9 times: the answer held no edits that could be used.'],
    corrections: [expect.stringContaining('larger model')],
  });
  expect(waiting?.tried).toHaveLength(9);
  const notices = (await session.status()).notices.filter(({ message }) => message.includes('waits for you'));
  expect(notices).toMatchObject([{ severity: 'warning', action: expect.stringContaining('Try Again') }]);
  await askForProposal(session, { ...request, ignoresEarlier: true }, operation());
  expect(asked).toHaveLength(12);
});

test('whoever is asked is named before the answer begins', async () => {
  await using world = await createSessionWorld(FILES);
  const { session } = await scripted(world, []);
  const messages: string[] = [];
  await askForProposal(session, request, { ...operation(), report: ({ message }) => messages.push(message) });
  expect(messages.filter((message) => message === 'Asking scripted')).toHaveLength(3);
});

test('a request that waits for a person is named by its words', async () => {
  await using world = await createSessionWorld(FILES);
  const { session } = await scripted(world, []);
  const words = { task: { words: `Make\nit fast. ${'x'.repeat(200)}` }, proposer: request.proposer, verify: false };
  for (let call = 0; call < 3; call += 1) await askForProposal(session, words, operation());
  const notice = (await session.status()).notices.find(({ message }) => message.includes('waits for you'));
  expect(notice?.message).toMatch(/^The request “Make it fast\. x{60,70}…” waits for you after 9 attempts\./);
});

test('an answer that repeats refused edits is distinguished from one that holds no edits', async () => {
  await using world = await createSessionWorld(FILES);
  const replies = Array.from({ length: 18 }, () => edit('value / 100', 'value / ('));
  const { session } = await scripted(world, replies, { settings: { 'models.samples': 2 } });
  for (let call = 0; call < 3; call += 1) await askForProposal(session, request, operation());
  const [{ learned = [] } = {}] = await session.failedTasks.interventions();
  expect(learned[0]).toMatch(/^1\d times: the answer repeated edits that had been refused\.$/);
});

test('budgets hold across sessions', async () => {
  await using world = await createSessionWorld(FILES);
  const settings = { 'models.tokensPerDay': 1_500 };
  const first = await scripted(world, [], { settings });
  await askForProposal(first.session, request, operation());
  const spent = first.asked.length;
  const second = await scripted(world, [], { settings });
  for (let call = 0; call < 3; call += 1)
    await askForProposal(second.session, { ...request, task: { words: `Another wish ${call}` } }, operation());
  const { stops } = await askForProposal(second.session, { ...request, task: { words: 'More' } }, operation());
  expect(stops.at(-1)).toContain('models.tokensPerDay');
  expect((spent + second.asked.length) * 110).toBeLessThanOrEqual(1_500);
});

test('a reply that was cut is not used, whatever it holds', async () => {
  await using world = await createSessionWorld(FILES);
  const { session } = await scripted(world, [edit('value / 100', 'value * 0.01')], { finished: false });
  const { proposal, refusals } = await askForProposal(session, request, operation());
  expect([proposal, refusals[0]]).toEqual([null, expect.stringContaining('cut off')]);
});

test('code goes nowhere before a person has agreed', async () => {
  await using world = await createSessionWorld(FILES);
  const { session, asked } = await scripted(world, [edit('value / 100', 'value * 0.01')], {
    destination: 'example.org',
  });
  expect(await session.consents.needed('scripted')).toMatchObject({ destination: 'example.org' });
  await expect(askForProposal(session, request, operation())).rejects.toMatchObject({ reason: 'forbidden' });
  expect(asked).toEqual([]);
  await session.consents.agree({ destination: 'example.org', sends: ['excerpts'] });
  expect(await session.consents.needed('scripted')).toBeNull();
  expect((await askForProposal(session, request, operation())).proposal).not.toBeNull();
});

test('nothing is asked about an untrusted workspace', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session({ trusted: false });
  const { task } = request;
  await expect(session.questions.ask({ task, proposer: 'mailbox:/tmp/none', ...operation() })).rejects.toMatchObject({
    reason: 'untrusted',
  });
  await expect(session.questions.askNext({ proposer: 'mailbox:/tmp/none', ...operation() })).rejects.toMatchObject({
    reason: 'untrusted',
  });
  expect(world.sandbox.ran).toEqual([]);
});

test('secrets of a file are not sent', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  await using world = await createSessionWorld({
    ...FILES,
    'src/rate.ts': `const key = '${secret}';\n${FILES['src/rate.ts']}`,
  });
  const { session, asked } = await scripted(world, []);
  await askForProposal(session, request, operation());
  expect(JSON.stringify(asked)).toContain('redacted');
  expect(JSON.stringify(asked)).not.toContain(secret);
});

test.each([
  ['a path outside', JSON.stringify({ edits: [{ file: '../x.ts', content: 'x' }] }), /not a path within/],
  ['a protected file', JSON.stringify({ edits: [{ file: 'package.json', content: '{}' }] }), /protected|charter/i],
  ['nothing', JSON.stringify({ edits: [] }), /changes nothing/],
])('a reply that edits %s is refused', async (_what, reply, reason) => {
  await using world = await createSessionWorld(FILES);
  const { session } = await scripted(world, [reply]);
  const { proposal, refusals } = await askForProposal(session, request, operation());
  expect([proposal, refusals[0]]).toEqual([null, expect.stringMatching(reason)]);
});

test('an opportunity is shown with its file, and is named', async () => {
  await using world = await createSessionWorld(FILES);
  const { session, asked } = await scripted(world, [edit('  const unused = 1;\n', '')]);
  await session.analysis.analyse(operation());
  const [found] = (await session.opportunities.listWithHidden()).shown;
  const { proposal } = await askForProposal(session, { ...request, task: { opportunity: found!.id } }, operation());
  expect(asked[0]?.task).toMatchObject({ kind: 'opportunity', opportunity: found!.id, path: 'src/rate.ts' });
  expect(asked[0]?.messages.at(-1)?.content).toContain('# Files to change\n\n## src/rate.ts');
  expect(proposal?.edits[0]?.after).not.toContain('unused');
});

test('an opportunity that is not there', async () => {
  await using world = await createSessionWorld(FILES);
  const { session } = await scripted(world, []);
  const task = { opportunity: 'none' };
  await expect(askForProposal(session, { ...request, task }, operation())).rejects.toMatchObject({
    reason: 'notFound',
  });
});

test('an agent is shown no file but their names, and what it has changed is a proposal by an agent', async () => {
  await using world = await createSessionWorld(FILES);
  const asked: ProposerRequest[] = [];
  const before = FILES['src/rate.ts'];
  const answers = [
    { refused: 'Not everything that it changed can be taken: a is a link.' },
    { edits: [{ path: 'src/rate.ts', before, after: before.replace('value / 100', 'value * 0.01') }] },
  ];
  const open = (name: string): Proposer => ({
    name,
    destination: null,
    hasTree: true,
    async ask(one) {
      asked.push(one);
      // Its text is never read for edits.
      const text = asked.length === 1 ? edit('value / 100', 'value') : 'An exact rate.';
      return { text, finished: true, model: null, usage: null, ...answers[asked.length - 1] };
    },
  });
  const session = await world.session({ change: () => ({ proposers: { open, list: async () => [] } }) });
  const { proposal, refusals } = await askForProposal(session, request, operation());
  expect(proposal).toMatchObject({ title: 'The agent says: “An exact rate.”', author: 'agent', claimed: 'request' });
  expect(proposal?.edits[0]?.after).toContain('value * 0.01');
  expect(refusals).toEqual(['Not everything that it changed can be taken: a is a link.']);
  expect(asked[0]?.messages).toHaveLength(1);
  expect(asked[0]?.messages[0]?.content).toContain('- src/rate.ts');
  expect(asked[0]?.messages[0]?.content).not.toContain('value / 100');
  expect(asked[1]?.messages[0]?.content).toContain('a is a link');
  const answered = await session.ledger.query({ types: ['answered'] });
  expect(answered.map(({ data }) => (data as { format: unknown }).format)).toEqual([null, 'tree']);
});

test.each([
  ['a protected file', { path: 'package.json', before: null, after: '{}' }, /protected|charter/i],
  ['a file that has changed meanwhile', { path: 'src/rate.ts', before: 'old', after: 'new' }, /do not start from/],
])('an agent that edits %s is refused', async (_what, change, reason) => {
  await using world = await createSessionWorld(FILES);
  const open = (name: string): Proposer => ({
    name,
    destination: null,
    hasTree: true,
    ask: async () => ({ text: '', finished: true, model: null, usage: null, edits: [change] }),
  });
  const session = await world.session({ change: () => ({ proposers: { open, list: async () => [] } }) });
  const { proposal, refusals } = await askForProposal(session, request, operation());
  expect([proposal, refusals[0]]).toEqual([null, expect.stringMatching(reason)]);
});

test('an answer about a place claims what was asked for if its rule finds less and the points do not tell', async () => {
  const text = 'export function head(text: string): string {\n  return text.substr(0, 3);\n}\n';
  await using world = await createSessionWorld({ ...FILES, 'src/head.ts': text });
  const { session } = await scripted(world, [
    edit('text.substr(0, 3)', 'text.slice(0, 3)', 'src/head.ts'),
    edit('text.substr(0, 3)', "text.substr(0, 3) + ''", 'src/head.ts'),
  ]);
  await session.analysis.analyse(operation());
  const place = (await session.opportunities.shown()).find(({ rule }) => rule === 'legacy-call');
  const about = { ...request, task: { opportunity: place!.id } };
  expect((await askForProposal(session, about, operation())).proposal?.claimed).toBe('request');
  expect((await askForProposal(session, about, operation())).proposal?.claimed).toBeUndefined();
});
