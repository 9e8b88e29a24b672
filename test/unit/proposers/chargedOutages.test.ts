// What a question counts that ends without an answer.

import { expect, test } from 'vitest';
import { askForProposal } from '../../../server/src/core/session/ask/askForProposal.ts';
import type { Proposer } from '../../../server/src/core/ports/proposers.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const FILES = { 'src/rate.ts': 'export function rate(value: number): number {\n  return value / 100;\n}\n' };

test('a question that may have been charged without an answer counts with its longest answer', async () => {
  await using world = await createSessionWorld(FILES);
  const operation = { signal: new AbortController().signal };
  const outages = [true, false].map(
    (isCharged) => new SelfwareError('timedOut', 'It is silent.', { retry: { afterMs: null, isCharged } }),
  );
  const open = (name: string): Proposer => ({
    name,
    destination: null,
    ask: () => Promise.reject(outages.shift()!),
  });
  const session = await world.session({
    settings: { 'models.replyTokens': 700 },
    change: () => ({ proposers: { open, list: async () => [] } }),
  });
  const request = { task: { words: 'Make it fast' }, proposer: 'silent', verify: false };
  for (const _ of [1, 2]) await askForProposal(session, request, operation);
  const answers = (await session.ledger.query({ types: ['answered'] })).map(({ data }) => data);
  expect(answers).toMatchObject([
    { outage: { until: null }, usage: { output: 700, estimated: true } },
    { outage: { until: null }, usage: null },
  ]);
});
