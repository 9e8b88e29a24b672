// A server that stops in the middle of its answer, with the connection or without a word: whatever byte it is, there is
// no proposal.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createProposers } from '../../../server/src/adapters/models/proposers.ts';
import { askForProposal } from '../../../server/src/core/session/ask/askForProposal.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const FILES = { 'src/rate.ts': 'export function rate(value: number): number {\n  return value / 100;\n}\n' };
const [OLD, NEW] = ['  return value / 100;\n', '  return value * 0.01;\n'];
const REPLIES = {
  json: JSON.stringify({ description: 'd', edits: [{ file: 'src/rate.ts', search: OLD, replace: NEW }] }),
  blocks: `src/rate.ts\n<<<<<<< SEARCH\n${OLD}=======\n${NEW}>>>>>>> REPLACE\n`,
  diff: `--- a/src/rate.ts\n+++ b/src/rate.ts\n@@ -2 +2 @@\n-${OLD}+${NEW}`,
};
type Protocol = 'openai-compatible' | 'ollama';
type Ending = 'closes the connection' | 'ends its answer';

/** The answer in pieces of some characters, as bytes. `before`: how many come before the end that the server reports. */
function answerBytes(protocol: Protocol, reply: string): { readonly bytes: Buffer; readonly before: number } {
  const pieces = (reply.match(/[^]{1,16}/g) ?? []).map((content) =>
    protocol === 'ollama'
      ? `${JSON.stringify({ model: 'm', message: { role: 'assistant', content }, done: false })}\n`
      : `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta: { content } }] })}\n\n`,
  );
  const end =
    protocol === 'ollama'
      ? `${JSON.stringify({ model: 'm', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' })}\n`
      : `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;
  const body = Buffer.from(pieces.join(''));
  return { bytes: Buffer.concat([body, Buffer.from(end)]), before: body.length };
}

test.each(
  (Object.keys(REPLIES) as (keyof typeof REPLIES)[]).flatMap((format) =>
    (['openai-compatible', 'ollama'] as const).flatMap((protocol) =>
      (['closes the connection', 'ends its answer'] as const).map((ending) => [format, protocol, ending] as const),
    ),
  ),
)('%s by %s: a server that %s at any byte gives no proposal', async (format, protocol, ending: Ending) => {
  const { bytes, before } = answerBytes(protocol, REPLIES[format]);
  let [length, requests] = [0, 0];
  const server = createServer((request, response) => {
    request.resume();
    requests += 1;
    response.writeHead(200, { 'content-type': protocol === 'ollama' ? 'application/x-ndjson' : 'text/event-stream' });
    const isWhole = length === bytes.length;
    response.write(bytes.subarray(0, length), () =>
      isWhole || ending === 'ends its answer' ? response.end() : response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${protocol === 'ollama' ? '' : '/v1'}`;
  await using world = await createSessionWorld(FILES);
  // Connections end by the clock of this machine.
  world.clock.advance(Date.now() - world.clock.now());
  const proposers = createProposers({ rootDir: world.tree.rootDir, env: {} });
  const session = await world.session({ change: () => ({ proposers }) });
  const ask = async (characters: number) => {
    length = characters;
    return askForProposal(
      session,
      {
        task: { words: 'Make src/rate.ts exact' },
        proposer: `${protocol}:m@${url}`,
        verify: false,
        ignoresEarlier: true,
      },
      { signal: new AbortController().signal },
    );
  };
  try {
    const step = 71;
    const cuts = Array.from({ length: Math.ceil(before / step) }, (_, index) => index * step);
    for (const cut of [...cuts, before - 1, before, before + 1]) {
      const { proposal, refusals } = await ask(cut);
      expect([cut, proposal]).toEqual([cut, null]);
      expect(refusals.join(' ')).toMatch(/gave no answer|cut off/);
    }
    expect(requests).toBeGreaterThan(cuts.length);
    expect(await session.ledger.query({ types: ['proposed'] })).toEqual([]);
    expect((await ask(bytes.length)).proposal?.edits[0]?.after).toContain(NEW);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
