// Which errors of a model say that it could not be reached, so that the same question may be answered later.

import { expect, test } from 'vitest';
import { createHostedProposer } from '../../../server/src/adapters/models/hosted.ts';
import { createOllamaProposer } from '../../../server/src/adapters/models/ollama.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createPeer, type Manner, type Protocol } from './peer.ts';

const { signal } = new AbortController();

/** What the error of a question to this server says about another try. */
async function retryAfterError(protocol: Protocol, url: string): Promise<SelfwareError['retry'] | undefined> {
  const names = { name: 'm', model: 'm', url, key: 'k', keyFrom: 'KEY', backoffMs: 1 };
  const proposer = protocol === 'ollama' ? createOllamaProposer(names) : createHostedProposer({ ...names, protocol });
  const question = {
    id: 'q',
    task: { kind: 'request', id: 't', opportunity: null, path: null },
    messages: [{ role: 'user', content: 'Question' }],
    maxTokens: 100,
    deadline: Date.now() + 60_000,
  } as const;
  const error = await proposer.ask(question, signal, () => undefined).catch((thrown: unknown) => thrown);
  return error instanceof SelfwareError ? error.retry : undefined;
}

test.each(['openai', 'ollama'] as const)('%s: an outage is distinguished from a refusal', async (protocol) => {
  const retryOf = async (manner: Manner) => {
    await using peer = await createPeer(protocol, [manner]);
    return await retryAfterError(protocol, peer.url);
  };
  const anyTime = { afterMs: null, isCharged: false };
  for (const manner of ['busy', 'broken', 'overloaded', 'asks for money'] as const)
    expect([manner, await retryOf(manner)]).toEqual([manner, anyTime]);
  // What the server has begun, it charges for.
  expect(await retryOf('cut')).toEqual({ afterMs: null, isCharged: true });
  expect(await retryOf('asks for an hour')).toEqual({ afterMs: 3_600_000, isCharged: false });
  for (const manner of ['key refused', 'has no such model', 'reads too little', 'redirects', 'page', 'no end'] as const)
    expect([manner, await retryOf(manner)]).toEqual([manner, null]);
  const gone = await createPeer(protocol, ['fine']);
  await gone[Symbol.asyncDispose]();
  expect(await retryAfterError(protocol, gone.url)).toEqual(anyTime);
});
