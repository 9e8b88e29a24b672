// An answer that fails after it has begun is paid for: its whole limit counts, in tokens and in money.

import { expect, test } from 'vitest';
import { askForProposal } from '../../../server/src/core/session/ask/askForProposal.ts';
import type { AnsweredData, AskedData } from '../../../server/src/core/model/asks.ts';
import { computeAccount, type AskEvent } from '../../../server/src/core/proposers/accounts.ts';
import type { Proposer } from '../../../server/src/core/ports/proposers.ts';
import { createProposers } from '../../../server/src/adapters/models/proposers.ts';
import type { Progress } from '../../../server/src/core/operation.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { estimateTokens } from '../../../server/src/util/tokens.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createPeer } from '../../adapters/models/peer.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const FILES = { 'src/rate.ts': 'export function rate(value: number): number {\n  return value / 100;\n}\n' };
const LIMIT = 256;
/** An answer costs 10,000 a million tokens, a question nothing. */
const settings = { 'models.prices': { '*': { input: 0, output: 10_000 } }, 'models.replyTokens': LIMIT };
const request = (proposer: string) => ({ task: { words: 'Make src/rate.ts exact' }, proposer, verify: false });

async function recorded(session: Session) {
  const stored = await session.ledger.query({ types: ['asked', 'answered'] });
  const events = stored.map(
    ({ at, type, data }): AskEvent =>
      type === 'asked' ? { at, asked: data as AskedData } : { at, answered: data as AnsweredData },
  );
  const asked = events.flatMap((event) => event.asked ?? []);
  const answered = events.flatMap((event) => event.answered ?? []);
  return { asked, answered, account: computeAccount(events, asked[0]!.task.id, 'another run', stored.at(-1)!.at) };
}

const late = () => new SelfwareError('timedOut', 'It did not answer in time.');

test.each<[string, (begin: () => void, cancel: () => void) => void, Partial<AnsweredData>, number]>([
  ['times out in the middle of its answer', (begin) => begin(), { outcome: 'failed', failure: 'timedOut' }, LIMIT],
  ['is cancelled in the middle of its answer', (begin, cancel) => (begin(), cancel()), { outcome: 'cancelled' }, LIMIT],
  ['times out without a word', () => undefined, { outcome: 'failed', failure: 'timedOut', usage: null }, 0],
])('a proposer that %s', async (_what, act, outcome, output) => {
  await using world = await createSessionWorld(FILES);
  const cancelled = new AbortController();
  const open = (name: string): Proposer => ({
    name,
    destination: null,
    async ask(_request, _signal, onText) {
      act(
        () => onText(12),
        () => cancelled.abort(),
      );
      throw late();
    },
  });
  const session = await world.session({ settings, change: () => ({ proposers: { open, list: async () => [] } }) });
  await askForProposal(session, request('p'), { signal: cancelled.signal }).catch((error: unknown) =>
    expect(error).toMatchObject({ reason: 'cancelled' }),
  );
  const { asked, answered, account } = await recorded(session);
  const { promptTokens } = asked[0]!;
  expect(answered).toMatchObject([outcome]);
  if (output > 0) expect(answered[0]!.usage).toEqual({ input: promptTokens, output, cached: 0, estimated: true });
  expect(account).toMatchObject({ taskTokens: promptTokens + output, dayTokens: promptTokens + output });
  expect(account.dayMoney).toBeCloseTo(output / 100, 9);
});

test('the speed of an answer that arrives counts from its first part on, whatever happens beside it', async () => {
  await using world = await createSessionWorld(FILES);
  const open = (name: string): Proposer => ({
    name,
    destination: null,
    async ask(_request, _signal, onText) {
      // It thinks for a minute first.
      world.clock.advance(60_000);
      onText(4_000);
      world.clock.advance(500);
      onText(8_000);
      world.clock.advance(1_500);
      onText(12_000);
      throw late();
    },
  });
  const session = await world.session({ settings, change: () => ({ proposers: { open, list: async () => [] } }) });
  const arriving: unknown[] = [];
  const report = ({ answer }: Progress) => void (answer && arriving.push(answer));
  await askForProposal(session, request('p'), { signal: new AbortController().signal, report });
  const [first, ...further] = [4_000, 8_000, 12_000].map(estimateTokens);
  expect(arriving).toEqual([
    { tokens: first, tokensPerSecond: null },
    { tokens: further[0], tokensPerSecond: null },
    { tokens: further[1], tokensPerSecond: (further[1]! - first!) / 2 },
  ]);
});

test('an answer without an end has been paid for', async () => {
  await using world = await createSessionWorld(FILES);
  await using peer = await createPeer('openai', ['no end']);
  const proposers = createProposers({ rootDir: world.tree.rootDir, env: {} });
  // Connections end by the clock of this machine.
  world.clock.advance(Date.now() - world.clock.now());
  const session = await world.session({ settings, change: () => ({ proposers }) });
  await askForProposal(session, request(`openai-compatible:m@${peer.url}`), { signal: new AbortController().signal });
  expect(peer.requests).toHaveLength(1);
  expect((await recorded(session)).account.dayMoney).toBeCloseTo(LIMIT / 100, 9);
});
