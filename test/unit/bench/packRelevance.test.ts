// The bench of packs finds fixes in a history, packs at their parents, and says what is shown.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packRelevance } from '../../bench/packRelevance.ts';
import { findFixes, readTouchedLines } from '../../bench/packRelevance/fixes.ts';
import { showFilesInARow, showWholeFiles } from '../../bench/packRelevance/judge.ts';
import { readShown } from '../../bench/packRelevance/shownLines.ts';
import { readRequest } from '../../bench/options.ts';

const run = promisify(execFile);
const signal = new AbortController().signal;
let dir: string;

const till = (sum: string) =>
  `/* Copyright Ada */\nimport { coin } from './coin.ts';\n\n/** Takes money. */\nexport function takeMoney(count: number): number {\n  return ${sum};\n}\n`;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'selfware-pack-relevance-'));
  const git = (...args: string[]) =>
    run('git', ['-C', dir, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args]);
  const commit = async (subject: string, files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) await writeFile(join(dir, path), text);
    await git('add', '-A');
    await git('commit', '-q', '-m', subject);
  };
  await git('init', '-q');
  await commit('Fix the first commit', { 'till.ts': till('count') });
  await commit('Add notes', { 'notes.md': '# Notes\n' });
  await commit('fix: money is taken twice', { 'till.ts': till('count * coin') });
  await commit('Fix a typo', { 'till.ts': till('count * coin').replace('Takes', 'Gets') });
  await commit('Fix notes about money', { 'notes.md': '# Money\n' });
  await commit('Fix too much', { 'till.ts': till('1') + 'more();\n'.repeat(300) });
});

afterAll(() => rm(dir, { recursive: true, force: true }));

const options = (keep: string | null) => {
  const request = readRequest(
    ['pack-relevance', '--at', dir, '--commits', '5', ...(keep ? ['--keep', keep] : [])],
    [packRelevance],
  );
  if ('help' in request) throw new Error(request.help);
  return { ...request.options, scratch: dir, note: () => undefined };
};

test('fixes of code that existed before, with the lines that they touched', async () => {
  const fixes = await findFixes(dir, 10, signal);
  expect(
    fixes.map(({ subject, touched }) => [subject, [...touched].map(([path, lines]) => [path, [...lines]])]),
  ).toEqual([['fix: money is taken twice', [['till.ts', [6]]]]]);
});

test('an insertion touches the lines beside it, a change and a deletion their own', () => {
  expect([...readTouchedLines('@@ -3,0 +4,2 @@\n+a\n+b\n@@ -7,2 +9 @@ f()\n-a\n-b\n+c\n@@ -12 +0,0 @@\n-a\n')]).toEqual(
    [3, 4, 7, 8, 12],
  );
});

test('shows the shares, and continues from what was kept', async () => {
  const keep = join(dir, '.git', 'kept.json');
  const tables = await packRelevance.run(options(keep), signal);
  expect(tables[0]!.rows).toEqual([4_000, 8_000, 16_000, 32_000].map((budget) => [budget, 1, 1, 1, 1, 1]));
  const kept = JSON.parse(await readFile(keep, 'utf8')) as Record<string, Record<string, { pack: number }[]>>;
  for (const ofRepository of Object.values(kept))
    for (const judged of Object.values(ofRepository)) for (const one of judged) one.pack = 0.25;
  await writeFile(keep, JSON.stringify(kept));
  const again = await packRelevance.run(options(keep), signal);
  expect(again[0]!.rows.map(([, , pack]) => pack)).toEqual([0.25, 0.25, 0.25, 0.25]);
});

test('a folder without a commit gets a message', async () => {
  await expect(
    packRelevance.run({ ...options(null), at: [join(dir, '.git', 'hooks', 'none')] }, signal),
  ).rejects.toThrow(/is no git repository with a commit/);
});

test('what a text shows, and what its tokens are spent on', () => {
  const texts = new Map([
    ['a.ts', till('count')],
    ['b.ts', 'one();\n}\ntwo();\n}\nthree();\n'],
    ['c.ts', 'four();\n'],
  ]);
  const text = `# Working memory\n\ntask: x\n# Repository\n\nHead.\n\n## a.ts\n${till('count')}\n## b.ts\n…\n}\nthree();\n\n## c.ts\n\n`;
  const { lines, spent, headings, emptyHeadings } = readShown(text, texts);
  expect([...lines].map(([path, numbers]) => [path, [...numbers]])).toEqual([
    ['a.ts', [1, 2, 3, 4, 5, 6, 7]],
    ['b.ts', [4, 5]],
    ['c.ts', []],
  ]);
  expect([headings, emptyHeadings]).toEqual([3, 1]);
  expect(spent.boilerplate).toBe(Math.ceil('/* Copyright Ada */\nimport { coin } from "./coin.ts";\n'.length / 3.5));
  expect(spent.memory).toBe(Math.ceil('# Working memory\n\ntask: x\n'.length / 3.5));
});

test('whole files leave out what does not fit, files in a row are cut', () => {
  const texts = new Map([
    ['long.ts', 'x();\n'.repeat(100)],
    ['short.ts', 'y();\n'],
  ]);
  expect([...showWholeFiles([...texts.keys()], texts, 30)].map(([path, { size }]) => [path, size])).toEqual([
    ['short.ts', 1],
  ]);
  const [[path, lines]] = [...showFilesInARow([...texts.keys()], texts, 30)] as [[string, Set<number>]];
  expect(path).toBe('long.ts');
  expect(lines.size).toBeGreaterThan(10);
  expect(lines.size).toBeLessThan(30);
});
