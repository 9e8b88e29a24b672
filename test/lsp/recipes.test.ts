// "Repeat an Edit…": edits of one shape are found, their places are proposed and checked, and become opportunities.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandOutcome } from '#protocol/review';
import { richCapabilities } from '../helpers/clientCapabilities.ts';
import type { LspClient } from '../helpers/lspClient.ts';
import { startRealServer } from '../helpers/lspServers.ts';
import { answerMailbox } from '../helpers/mailboxAnswers.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const lookUp = (name: string) => `export function ${name}(list: string[], one: string): boolean {
  return list.indexOf(one) !== -1;
}
`;
const edited = (name: string) => lookUp(name).replace('list.indexOf(one) !== -1', 'list.includes(one)');

let repository: TemporaryRepository;
let home: string;
let client: LspClient;
let dispose: () => Promise<unknown>;

beforeAll(async () => {
  repository = await createTemporaryRepository({
    'package.json': manifestOf('lists'),
    ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`src/${name}.ts`, lookUp(name)])),
    'test/lists.test.ts': `import test from 'node:test';
import assert from 'node:assert';
import { c } from '../src/c.ts';
import { d } from '../src/d.ts';
test('c and d', () => {
  for (const has of [c, d]) assert.deepStrictEqual([has(['x'], 'x'), has(['x'], 'y'), has([], '')], [true, false, false]);
});
`,
  });
  home = await mkdtemp(join(tmpdir(), 'selfware-home-'));
  const options = { capabilities: richCapabilities, initializationOptions: { canSave: true } };
  ({ client, dispose } = await startRealServer(repository.dir, options, home));
  await client.initialize();
});
afterAll(async () => {
  await dispose();
  await repository.dispose();
  await rm(home, { recursive: true, force: true });
});

const execute = (command: string, argument: object) =>
  client.request<CommandOutcome>('workspace/executeCommand', {
    command: `selfware.server.${command}`,
    arguments: [argument],
  });

test('one edit is too few, and the answer says so', async () => {
  await repository.write('src/a.ts', edited('a'));
  expect(await execute('findRecipes', { source: 'diff' })).toMatchObject({
    ok: true,
    recipes: [],
    message: expect.stringContaining('two uncommitted edits'),
  });
});

test('two uncommitted edits are repeated in the places that are left', async () => {
  await repository.write('src/b.ts', edited('b'));
  const before = await repository.git('status', '--porcelain');
  const { recipes = [] } = await execute('findRecipes', { source: 'diff' });
  expect(recipes).toEqual([
    expect.objectContaining({
      title: '$a.indexOf($b) !== -1 → $a.includes($b)',
      places: 2,
      files: 2,
      accepted: false,
      page: { title: 'Selfware: Repeat an Edit', markdown: expect.stringContaining('src/d.ts#L2') },
    }),
  ]);
  const recipe = recipes[0]!.id;
  const repeated = await execute('repeatEdit', { recipe });
  expect(repeated).toMatchObject({ ok: true, message: expect.stringMatching(/^1 proposal waits for your decision\./) });
  expect(repeated.review?.files.map(({ path }) => path)).toEqual(['src/c.ts', 'src/d.ts']);
  expect(await repository.git('status', '--porcelain')).toBe(before);

  const repeatedAgain = await execute('repeatEdit', { recipe });
  expect(repeatedAgain).toMatchObject({ ok: false, message: expect.stringContaining('waits for a decision') });
  expect(repeatedAgain).not.toHaveProperty('again');
});

test('an accepted recipe is listed until it is forgotten', async () => {
  const { recipes = [] } = await execute('findRecipes', { source: 'diff' });
  const recipe = recipes[0]!.id;
  expect(await execute('decideRecipe', { recipe, verdict: 'accepted' })).toMatchObject({ ok: true });
  expect((await execute('findRecipes', { source: 'accepted' })).recipes).toMatchObject([
    { id: recipe, accepted: true },
  ]);
  expect(await execute('decideRecipe', { recipe, verdict: 'forgotten' })).toMatchObject({ ok: true });
  expect((await execute('findRecipes', { source: 'accepted' })).recipes).toEqual([]);
});

thoroughTest(
  'examples by a model: their cost stands on the page and in the evidence, and the model is told what was refused',
  async () => {
    await repository.git('checkout', '--', '.');
    const edit = (name: string) => ({
      file: `src/${name}.ts`,
      search: 'list.indexOf(one) !== -1',
      replace: 'list.includes(one, 1)',
    });
    const mail = join(home, 'mail');
    const answers = await answerMailbox(mail, () => [edit('a'), edit('c')]);
    const words = 'includes instead of indexOf';
    const ask = (more: object = {}) =>
      execute('findRecipes', { source: 'asked', words, proposer: `mailbox:${mail}`, ...more });
    try {
      const found = await ask();
      const [recipe] = found.recipes ?? [];
      expect(recipe, found.message).toMatchObject({
        words,
        page: { markdown: expect.stringContaining('Learned from examples that cost about') },
      });
      const refused = await execute('repeatEdit', { recipe: recipe!.id });
      expect(refused).toMatchObject({ ok: false, review: { status: 'refused' } });
      const { markdown } = await client.request('selfware/evidence', { proposal: refused.review!.id });
      expect(markdown).toContain('a model was asked for its examples only');
      const before = await execute('repeatEdit', { recipe: recipe!.id });
      expect(before).toMatchObject({ ok: false, review: null, again: recipe!.id });
      const retried = await execute('repeatEdit', { recipe: recipe!.id, again: true });
      expect(retried).toMatchObject({ ok: false, review: { status: 'refused' } });
      expect(retried).not.toHaveProperty('again');
      expect(markdown.match(/Learned from examples that cost about/g)).toHaveLength(1);

      // The same examples, three times: the person does not get the same recipe again.
      for (const more of [{ after: words }, { words: 'includes instead of indexOf, from the start', after: words }]) {
        const again = await ask(more);
        expect(again).toMatchObject({
          ok: false,
          message: expect.stringContaining('The same change was refused before'),
        });
      }
      const [, next, ...later] = answers.asked.map(({ text }) => text);
      expect(next).toMatch(/The checks refused its change of src\/[a-d]\.ts/);
      for (const text of later) expect(text).toContain('returns true before, and with the change it returns false');
      expect(answers.asked).toHaveLength(7);
    } finally {
      await answers.stop();
    }
  },
);

test('what is missing or unknown is said', async () => {
  expect(await execute('findRecipes', { source: 'elsewhere' })).toMatchObject({
    ok: false,
    message: expect.stringContaining('diff, history'),
  });
  expect(await execute('findRecipes', { source: 'asked', words: 'x' })).toMatchObject({ ok: false });
  expect(await execute('repeatEdit', { recipe: 'none' })).toMatchObject({
    ok: false,
    message: 'There is no learned recipe none. Run "Selfware: Repeat an Edit…", which lists them with their ids.',
  });
});
