// A list of proposers with several destinations: each is asked about once, before the request is carried out.

import { expect, test } from 'vitest';
import type { ConsentQuestion } from '#protocol/models';
import { withConsents } from '../../../client/src/models/consents.ts';

/** A server that needs consent to these destinations; what it was sent, and what the person was asked. */
function createServer(destinations: readonly string[], refused?: string) {
  const [sent, asked, recorded]: [(string | undefined)[], string[], Set<string>] = [[], [], new Set()];
  const send = async (agreed: string | undefined): Promise<{ ok: boolean; consent?: ConsentQuestion }> => {
    sent.push(agreed);
    if (agreed !== undefined) recorded.add(agreed);
    const destination = destinations.find((one) => !recorded.has(one));
    return destination === undefined
      ? { ok: true }
      : { ok: false, consent: { destination, missing: '', question: `Send to ${destination}?`, detail: '' } };
  };
  const mayBeSent = async ({ destination }: ConsentQuestion) => {
    asked.push(destination);
    return destination !== refused;
  };
  return { sent, asked, run: () => withConsents(send, mayBeSent) };
}

test('each destination is asked about, then the request is carried out', async () => {
  const server = createServer(['a.example', 'b.example']);
  expect(await server.run()).toEqual({ ok: true });
  expect([server.asked, server.sent]).toEqual([
    ['a.example', 'b.example'],
    [undefined, 'a.example', 'b.example'],
  ]);
});

test('who does not agree to one of them ends it, and nothing is asked twice', async () => {
  const server = createServer(['a.example', 'b.example'], 'b.example');
  expect(await server.run()).toBeUndefined();
  expect(server.asked).toEqual(['a.example', 'b.example']);
  const consent = { destination: 'a.example', missing: '', question: '', detail: '' };
  const stubborn = { ok: false, consent };
  expect(
    await withConsents(
      async () => stubborn,
      async () => true,
    ),
  ).toBe(stubborn);
});
