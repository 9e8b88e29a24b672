// What providers can cache: all questions about one task begin with the same bytes, and Anthropic is told where they end.

import { expect, test } from 'vitest';
import { createHostedProposer } from '../../../server/src/adapters/models/hosted.ts';
import { createOllamaProposer } from '../../../server/src/adapters/models/ollama.ts';
import { systemClock } from '../../../server/src/adapters/system/system.ts';
import { askForProposal } from '../../../server/src/core/session/ask/askForProposal.ts';
import type { Proposer } from '../../../server/src/core/ports/proposers.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { createPeer, type Manner, type Protocol } from './peer.ts';

/** The answers of the server edit this file, and do not say which of its lines they mean. */
const FILES = {
  'a.ts': 'export const a = 1;\nexport const aa = a + 1;\n',
  'b.ts': "import { a } from './a.ts';\nexport const b = a * 2;\n",
};
const TASK = { words: 'Make a in a.ts larger, and what b.ts makes of it' };

interface Block {
  readonly text: string;
  readonly cache_control?: object;
}

/** Asks about the task until it is given up; the bodies of the requests. */
async function requestsOf(
  protocol: Protocol,
  settings: Partial<Settings>,
  manner: Manner = 'fine',
  words = TASK.words,
) {
  const world = await createSessionWorld(FILES);
  const peer = await createPeer(protocol, [manner]);
  const { url } = peer;
  const open = (name: string): Proposer =>
    protocol === 'ollama'
      ? createOllamaProposer({ name, model: 'm', url })
      : createHostedProposer({ name, protocol, model: 'm', url, key: 'k', keyFrom: 'SELFWARE_MODEL_KEY' });
  const session = await world.session({
    settings,
    change: () => ({ clock: systemClock, proposers: { open, list: async () => [] } }),
  });
  const request = { task: { words }, proposer: 'peer', verify: false };
  const { usage, refusals } = await askForProposal(session, request, { signal: new AbortController().signal });
  const spending = await session.questions.spending();
  const bodies = peer.requests.map(({ body }) => JSON.parse(body));
  await peer[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  return { bodies, usage, refusals, spending };
}

test('Anthropic gets marks behind the files and behind the task, and equal bytes before them in all questions', async () => {
  const { bodies, refusals } = await requestsOf('anthropic', { 'models.samples': 2 });
  expect(bodies).toHaveLength(6);
  expect(refusals).toHaveLength(3);
  const contents = bodies.map(({ messages }): readonly Block[] => messages.at(-1).content);
  for (const content of contents) {
    expect(content.slice(0, 2)).toEqual(contents[0]!.slice(0, 2));
    expect(content.slice(0, 2).map((block) => block.cache_control)).toEqual(Array(2).fill({ type: 'ephemeral' }));
  }
  expect(bodies.map(({ system }) => system)).toEqual(Array(6).fill(bodies[0].system));
  const [files, task] = contents[0]!;
  expect(files!.text).toMatch(/^# Files to change[\s\S]*export const aa = a \+ 1;[\s\S]*⟧$/);
  expect(task!.text).toMatch(/^\n\n# Task\n\nMake a in a\.ts larger/);
  // The samples of the first attempt have nothing else; repairs tell of the attempts before them, unmarked.
  expect(contents.map((content) => content.length)).toEqual([2, 2, 3, 3, 3, 3]);
  expect(contents[2]![2]).toEqual({ type: 'text', text: expect.stringContaining('# Attempts so far') });
});

test.each(['openai', 'google', 'ollama'] as const)(
  '%s: a repair begins with the whole first question',
  async (protocol) => {
    const { bodies } = await requestsOf(protocol, {});
    const textOf = (body: any): string =>
      protocol === 'google' ? body.contents.at(-1).parts[0].text : contentText(body.messages.at(-1).content);
    const [first, ...repairs] = bodies.map(textOf);
    expect(repairs).toHaveLength(2);
    for (const repair of repairs) {
      expect(repair.startsWith(first!)).toBe(true);
      expect(repair).toContain('# Attempts so far');
    }
    const systemOf = (body: any) => JSON.stringify(body.systemInstruction ?? body.messages[0]);
    expect(bodies.map(systemOf)).toEqual(Array(3).fill(systemOf(bodies[0])));
  },
);

const contentText = (content: string | readonly { readonly text: string }[]): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('');

test('what a provider reads from its cache and what it writes there is counted and priced apart', async () => {
  const price = { input: 1000, output: 0, cached: 100, written: 1250 };
  const { usage, spending } = await requestsOf('anthropic', { 'models.prices': { peer: price } }, 'caches');
  // Three questions, each with 7 plain tokens, 100 from the cache and 200 into it.
  expect(usage).toMatchObject({ input: 3 * 307, cached: 300, written: 600 });
  expect(spending.money).toBeCloseTo((3 * (7 * 1000 + 100 * 100 + 200 * 1250)) / 1_000_000);
});

test('a secret is redacted on both sides of a mark', async () => {
  const words = `Make a in a.ts larger with AKIA${'IOSFODNN7EXAMPLE'}`;
  const { bodies } = await requestsOf('anthropic', {}, 'fine', words);
  const [, task] = bodies[0].messages.at(-1).content as readonly Block[];
  expect(task).toMatchObject({ text: expect.stringContaining('[redacted:'), cache_control: { type: 'ephemeral' } });
});
