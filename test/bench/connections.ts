// Measures how soon a question to a model ends: the time until its connection is closed after a cancellation, and the
// time until a question ends after its limit if the server never ends its answer.

import { setTimeout as pause } from 'node:timers/promises';
import { createHostedProposer } from '../../server/src/adapters/models/hosted.ts';
import { createOllamaProposer } from '../../server/src/adapters/models/ollama.ts';
import type { Proposer, ProposerRequest } from '../../server/src/core/ports/proposers.ts';
import { SelfwareError } from '../../server/src/util/typedError.ts';
import { createPeer, type Manner, type Protocol } from '../adapters/models/peer.ts';
import type { Bench, Cell } from './support/bench.ts';
import { computePercentile } from './support/statistics.ts';

const PROTOCOLS: readonly Protocol[] = ['openai', 'anthropic', 'google', 'ollama'];
/** Servers that never end their answer: they stop in the middle, send nothing, or send without an end. */
const MANNERS: readonly Manner[] = ['stalls', 'hangs', 'ignores the limit'];
/** Number of questions for each protocol and kind of server. */
const TRIES = { tiny: 1, default: 20, large: 50 } as const;
/** Milliseconds until the limit of a question. */
const LIMIT_MS = 1_000;
/** Maximum milliseconds after a cancellation, and after the limit of a question. */
const [MAX_AFTER_CANCEL_MS, MAX_AFTER_LIMIT_MS] = [200, 1_000];
/** Milliseconds after its arrival at which an unanswered question is cancelled. */
const CANCEL_AFTER_MS = 100;

function createProposer(protocol: Protocol, url: string): Proposer {
  const names = { name: 'peer', model: 'm', url };
  return protocol === 'ollama'
    ? createOllamaProposer(names)
    : createHostedProposer({ ...names, protocol, key: 'k', keyFrom: 'SELFWARE_MODEL_KEY' });
}

const createRequest = (limitMs: number): ProposerRequest => ({
  id: 'r',
  task: { kind: 'request', id: 'k', opportunity: null, path: null },
  messages: [{ role: 'user', content: 'u' }],
  maxTokens: 1_000_000_000,
  deadline: Date.now() + limitMs,
});

/** Milliseconds from the cancellation until the server sees that the connection is closed. */
async function measureCancel(protocol: Protocol, manner: Manner): Promise<number> {
  await using peer = await createPeer(protocol, [manner]);
  const cancel = new AbortController();
  let cancelledAt = 0;
  const end = () => {
    if (cancel.signal.aborted) return;
    cancelledAt = performance.now();
    cancel.abort();
  };
  const closedAt = peer.left.then(() => performance.now());
  const asking = createProposer(protocol, peer.url).ask(createRequest(60_000), cancel.signal, end);
  const answered = asking.catch(rethrowUnexpected('cancelled'));
  // The connection opens only after the library is loaded.
  while (peer.requests.length === 0) await pause(5);
  await pause(CANCEL_AFTER_MS);
  end();
  await answered;
  return (await closedAt) - cancelledAt;
}

/** Milliseconds from the limit of a question until it ends; 0 if it ended earlier because its answer was too long. */
async function measureLimit(protocol: Protocol, manner: Manner): Promise<number> {
  await using peer = await createPeer(protocol, [manner]);
  const limitedRequest = createRequest(LIMIT_MS);
  const proposer = createProposer(protocol, peer.url);
  await proposer
    .ask(limitedRequest, new AbortController().signal, () => undefined)
    .catch(rethrowUnexpected('timedOut', 'unavailable'));
  return Math.max(0, Date.now() - limitedRequest.deadline);
}

const rethrowUnexpected =
  (...reasons: readonly string[]) =>
  (error: unknown) => {
    if (!(error instanceof SelfwareError) || !reasons.includes(error.reason)) throw error;
  };

/** The bench: one row for each protocol and kind of server. Sets exit code 1 if a maximum is exceeded. */
export const connections: Bench = {
  name: 'connections',
  describe: 'A cancelled question until the server sees its connection closed, and one without an end after its limit.',
  async run({ size, note }, signal) {
    const rows: Cell[][] = [];
    for (const protocol of PROTOCOLS)
      for (const manner of MANNERS) {
        note(`${protocol}, ${manner}`);
        const [cancels, limits]: [number[], number[]] = [[], []];
        for (let round = 0; round < TRIES[size]; round += 1) {
          signal.throwIfAborted();
          cancels.push(await measureCancel(protocol, manner));
          limits.push(await measureLimit(protocol, manner));
        }
        const [worstCancel, worstLimit] = [Math.max(...cancels), Math.max(...limits)];
        if (worstCancel > MAX_AFTER_CANCEL_MS || worstLimit > MAX_AFTER_LIMIT_MS) process.exitCode = 1;
        rows.push([
          protocol,
          manner,
          computePercentile(cancels, 0.5),
          worstCancel,
          computePercentile(limits, 0.5),
          worstLimit,
        ]);
      }
    const ms = (name: string) => ({ name, unit: 'ms', digits: 0 });
    return [
      {
        title: 'Connections to a model',
        columns: [
          { name: 'protocol' },
          { name: 'server' },
          ms('closed, p50'),
          ms('closed, worst'),
          ms('after the limit, p50'),
          ms('after the limit, worst'),
        ],
        rows,
        notes: [
          `At most ${MAX_AFTER_CANCEL_MS} ms after a cancel, and ${MAX_AFTER_LIMIT_MS} ms after the limit; otherwise the exit code is 1.`,
        ],
      },
    ];
  },
};
