// Acceptance tests of wishes in an editor: shown one by one before a run, and stored as the person decides.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeWishQueue } from '../../server/src/app/nights/wishQueue.ts';
import type { WishEvent } from '../../server/src/core/model/nights.ts';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import { gradesProject } from '../helpers/gradesProject.ts';
import { startRealServer, type RealServer } from '../helpers/lspServers.ts';
import { answerMailbox, type MailboxAnswers } from '../helpers/mailboxAnswers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const PATH = 'test/rounding.test.js';
const rounding = [
  "import test from 'node:test';",
  "import assert from 'node:assert';",
  "import { half } from '../src/half.js';",
  "test('49.5 counts as 50', () => assert.strictEqual(half(49.5), 'B'));",
  '',
].join('\n');

let home: string;
let repository: TemporaryRepository;
let server: RealServer;
let answers: MailboxAnswers;
let proposer: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  repository = await createTemporaryRepository(gradesProject(['half']));
  await wishes((['Round up.', 'Calculate the moon.'] as const).map(added));
  proposer = `mailbox:${join(home, 'mail')}`;
  answers = await answerMailbox(join(home, 'mail'), ({ text }) =>
    text.includes('Round up.') ? [{ file: PATH, content: rounding }] : [{ file: 'src/moon.js', content: '\n' }],
  );
  server = await startRealServer(
    repository.dir,
    { capabilities: richCapabilities, initializationOptions: { canSave: true, canAskModels: true } },
    home,
  );
  await server.client.initialize();
});
afterAll(async () => {
  await server.dispose();
  await answers.stop();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  await repository.dispose();
});

const added = (text: string): WishEvent => ({ type: 'wishAdded', data: { wish: `w-${text.length}`, text } });
const wishes = (events: readonly WishEvent[] = []) =>
  changeWishQueue(repository.dir, { SELFWARE_HOME: home }, { write() {} }, () => events);
const execute = (command: string, argument: object): Promise<any> =>
  server.client.request('workspace/executeCommand', { command: `selfware.server.${command}`, arguments: [argument] });

test('the test of a wish is shown with its failure; nothing is stored before the person decides', async () => {
  const shown = await execute('acceptanceTest', { proposer });
  expect(shown, shown.message).toMatchObject({
    ok: true,
    acceptance: {
      words: 'Round up.',
      left: 1,
      refused: null,
      files: [{ path: PATH, before: null, after: rounding }],
      failure: expect.stringContaining('49.5 counts as 50'),
    },
  });
  expect((await wishes()).map(({ tests }) => tests)).toEqual([null, null]);
});

test('what the person has changed runs again: a test that passes today is not stored, another one is', async () => {
  const [wish] = await wishes();
  const passing = { path: PATH, before: null, after: rounding.replace("'B'", "'C'") };
  const refused = await execute('decideAcceptance', { wish: wish!.id, texts: [passing] });
  expect(refused).toMatchObject({ ok: false, message: expect.stringContaining('It passes today already') });
  const changed = { path: PATH, before: null, after: rounding.replace('49.5 counts', '49.5 and up counts') };
  const old = { ...changed, before: 'an older text' };
  expect(await execute('decideAcceptance', { wish: wish!.id, texts: [old] })).toMatchObject({
    ok: false,
    message: expect.stringContaining(`${PATH} has changed since the test was made. Make it again.`),
  });
  expect(await execute('decideAcceptance', { wish: wish!.id, texts: [changed] })).toMatchObject({ ok: true });
  expect((await wishes())[0]!.tests).toEqual([changed]);
  expect(await repository.git('status', '--porcelain')).toBe('');
});

test('a wish without a possible test says why, and can do without; then no wish is left', async () => {
  const shown = await execute('acceptanceTest', { proposer });
  expect(shown).toMatchObject({
    ok: true,
    acceptance: { words: 'Calculate the moon.', left: 0, files: [], refused: expect.stringContaining('src/moon.js') },
  });
  const { wish } = shown.acceptance;
  const none = await execute('acceptanceTest', { proposer, without: [wish] });
  expect(none.acceptance).toBeUndefined();
  expect(await execute('decideAcceptance', { wish })).toMatchObject({ ok: true });
  expect((await wishes())[1]!.tests).toEqual([]);
  expect((await execute('acceptanceTest', { proposer })).acceptance).toBeUndefined();
});

test.each([
  ['acceptanceTest', {}, 'proposer is a text'],
  ['wishes', { add: ' ' }, 'A wish has 1 to'],
  ['wishes', { first: 'no such' }, 'There is no wish no such'],
  ['wishes', { first: 'w', drop: 'w' }, 'one change of the queue at a time'],
  ['decideAcceptance', {}, 'wish is a text'],
  ['decideAcceptance', { wish: 'w', texts: [{}] }, 'texts must be'],
  ['decideAcceptance', { wish: 'no such' }, 'There is no wish no such'],
  ['continueNight', {}, 'No unattended run waits for you.'],
  ['endNight', {}, 'No unattended run is in progress here.'],
])('%s of %j says what is wrong', async (command, argument, message) => {
  expect(await execute(command, argument)).toMatchObject({ ok: false, message: expect.stringContaining(message) });
});

test('the queue of wishes is shown, added to, reordered and shortened', async () => {
  const before = (await execute('wishes', {})).wishes.map(({ words }: { words: string }) => words);
  const add = 'Say who has passed.';
  const grown = await execute('wishes', { add: `  ${add}\n` });
  expect(grown.wishes.map(({ words }: { words: string }) => words)).toEqual([...before, add]);
  expect(await execute('wishes', { add })).toMatchObject({ ok: true, wishes: { length: before.length + 1 } });
  const { id } = grown.wishes.at(-1);
  expect((await execute('wishes', { first: id })).wishes[0]).toMatchObject({ id, test: 'open', tries: 0 });
  const placeAfter = async (change: object) =>
    (await execute('wishes', change)).wishes.findIndex((wish: { id: string }) => wish.id === id);
  expect([await placeAfter({ down: id }), await placeAfter({ up: id }), await placeAfter({ last: id })]).toEqual([
    1,
    0,
    before.length,
  ]);
  const shortened = await execute('wishes', { drop: id });
  expect(shortened.wishes.map(({ words }: { words: string }) => words)).toEqual(before);
});
