// A list of proposers: if one gives no answer, the next is asked, and later questions begin with the one that answered.

import { expect, test } from 'vitest';
import { askForProposal } from '../../../server/src/core/session/ask/askForProposal.ts';
import { parseProposerNames } from '../../../server/src/core/proposers/names.ts';
import { formatSentDataNotice } from '../../../server/src/core/proposers/sentDataNotice.ts';
import type { EditorModels } from '../../../server/src/core/ports/editorModels.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { createProposers } from '../../../server/src/adapters/models/proposers.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createPeer, type Manner, type Peer } from '../../adapters/models/peer.ts';
import { createSessionWorld, type SessionWorld } from '../../helpers/memorySessionPorts.ts';

const FILES = { 'src/rate.ts': 'export function rate(value: number): number {\n  return value / 100;\n}\n' };
const operation = () => ({ signal: new AbortController().signal });
const request = (proposer: string) => ({ task: { words: 'Make src/rate.ts exact' }, proposer, verify: false });

/** A session whose proposers speak to real servers. */
function sessionIn(
  world: SessionWorld,
  settings: Partial<Settings> = {},
  editorModels?: EditorModels,
): Promise<Session> {
  const proposers = createProposers({ rootDir: world.tree.rootDir, env: {}, editorModels });
  // Connections end by the clock of this machine.
  world.clock.advance(Date.now() - world.clock.now());
  return world.session({ settings, change: () => ({ proposers }) });
}

const nameOf = ({ url }: Peer) => `openai-compatible:m@${url}`;
const askedIn = async (session: Session) =>
  (await session.ledger.query({ types: ['asked'] })).map(
    ({ data }) => (data as { readonly proposer: string }).proposer,
  );

test.each<[Manner, RegExp]>([
  ['key refused', /HTTP 401/],
  ['cut', /gave no answer/],
])('a server that is %s is followed by the next, which stays the first one to be asked', async (manner, reason) => {
  await using world = await createSessionWorld(FILES);
  await using bad = await createPeer('openai', [manner]);
  await using good = await createPeer('openai', ['fine']);
  const session = await sessionIn(world);
  const list = `${nameOf(bad)}, ${nameOf(good)}`;
  await askForProposal(session, request(list), operation());
  // The person reads who answered, and why.
  const told = (await session.status()).notices.filter(({ message }) => message.includes('was asked instead'));
  expect(told).toMatchObject([{ severity: 'info', message: expect.stringMatching(reason) }]);
  expect(told[0]!.message).toContain(nameOf(good));
  // The first question went to both; each later one to the second alone.
  expect([bad.requests.length, good.requests.length]).toEqual([1, 3]);
  expect((await askedIn(session)).slice(0, 3)).toEqual([nameOf(bad), nameOf(good), nameOf(good)]);
});

test('if all fail, each reason is told', async () => {
  await using world = await createSessionWorld(FILES);
  await using one = await createPeer('openai', ['key refused']);
  await using other = await createPeer('openai', ['page']);
  const session = await sessionIn(world);
  const { refusals } = await askForProposal(session, request(`${nameOf(one)},${nameOf(other)}`), operation());
  expect(refusals).toHaveLength(1);
  expect(refusals[0]).toMatch(/HTTP 401.*gave no answer/s);
});

test('whoever may not be asked does not become the first of a list, and why the others failed is told with it', async () => {
  await using world = await createSessionWorld(FILES);
  await using first = await createPeer('openai', ['cut', 'fine']);
  await using unpriced = await createPeer('openai', ['fine']);
  const session = await sessionIn(world, {
    'models.prices': { [nameOf(first)]: { input: 0, output: 0 } },
    'models.costPerRun': 5,
  });
  const list = `${nameOf(first)},${nameOf(unpriced)}`;
  const { refusals } = await askForProposal(session, request(list), operation());
  expect(refusals).toEqual([expect.stringMatching(/gave no answer.*models\.prices/s)]);
  await askForProposal(session, request(list), operation());
  expect([first.requests.length, unpriced.requests.length]).toEqual([4, 0]);
});

test('under a limit of money, a proposer without a price is passed over, and the next one is asked', async () => {
  await using world = await createSessionWorld(FILES);
  await using unpriced = await createPeer('openai', ['fine']);
  await using priced = await createPeer('openai', ['fine']);
  const session = await sessionIn(world, {
    'models.prices': { [nameOf(priced)]: { input: 0, output: 0 } },
    'models.costPerRun': 5,
  });
  const list = `${nameOf(unpriced)},${nameOf(priced)}`;
  await askForProposal(session, { ...request(list), ignoresEarlier: true }, operation());
  expect(unpriced.requests.length).toBe(0);
  const asked = await session.ledger.query({ types: ['asked'] });
  expect(asked[0]!.data).toMatchObject({ proposer: nameOf(priced), fresh: true });
});

test('a model whose limit cannot be read gives no answer, so the next one is asked; a fresh start stays one', async () => {
  await using world = await createSessionWorld(FILES);
  await using good = await createPeer('openai', ['fine']);
  const off = async () => {
    throw new SelfwareError('forbidden', 'AI features are switched off.');
  };
  const session = await sessionIn(world, {}, { list: off, ask: off });
  await session.consents.agree({ destination: 'the provider of the model, acme', sends: ['excerpts'] });
  const list = `editor:acme/small,${nameOf(good)}`;
  await askForProposal(session, { ...request(list), ignoresEarlier: true }, operation());
  const asked = await session.ledger.query({ types: ['asked'] });
  expect(asked.map(({ data }) => data)).toMatchObject([
    { proposer: nameOf(good), fresh: true },
    { proposer: nameOf(good) },
    { proposer: nameOf(good) },
  ]);
  await expect(askForProposal(session, request('editor:acme/small'), operation())).rejects.toMatchObject({
    message: 'AI features are switched off.',
  });
});

test('code goes to no destination of a list before a person has agreed to each', async () => {
  await using world = await createSessionWorld(FILES);
  await using here = await createPeer('openai', ['fine']);
  const session = await sessionIn(world);
  const list = `${nameOf(here)},openai-compatible:m@https://a.example/v1,openai-compatible:m@https://b.example/v1`;
  const needed: (string | null)[] = [];
  for (const host of ['a.example', 'b.example']) {
    needed.push((await session.consents.needed(list))?.destination ?? null);
    await expect(askForProposal(session, request(list), operation())).rejects.toMatchObject({ reason: 'forbidden' });
    await session.consents.agree({ destination: host, sends: ['excerpts'] });
  }
  expect(needed).toEqual(['a.example', 'b.example']);
  expect(await session.consents.needed(list)).toBeNull();
  expect(here.requests).toEqual([]);
});

test('a limit of money stops before it is exceeded, holds after a restart, and needs a price', async () => {
  await using world = await createSessionWorld(FILES);
  await using peer = await createPeer('openai', ['fine']);
  // 7 tokens to ask and 5 to answer, as the server counts: 7 × 1,000 + 5 × 10,000 a million = 0.057.
  const prices = { 'openai-compatible:*': { input: 1_000, output: 10_000 } };
  // A question of some 1,000 estimated tokens is put aside for before it is sent.
  const settings = { 'models.prices': prices, 'models.costPerDay': 0.9, 'models.replyTokens': 256 };
  const first = await sessionIn(world, settings);
  await askForProposal(first, request(nameOf(peer)), operation());
  expect(peer.requests.length).toBeGreaterThan(0);
  for (let call = 0; call < 6; call += 1) {
    const again = await sessionIn(world, settings);
    const words = { ...request(nameOf(peer)), task: { words: `Make src/rate.ts exact, ${call}` } };
    await askForProposal(again, words, operation());
  }
  const spent = peer.requests.length * 0.057;
  expect(spent).toBeLessThanOrEqual(0.9);
  const asked = peer.requests.length;
  const last = await askForProposal(await sessionIn(world, settings), request(nameOf(peer)), operation());
  expect(last.stops.join()).toMatch(/are spent since yesterday/);
  expect(peer.requests.length).toBe(asked);
  // Each question told the server how long an answer may be, so that the rest of the money suffices.
  const longest = peer.requests.map(({ body }) => (JSON.parse(body) as { readonly max_tokens: number }).max_tokens);
  expect(Math.max(...longest) * 0.01).toBeLessThanOrEqual(0.9);

  const unpriced = await sessionIn(world, { 'models.costPerRun': 1 });
  const wish = { ...request(nameOf(peer)), task: { words: 'Something else' } };
  expect((await askForProposal(unpriced, wish, operation())).stops.join()).toContain('models.prices');
  expect(peer.requests.length).toBe(asked);
});

test.each([
  ['ollama:a', ['ollama:a']],
  ['ollama:a,openai:b', ['ollama:a', 'openai:b']],
  ['ollama:a , openai:b', ['ollama:a', 'openai:b']],
  ['mailbox:/x/a,b', ['mailbox:/x/a,b']],
  ['ollama:a,ollama:a', ['ollama:a']],
])('%s names %j', (list, names) => {
  expect(parseProposerNames(list)).toEqual(names);
});

test('what is sent is told for each kind in a list', () => {
  expect(formatSentDataNotice('ollama:a,agent:codex', false)).toContain('Each question holds source files');
  expect(formatSentDataNotice('ollama:a,agent:codex', false)).toContain('It works in a copy');
  // An agent's own settings may send the key of one provider to the host of another.
  expect(formatSentDataNotice('agent:opencode', false)).toContain('decide which of these hosts gets which of them');
  expect(formatSentDataNotice('ollama:a', false)).not.toMatch(/It works in a copy|other repositories/);
  expect(formatSentDataNotice('ollama:a', true)).toContain('code of other repositories on this machine');
});

test('a failed proposer counts as an attempt even if the budget then ends before the next one is asked', async () => {
  await using world = await createSessionWorld(FILES);
  await using cut = await createPeer('openai', ['cut']);
  await using other = await createPeer('openai', ['fine']);
  const session = await sessionIn(world, { 'models.tokensPerTask': 800 });
  const asked = await askForProposal(session, request(`${nameOf(cut)},${nameOf(other)}`), operation());
  expect([cut.requests.length, other.requests.length]).toEqual([1, 0]);
  expect(asked.refusals).toEqual([expect.stringMatching(/gave no answer.*models\.tokensPerTask/s)]);
  expect(asked.stops).toEqual([]);
});
