// Learned recipes by the real command line: from the history and from uncommitted edits, tried, accepted and forgotten.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { answerMailbox } from '../helpers/mailboxAnswers.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const PACKAGE = manifestOf('lists');
const FILES = {
  'package.json': PACKAGE,
  'src/a.ts': 'export const has = (names: string[], name: string): boolean => names.indexOf(name) !== -1;\n',
  'src/b.ts': "export const known = (tags: string[]): boolean => tags.indexOf('known') !== -1;\n",
  'src/numbers.ts': 'export const one = (ids: number[], id: number): boolean => ids.indexOf(id) !== -1;\n',
  'src/words.ts':
    'export function starts(word: string, letter: string): boolean {\n  return word.indexOf(letter) !== -1 && word.startsWith(letter);\n}\n',
  'test/all.test.ts': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { one } from '../src/numbers.ts';",
    "import { starts } from '../src/words.ts';",
    "test('one', () => { assert.equal(one([1], 1), true); assert.equal(one([], 1), false); });",
    "test('starts', () => { assert.equal(starts('ab', 'a'), true); assert.equal(starts('ab', 'c'), false); });",
    '',
  ].join('\n'),
};

async function inRepository(work: (selfware: CommandLine, repository: TemporaryRepository) => Promise<void>) {
  const repository = await createTemporaryRepository(FILES, { git: true });
  const selfware = await createCommandLine(repository.dir);
  try {
    await selfware.decide();
    await work(selfware, repository);
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
}

async function change(repository: TemporaryRepository, path: string, from: string, to: string): Promise<void> {
  await repository.write(path, ((await repository.read(path)) ?? '').replace(from, to));
}

thoroughTest(
  'from the history: tried everywhere, apart from what the checks refuse; accepted, its places are opportunities',
  () =>
    inRepository(async (selfware, repository) => {
      await change(repository, 'src/a.ts', 'names.indexOf(name) !== -1', 'names.includes(name)');
      await repository.git('commit', '-qam', 'Ask includes');
      await change(repository, 'src/b.ts', "tags.indexOf('known') !== -1", "tags.includes('known')");
      await repository.git('commit', '-qam', 'Ask it here, too');

      const found = await selfware.json(['learn', 'recipes']);
      expect(found.code, found.stderr).toBe(1);
      expect(found.value.recipes).toMatchObject([
        {
          recipe: { pattern: '$a.indexOf($b) !== -1', replacement: '$a.includes($b)', edits: 2, commits: 2 },
          accepted: false,
          places: [{ path: 'src/numbers.ts' }, { path: 'src/words.ts' }],
        },
      ]);
      const { id } = found.value.recipes[0].recipe;

      await selfware.decide();
      const untried = await selfware.run(['learn', 'recipes', '--accept', id]);
      expect([untried.code, untried.stderr]).toEqual([2, expect.stringContaining(`learn recipes --try ${id}`)]);
      // `indexOf` does not find NaN, and `includes` does. Nobody at a terminal tries it, and no person has accepted it.
      const tried = await selfware.json(['learn', 'recipes', '--try', id]);
      expect(tried.value.waiting, tried.stderr).toMatchObject([
        { author: 'agent', recipe: `learned:${id}`, status: 'verified', edits: [{ path: 'src/words.ts' }] },
      ]);
      expect(tried.value.refused).toMatchObject([{ status: 'refused', edits: [{ path: 'src/numbers.ts' }] }]);

      expect((await selfware.run(['learn', 'recipes', '--accept', id])).code).toBe(0);
      const shown = await selfware.json(['analyse', '--rule', `learned/${id}`]);
      expect(shown.value).toMatchObject([
        { rule: `learned/${id}`, recipe: `learned:${id}`, path: expect.stringMatching(/^src\/(numbers|words)\.ts$/) },
        { rule: `learned/${id}` },
      ]);
      expect((await selfware.run(['learn', 'recipes', '--forget', id])).code).toBe(0);
      expect(
        (await selfware.json(['analyse'])).value.filter(({ rule }: { rule: string }) => /^learned/.test(rule)),
      ).toEqual([]);
    }),
);

test('from uncommitted edits: the places that are left, with the import that they need', () =>
  inRepository(async (selfware, repository) => {
    await repository.write('src/is.ts', 'export const within = <T>(all: T[], one: T): boolean => all.includes(one);\n');
    await repository.git('add', '-A');
    await repository.git('commit', '-qm', 'Add a helper');
    for (const [path, list, item] of [
      ['src/a.ts', 'names', 'name'],
      ['src/b.ts', 'tags', "'known'"],
    ] as const) {
      await change(repository, path, `${list}.indexOf(${item}) !== -1`, `within(${list}, ${item})`);
      await repository.write(path, `import { within } from './is.ts';\n${await repository.read(path)}`);
    }
    const found = await selfware.json(['learn', 'recipes', '--from-diff']);
    expect(found.value.recipes).toMatchObject([
      { recipe: { pattern: '$a.indexOf($b) !== -1', replacement: 'within($a, $b)', commits: 0 } },
    ]);
    const { id } = found.value.recipes[0].recipe;
    const filed = await selfware.json(['learn', 'recipes', '--try', id, '--no-verify']);
    const [proposal] = filed.value.waiting;
    expect(proposal.status).toBe('proposed');
    expect(proposal.edits.map(({ path }: { path: string }) => path)).toEqual(['src/numbers.ts', 'src/words.ts']);
    for (const { after } of proposal.edits) {
      expect(after).toMatch(/^import \{ within \} from '\.\/is\.ts';\n/);
      expect(after).not.toContain('indexOf');
    }
  }));

test('a recipe with a secret is not accepted, because the ledger would store another one', () =>
  inRepository(async (selfware, repository) => {
    const secret = `'${['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')}'`;
    await change(repository, 'src/a.ts', 'names.indexOf(name)', `names.indexOf(name, ${secret})`);
    await change(repository, 'src/b.ts', "tags.indexOf('known')", `tags.indexOf('known', ${secret})`);
    const found = await selfware.json(['learn', 'recipes', '--from-diff']);
    const { id } = found.value.recipes[0].recipe;
    const { code, stderr } = await selfware.run(['learn', 'recipes', '--accept', id]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('looks like a password or a key')]);
  }));

thoroughTest('from the examples of a proposer, which is told why two edits were of no use', () =>
  inRepository(async (selfware) => {
    const edit = (file: string, search: string, replace: string) => ({ file, search, replace });
    const [a, b, numbers] = [
      edit('src/a.ts', 'names.indexOf(name) !== -1', 'names.includes(name)'),
      edit('src/b.ts', "tags.indexOf('known') !== -1", "tags.includes('known')"),
      edit('src/numbers.ts', 'ids.indexOf(id) !== -1', 'ids.lastIndexOf(id) >= 0'),
    ] as const;
    const helped = (file: string, search: string, replace: string) => [
      edit(file, search, replace),
      edit(file, 'export const', "import { within } from 'array-within';\nexport const"),
    ];
    const replies = [
      [edit('test/all.test.ts', "'one'", "'two'")],
      [a, numbers],
      [
        ...helped('src/a.ts', 'names.indexOf(name) !== -1', 'within(names, name)'),
        ...helped('src/b.ts', "tags.indexOf('known') !== -1", "within(tags, 'known')"),
      ],
      [a, b],
    ];
    const mail = join(selfware.home, 'mail');
    const answers = await answerMailbox(mail, () => replies.shift() ?? []);
    const ask = ['learn', 'recipes', '--ask', 'Ask includes, not indexOf.', '--proposer', `mailbox:${mail}`];
    try {
      const set = ['--set', 'models.answerSeconds=60'];
      const none = await selfware.run([...ask, ...set]);
      expect(none.code).toBe(2);
      expect(none.stderr).toContain('within is not in the repository');
      expect(none.stderr).toMatch(/\d tokens asked/);
      const found = await selfware.json([...ask, ...set]);
      expect(found.value.recipes, found.stderr).toMatchObject([
        {
          recipe: { pattern: '$a.indexOf($b) !== -1', replacement: '$a.includes($b)', author: 'model', edits: 2 },
          places: [{ path: 'src/a.ts' }, { path: 'src/b.ts' }, { path: 'src/numbers.ts' }, { path: 'src/words.ts' }],
        },
      ]);
      expect(found.value.usage).toMatchObject({ estimated: true });
      const texts = answers.asked.map(({ text }) => text);
      expect(texts[0]).toContain('Begin this migration');
      expect(texts[0]).toContain('ids.indexOf(id) !== -1');
      expect(texts[1]).toContain('It changed test/all.test.ts.');
      expect(texts[2]).toContain('have no shape in common');
      expect(texts[2]).toContain('src/numbers.ts: ids.indexOf(id) !== -1 → ids.lastIndexOf(id) >= 0');

      const { id } = found.value.recipes[0].recipe;
      const tried = await selfware.json(['learn', 'recipes', '--try', id]);
      // The examples are judged like the rest: `indexOf` does not find NaN. Nobody at a terminal tries the recipe, and
      // an agent is trusted less than the model.
      expect(tried.value.refused, tried.stderr).toMatchObject([
        { author: 'agent', edits: [{ path: 'src/numbers.ts' }] },
      ]);
      // Of all attempts at this migration, once for all proposals.
      const { cost } = tried.value;
      expect(cost).toMatchObject({ recipe: id, attempts: 4, usage: { estimated: true } });
      expect(cost.usage.input).toBeGreaterThan(found.value.usage.input);
      const shown = await selfware.run(['proposals', 'show', tried.value.refused[0].id]);
      expect(shown.stdout).toMatch(/Learned from examples that cost about [\d,]+ tokens to ask .*\(4 attempts\)/);
      const again = await selfware.run(['learn', 'recipes', '--try', id]);
      expect(again.stderr).toContain('The words were “Ask includes, not indexOf.”');

      // What the checks refused is told, also if the words change and earlier attempts do not count.
      replies.push([a, b], [a, b]);
      await selfware.run([...ask, ...set]);
      const inOtherWords = ['--ask', 'Ask includes for strings only, not indexOf.', '--proposer', `mailbox:${mail}`];
      await selfware.run([
        ...['learn', 'recipes', ...inOtherWords, '--again', '--after', 'Ask includes, not indexOf.'],
        ...set,
      ]);
      for (const { text } of answers.asked.slice(4)) {
        expect(text).toContain('A recipe was learned from these examples');
        expect(text).toContain('The checks refused its change of src/numbers.ts. differential: ');
      }
      expect(answers.asked).toHaveLength(6);
      const waiting = tried.value.waiting.flatMap(({ edits }: { edits: { path: string }[] }) => edits);
      expect(waiting.map(({ path }: { path: string }) => path)).toContain('src/words.ts');
    } finally {
      await answers.stop();
    }
  }),
);

const MISTAKES = [
  [['--ask', 'x'], 'Give both'],
  [['--proposer', 'mailbox:x'], 'Give both'],
  [['--ask', ' ', '--proposer', 'mailbox:x'], 'in words'],
  [['--ask', 'x', '--proposer', 'mailbox:x', '--from-diff'], '--ask goes with none of'],
  [['--ask', 'x', '--proposer', 'mailbox:x', '--accepted'], '--ask goes with none of'],
  [['--ask', 'Quux.', '--proposer', 'mailbox:x'], 'Nothing in the repository fits these words'],
  [['--again'], '--again goes with --ask or --try'],
  [['--after', 'x'], '--after goes with --ask'],
  [['--try', 'x', '--accept', 'x'], 'Give one of'],
  [['--from-diff', '--since', 'main'], 'Give one of them'],
  [['--no-verify'], '--no-verify goes with --try'],
  [['--commits', 'many'], '--commits'],
  [['--since', 'no-such-branch'], 'There is no commit no-such-branch'],
  [['--try', '00000000'], 'There is no learned recipe 00000000'],
  [['--forget', '00000000'], 'No accepted recipe has the id 00000000'],
] as const;

thoroughTest('options that do not go together, and ids and names that nothing has, are refused with the reason', () =>
  inRepository(async (selfware) => {
    for (const [args, message] of MISTAKES) {
      const { code, stderr } = await selfware.run(['learn', 'recipes', ...args]);
      expect([code, stderr], args.join(' ')).toEqual([2, expect.stringContaining(message)]);
    }
  }),
);
