// Requests in words over the wire: what failed stays in the sidebar's state, also for the next server, until the person
// corrects it; then the same request leads to a review.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandOutcome } from '#protocol/review';
import type { SidebarState } from '#protocol/state';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { startRealServer, type RealServer } from '../helpers/lspServers.ts';
import { answerMailbox, type MailboxAnswers } from '../helpers/mailboxAnswers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const PATH = 'test/rounding.test.js';
const rounding = [
  "import test from 'node:test';",
  "import assert from 'node:assert';",
  "import { half } from '../src/half.js';",
  "test('49.5 counts as 50', () => assert.strictEqual(half(49.5), 'B'));",
  '',
].join('\n');
const RULE = 'Rounding is done with Math.round.';
const WORDS = 'Round up.';

let home: string;
let repository: TemporaryRepository;
let server: RealServer;
let answers: MailboxAnswers;
let proposer: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  repository = await createTemporaryRepository(gradesProject(['half']));
  proposer = `mailbox:${join(home, 'mail')}`;
  answers = await answerMailbox(join(home, 'mail'), ({ task, text }) => {
    if (task.kind === 'acceptance')
      return text.includes(WORDS) ? [{ file: PATH, content: rounding }] : [{ file: 'src/moon.js', content: '\n' }];
    return text.includes(RULE) && !text.includes('stars')
      ? [{ file: 'src/half.js', search: 'value >= half', replace: 'Math.round(value) >= half' }]
      : [{ file: 'src/half.js', search: 'no such text', replace: '' }];
  });
  server = await startServer();
});
afterAll(async () => {
  await server.dispose();
  await answers.stop();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  await repository.dispose();
});

async function startServer(): Promise<RealServer> {
  const initializationOptions = { canSave: true, canAskModels: true };
  const started = await startRealServer(
    repository.dir,
    { capabilities: richCapabilities, initializationOptions },
    home,
  );
  await started.client.initialize();
  return started;
}

/** As a reload of the window does. */
async function reload(): Promise<void> {
  await server.dispose();
  server = await startServer();
}

const execute = (command: string, argument: object = {}) =>
  server.client.request<CommandOutcome>('workspace/executeCommand', {
    command: `selfware.server.${command}`,
    arguments: [argument],
  });
const state = () => server.client.request<SidebarState>('selfware/state', {});
const add = async (words: string) => (await execute('wishes', { add: words })).wishes!.at(-1)!.id;

thoroughTest(
  'failed attempts at a request survive a reload, with what was tried, learned, and can be corrected',
  async () => {
    const wish = await add(WORDS);
    const shown = await execute('acceptanceTest', { proposer, wish });
    expect(shown.acceptance, shown.message).toMatchObject({ wish, refused: null, files: [{ path: PATH }] });
    expect(await execute('decideAcceptance', { wish, texts: shown.acceptance!.files })).toMatchObject({ ok: true });
    expect((await state()).requests).toMatchObject([{ id: wish, test: 'accepted', failed: null, noTest: null }]);

    for (const attempts of [3, 6, 9]) {
      expect(await execute('improveWithModel', { proposer, wish })).toMatchObject({ ok: false });
      const [request] = (await state()).requests!;
      expect(request).toMatchObject({ words: WORDS, isRunning: false, failed: { attempts } });
    }
    const asked = answers.asked.length;
    expect((await execute('improveWithModel', { proposer, wish })).message).toMatch(/was not asked|waits for you/);
    expect(answers.asked).toHaveLength(asked);

    await reload();
    const { requests, waitingTasks, notices } = await state();
    expect(requests).toMatchObject([
      { id: wish, failed: { attempts: 9, corrections: [expect.stringContaining('Tool: ask a larger model')] } },
    ]);
    expect(requests![0]!.failed!.tried).toHaveLength(9);
    expect(requests![0]!.failed!.learned).toEqual(['9 times: the answer held no edits that could be used.']);
    // The request is not listed a second time.
    expect(waitingTasks).toBeUndefined();
    expect(notices.filter(({ message }) => message.includes('waits for you'))).toEqual([]);
  },
);

thoroughTest(
  'corrected by a rule, the same request is answered well, demands its test, and leaves the list',
  async () => {
    const { id: wish } = (await state()).requests![0]!;
    expect(await execute('writeRule', { text: RULE })).toMatchObject({ ok: true });
    const outcome = await execute('improveWithModel', { proposer, wish, again: true });
    expect(outcome, outcome.message).toMatchObject({ ok: true, review: { status: 'verified' } });
    expect(outcome.review!.files.map(({ path }) => path)).toEqual(['src/half.js', PATH]);
    const { requests, waitingTasks, pending } = await state();
    expect({ requests, waitingTasks, waiting: pending.length }).toEqual({
      requests: undefined,
      waitingTasks: undefined,
      waiting: 1,
    });
    expect(await repository.git('status', '--porcelain')).toBe('');
  },
);

test('a request without a possible test says so until the person decides, also after a reload', async () => {
  const wish = await add('Calculate the moon.');
  // Words that wait already, and words that a list shows in another form, are found by the id.
  await add('Another\u200b request.');
  const sameWords = await execute('wishes', { add: ' Calculate the moon. ' });
  expect([sameWords.wish, sameWords.wishes!.length]).toEqual([wish, 2]);
  const { wish: invisible, wishes } = await execute('wishes', { add: 'Another\u200b request.' });
  expect([invisible === wishes![1]!.id, wishes![1]!.words.includes('\u200b')]).toEqual([true, false]);
  await execute('wishes', { drop: invisible });
  await execute('acceptanceTest', { proposer, wish });
  await reload();
  expect((await state()).requests).toMatchObject([
    { id: wish, test: 'open', noTest: expect.stringContaining('src/moon.js') },
  ]);
  // The person writes one.
  const texts = [{ path: PATH, before: null, after: rounding }];
  expect(await execute('decideAcceptance', { wish, texts })).toMatchObject({ ok: true });
  expect((await state()).requests).toMatchObject([{ id: wish, test: 'accepted', noTest: null }]);
  expect(await execute('wishes', { drop: wish })).toMatchObject({ ok: true });
  expect((await state()).requests).toBeUndefined();
});

test('a task that waits without a request is listed until the person drops it', async () => {
  const words = 'Count the stars in src/half.js.';
  for (let call = 0; call < 3; call++)
    expect(await execute('improveWithModel', { proposer, words })).toMatchObject({ ok: false });
  const [task] = (await state()).waitingTasks!;
  expect(task).toMatchObject({ name: `The request “${words}”`, attempts: 9, retry: { words } });
  expect(await execute('dropTask', { task: task!.task })).toMatchObject({ ok: true });
  await reload();
  expect((await state()).waitingTasks).toBeUndefined();
});

test.each([
  ['acceptanceTest', { proposer: 'mailbox:/x', wish: 'none' }, 'There is no wish none.'],
  ['improveWithModel', { proposer: 'mailbox:/x', wish: 'none' }, 'There is no wish none.'],
  ['improveWithModel', { proposer: 'mailbox:/x', wish: 'w', words: 'w' }, 'not several of them'],
  ['dropTask', {}, 'task is a text'],
  ['writeRule', {}, 'text is a text'],
])('%s of %j says what is wrong', async (command, argument, message) => {
  expect(await execute(command, argument)).toMatchObject({ ok: false, message: expect.stringContaining(message) });
});
