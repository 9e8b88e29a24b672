// What commands do to the files that judge them: seen, put back, and judged by what they do without the change.

import { expect, test } from 'vitest';
import { isJudge } from '../../../server/src/core/session/verify/judgeFiles.ts';
import { createBaselineCache } from '../../../server/src/core/verify/baseline.ts';
import { findDisturbance } from '../../../server/src/core/verify/integrity/disturbance.ts';
import { createWatch, type TouchedFile } from '../../../server/src/core/verify/integrity/watchJudgeFiles.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { edit, toldBy, verifying } from './verifying.ts';
import type { Worktree } from '../../../server/src/core/ports/sandbox.ts';
import { createPart } from '../../helpers/createPart.ts';

const files = {
  'src/a.js': 'a',
  'src/b.js': 'b',
  'test/a.test.js': 'test',
  'test/data.txt': 'data',
  'package.json': '{}',
  '__snapshots__/a.snap': 'snap',
  'fixtures/pixel.png': '\uFFFD',
  'coverage/test/a.test.js.html': '50 %',
  '.tap/test-results/test/a.test.js.tap': 'ok',
  'test/fixtures/coverage/expected.xml': '<a/>',
};

/** `runs`: each changes the files at will; what the watch then says. */
async function watching(...runs: readonly ((texts: Map<string, string>) => void)[]) {
  const texts = new Map(Object.entries(files));
  const worktree = createPart<Worktree>({
    list: async () => [...texts.keys()],
    read: async (path: string) =>
      path.endsWith('.png')
        ? new Uint8Array([0xff, texts.get(path)!.length])
        : new TextEncoder().encode(texts.get(path)),
    async write(edits: readonly { path: string; after: string | null }[]) {
      for (const { path, after } of edits) after === null ? texts.delete(path) : texts.set(path, after);
    },
  });
  const watch = createWatch(worktree, isJudge, ['src/a.js']);
  const said: string[][] = [];
  await watch.look();
  for (const run of runs) {
    run(texts);
    said.push(
      (await watch.restore())
        .map(({ path, before, after }) => `${path} ${before === null ? 'made' : after === null ? 'gone' : 'other'}`)
        .sort(),
    );
  }
  return { said, texts: Object.fromEntries(texts) };
}

test('a page of a coverage report is not taken for the test after which it is named', async () => {
  const { said, texts } = await watching((all) => all.set('coverage/test/a.test.js.html', '75 %'));
  expect(said).toEqual([[]]);
  expect(texts['coverage/test/a.test.js.html']).toBe('75 %');
});

test('what tap records of a run is not taken for the tests after which it is named', async () => {
  const record = '.tap/test-results/test/a.test.js.tap';
  const { said, texts } = await watching((all) => all.set(record, 'not ok'));
  expect(said).toEqual([[]]);
  expect(texts[record]).toBe('not ok');
});

test('an expected report among the data of tests is watched', async () => {
  const { said, texts } = await watching((all) => all.set('test/fixtures/coverage/expected.xml', '<b/>'));
  expect(said).toEqual([['test/fixtures/coverage/expected.xml other']]);
  expect(texts['test/fixtures/coverage/expected.xml']).toBe('<a/>');
});

test('judge files and edited files are watched, and put back', async () => {
  const { said, texts } = await watching(
    (all) => {
      all
        .set('test/a.test.js', 'nothing')
        .set('package.json', '{"a": 1}')
        .set('__snapshots__/a.snap', 'other')
        .set('src/a.js', 'b')
        .set('src/b.js', 'c');
      all.delete('test/data.txt');
      all
        .set('vitest.config.js', '')
        .set('test/more.test.js', '')
        .set('packages/x/package.json', '')
        .set('test/output.log', '')
        .set('dist/a.test.js', '');
    },
    () => {},
  );
  expect(said).toEqual([
    [
      '__snapshots__/a.snap other',
      'package.json other',
      'packages/x/package.json made',
      'src/a.js other',
      'test/a.test.js other',
      'test/data.txt gone',
      'test/more.test.js made',
      'vitest.config.js made',
    ],
    [],
  ]);
  // What is no judge stays as the run left it.
  expect(texts).toEqual({ ...files, 'src/b.js': 'c', 'test/output.log': '', 'dist/a.test.js': '' });
});

test('data that tests leave behind is theirs, also when they write it again', async () => {
  const { said } = await watching(
    (all) => all.set('test/tmp/1.json', '1'),
    (all) => all.set('test/tmp/1.json', '2'),
    (all) => all.delete('test/tmp/1.json'),
  );
  expect(said).toEqual([[], [], []]);
});

test('what cannot be put back is said once', async () => {
  const { said } = await watching(
    (all) => all.set('fixtures/pixel.png', '12'),
    () => {},
    (all) => all.set('fixtures/pixel.png', '123'),
  );
  expect(said).toEqual([['fixtures/pixel.png other'], [], ['fixtures/pixel.png other']]);
});

test('a run is held against what it does without the change', () => {
  const touched = (path: string, after: string | null = 'x', before: string | null = 'o'): TouchedFile => ({
    path,
    before,
    after,
  });
  const check = (candidate: readonly TouchedFile[], base: readonly TouchedFile[] | null, expected: RegExp | null) => {
    const found = findDisturbance('npm test', candidate, base, [edit('src/a.js', 'a', 'b')]);
    expect(found && `${found.outcome}: ${found.reason}`).toEqual(
      expected === null ? null : expect.stringMatching(expected),
    );
  };
  check([], [], null);
  check([touched('test/a.js')], [touched('test/a.js')], null);
  check([touched('test/a.js', null)], [touched('test/a.js', null)], null);
  check(
    [touched('test/a.js')],
    [],
    /^failed: With the change, `npm test` rewrites test\/a\.js while it runs: what judges the change was changed by it\.$/,
  );
  check(
    [touched('test/a.js', null), touched('b.config.js', 'x', null)],
    [],
    /^failed: .*removes test\/a\.js while it runs, and 1 more:/,
  );
  check([touched('b.config.js', 'x', null)], [], /^failed: .*creates b\.config\.js/);
  check(
    [touched('a.snap', 'y')],
    [touched('a.snap', 'x')],
    /^failed: .*rewrites its snapshots instead of comparing them, and writes a different a\.snap with the change\.$/,
  );
  check(
    [touched('test/log.txt', 'y')],
    [touched('test/log.txt', 'x')],
    /^unknown: .*rewrites test\/log\.txt while it runs, and writes something different/,
  );
  check(
    [touched('src/a.js', 'x')],
    [touched('src/a.js', 'x')],
    /^unknown: .*rewrites src\/a\.js, which the proposal edits: what was checked is not what would be applied\.$/,
  );
});

test('tests that change their judges while they run do not pass', async () => {
  const script =
    "import { readFileSync, writeFileSync } from 'node:fs';\nif (readFileSync('a.js', 'utf8') !== 'let a = 1;\\n') writeFileSync('test/a.test.js', '');\nconsole.log('TAP version 13\\nok 1 - one\\n1..1');\n";
  await using given = await verifying({
    'a.js': 'let a = 1;\n',
    'run.mjs': script,
    'test/a.test.js': 'x\n',
    'test/a.snap': 'x\n',
  });
  const check = async (testCommand: string, expected: string) =>
    expect(
      toldBy(
        'tests',
        await given.verify([edit('a.js', 'let a = 1;\n', 'let a = 2;\n')], { settings: { testCommand } }),
      ),
    ).toBe(`tests ${expected}`);
  await check(
    'node run.mjs',
    'failed: With the change, `node run.mjs` rewrites test/a.test.js while it runs: what judges the change was changed by it.',
  );
  await check(
    'cat a.js > test/a.snap && echo TAP version 13 && echo ok 1 && echo 1..1',
    'failed: `cat a.js > test/a.snap && echo TAP version 13 && echo ok 1 && echo 1..1` rewrites its snapshots instead of comparing them, and writes a different test/a.snap with the change.',
  );
  await check('echo y > test/a.snap && echo TAP version 13 && echo ok 1 && echo 1..1', 'passed: 1 test passed.');
  await check(
    "echo 'let a = 1;' > a.js && echo TAP version 13 && echo ok 1 && echo 1..1",
    "unknown: `echo 'let a = 1;' > a.js && echo TAP version 13 && echo ok 1 && echo 1..1` rewrites a.js, which the proposal edits: what was checked is not what would be applied.",
  );
});

test('results are kept by tree, across sessions, within bounds, and damage costs nothing but time', async () => {
  const stored = new Map<string, unknown>();
  const store = {
    read: async <T>(name: string) => (stored.get(name) as T | undefined) ?? null,
    write: async (name: string, value: unknown) => void stored.set(name, JSON.parse(JSON.stringify(value))),
  };
  const cache = createBaselineCache(store);
  await cache.keep('t1', 'npm test', { passed: 1 });
  await cache.keep(null, 'npm test', { passed: 2 });
  const later = createBaselineCache(store);
  expect(await later.find('t1', 'npm test')).toEqual({ passed: 1 });
  for (const [tree, what] of [
    ['t2', 'npm test'],
    ['t1', 'npm run test'],
    [null, 'npm test'],
  ] as const)
    expect(await later.find(tree, what)).toBeUndefined();
  for (let tree = 0; tree < 70; tree += 1) await later.keep(`n${tree}`, 'x', tree);
  expect(await later.find('t1', 'npm test')).toBeUndefined();
  expect(await later.find('n69', 'x')).toBe(69);
  await later.keep('large', 'x', 'y'.repeat(9_000_000));
  expect(JSON.stringify([...stored.values()]).length).toBeLessThan(8_000_100);

  const complaints: string[] = [];
  const broken = createBaselineCache(
    {
      read: async () => {
        throw new SelfwareError('damaged', 'It is damaged.');
      },
      write: async () => {
        throw new SelfwareError('diskFull', 'Full.');
      },
    },
    (message) => complaints.push(message),
  );
  await broken.keep('t1', 'x', 1);
  expect(await broken.find('t1', 'x')).toBe(1);
  expect(complaints).toEqual([
    'The earlier results of the tests could not be read; they are run again.',
    'The results of the tests could not be kept for the next session.',
  ]);
});

test('a file is put back with its mark of the byte order', async () => {
  const texts = new Map([['a.test.js', '\uFEFFmarked']]);
  const worktree = createPart<Worktree>({
    list: async () => [...texts.keys()],
    read: async (path: string) => new TextEncoder().encode(texts.get(path)),
    write: async ([one]: readonly { path: string; after: string }[]) => void texts.set(one!.path, one!.after),
  });
  const watch = createWatch(worktree, isJudge, []);
  await watch.look();
  texts.set('a.test.js', 'rewritten');
  expect((await watch.restore()).map(({ path }) => path)).toEqual(['a.test.js']);
  expect(texts.get('a.test.js')).toBe('\uFEFFmarked');
  expect(await watch.restore()).toEqual([]);
});
