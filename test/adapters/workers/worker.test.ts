// The real thread with the core's jobs, and its in-process twin.

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { createGrammars, createGrammarsFromNodeModules } from '../../../server/src/adapters/grammars/grammars.ts';
import { findSharedTreeFolder } from '../../../server/src/adapters/packages/sharedTreeFolder.ts';
import { createPythonLinter } from '../../../server/src/adapters/ruff/ruff.ts';
import { repairGrammar } from '../../../server/src/adapters/grammars/repair.ts';
import { PACKAGED_GRAMMARS } from '../../../server/src/adapters/grammars/packagedGrammars.ts';
import { createThreadJobs } from '../../../server/src/app/threadJobs.ts';
import { createInProcessJobs } from '../../../server/src/adapters/workers/inProcessJobs.ts';
import { createWorkerJobs } from '../../../server/src/adapters/workers/workerJobs.ts';
import { createParser } from '../../../server/src/core/index/parse/parser.ts';
import { createJobTable, type Jobs } from '../../../server/src/core/jobs.ts';
import { LANGUAGES } from '../../../server/src/core/model.ts';
const root = join(import.meta.dirname, '..', '..', '..');
const never = new AbortController().signal;
const threads = createWorkerJobs({ entry: join(root, 'server/src/adapters/workers/worker.ts'), threads: 1 });
const inProcess = createInProcessJobs(
  createJobTable({
    grammars: createGrammarsFromNodeModules(),
    sourceTree: createSourceTree,
    lintPython: createPythonLinter(),
  }),
);
afterAll(() => Promise.all([threads.close(), inProcess.close()]));

const text = `import { b } from './b.ts';\n\n/** Adds. */\nexport function add(left: number, right: number): number {\n  if (left > right) {\n    return left + b;\n  }\n  return left + right;\n}\n`;
const file = { path: 'src/add.ts', bytes: new TextEncoder().encode(text), size: text.length, mtimeMs: 5, hash: 'h' };

describe.each<[string, Jobs]>([
  ['thread', threads],
  ['in process', inProcess],
])('%s', (_name, jobs) => {
  test('inspects a file', async () => {
    const [inspected, ...more] = await jobs.run('inspect', [file], never);
    expect(more).toEqual([]);
    expect(inspected!.record).toMatchObject({
      path: 'src/add.ts',
      size: text.length,
      mtimeMs: 5,
      hash: 'h',
      language: 'typescript',
      imports: ['./b.ts'],
      generated: false,
      trouble: null,
      symbols: [{ name: 'add', exported: true }],
    });
    expect(
      inspected!.chunks.map(({ path, startLine, endLine, text: piece }) => [path, startLine, endLine, piece]),
    ).toEqual([['src/add.ts', 1, 9, text.trimEnd()]]);
  });

  test('analyses a file', async () => {
    const [analysis, ...more] = await jobs.run('analyse', [file], never);
    expect(more).toEqual([]);
    expect(analysis).toMatchObject({
      path: 'src/add.ts',
      size: text.length,
      mtimeMs: 5,
      hash: 'h',
      language: 'typescript',
      imports: ['./b.ts'],
      generated: false,
      trouble: null,
      functions: expect.arrayContaining([expect.objectContaining({ name: 'add', cyclomatic: 2, parameters: 2 })]),
    });
    expect(Object.keys(analysis!.measures).length).toBeGreaterThan(0);
  });

  test('finds what a file refers to', async () => {
    const [relations] = await jobs.run('relate', [file], never);
    expect(relations).toMatchObject({
      path: 'src/add.ts',
      hash: 'h',
      language: 'typescript',
      symbols: [{ name: 'add' }],
      imports: ['./b.ts'],
      references: { bindings: [['./b.ts', 'b', 'b']] },
    });
  });

  test('takes what no parser likes', async () => {
    const files = [
      ['deep.ts', `const a = ${`${'('.repeat(100)}\n`.repeat(1000)}1${`${')'.repeat(100)}\n`.repeat(1000)};\n`],
      ['deep.py', `${'('.repeat(50)}\n`.repeat(2000)],
      ['broken.rs', 'fn ((('],
      ['data.bin', '\0\0'],
      ['empty.go', ''],
    ].map(([path, content]) => ({
      path: path!,
      bytes: new TextEncoder().encode(content),
      size: 1,
      mtimeMs: 1,
      hash: 'h',
    }));
    const output = await jobs.run('inspect', [...files, file], never);
    expect(output.map(({ record }) => record.path)).toEqual([...files.map(({ path }) => path), 'src/add.ts']);
    expect(output.at(-1)!.record.trouble).toBeNull();
    expect(output[0]!.chunks.length).toBeGreaterThan(0);
    expect(output[3]!.record.trouble).toBe('binary');
    const analyses = await jobs.run('analyse', [...files, file], never);
    expect(analyses.map(({ path }) => path)).toEqual(output.map(({ record }) => record.path));
    expect(analyses.at(-1)!.trouble).toBeNull();
    // Nested beyond what the analysis can follow: said to be unmeasured.
    expect(analyses[0]).toMatchObject({ trouble: 'parse failed', measures: {} });
    expect(analyses[3]!.trouble).toBe('binary');
    expect((await jobs.run('relate', [...files, file], never)).map(({ path }) => path)).toEqual(
      output.map(({ record }) => record.path),
    );
  });

  test('says what does not parse', async () => {
    expect(await jobs.run('syntax', { path: 'a.ts', text, earlier: null }, never)).toEqual([]);
    expect(await jobs.run('syntax', { path: 'a.ts', text: 'function (', earlier: null }, never)).not.toEqual([]);
    // The grammar does not know it.
    const fresh = "export type * from './types';\n";
    expect(await jobs.run('syntax', { path: 'a.ts', text: fresh, earlier: null }, never)).toEqual([]);
    expect(await jobs.run('syntax', { path: 'notes.md', text: 'function (', earlier: null }, never)).toEqual([]);
    expect(await jobs.run('syntax', { path: 'a.json', text: '{ "a": 1 ', earlier: null }, never)).toEqual([
      { code: 'data', message: expect.stringMatching(/^It is not valid JSON: /) },
    ]);
    expect(await jobs.run('syntax', { path: 'a.unknown', text: 'function (', earlier: null }, never)).toBeNull();
  });
});

test('both give the same', async () => {
  expect(await threads.run('inspect', [file], never)).toEqual(await inProcess.run('inspect', [file], never));
});

test('grammars from a folder parse every language; a missing one is said', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'selfware-grammars-'));
  const installed = createGrammarsFromNodeModules();
  await writeFile(join(dir, 'tree-sitter.wasm'), await installed.runtime());
  for (const language of LANGUAGES)
    await writeFile(
      join(dir, `${language}.wasm.br`),
      brotliCompressSync(
        repairGrammar(language, await readFile(join(root, 'node_modules', PACKAGED_GRAMMARS[language]))),
        { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
      ),
    );
  const grammars = createGrammars(dir);
  const parser = createParser(grammars);
  for (const language of LANGUAGES) expect((await parser.parse(language, 'a'))?.rootNode.text).toBe('a');
  parser.close();
  expect((await grammars.runtime()).byteLength).toBeGreaterThan(10_000);
  await rm(dir, { recursive: true });
  await expect(grammars.load('go')).rejects.toMatchObject({ reason: 'unavailable' });
});

const AMOUNT = 'export type Amount = { cents: number };';
const TWICE =
  "import type { Amount } from 'amounts';\nexport const twice = (amount: Amount) => amount.cents + amount.cents;\n";

test.each<[string, string, string, string]>([
  ['a copy sees the packages of the original', 'original/node_modules/amounts', 'copy', ''],
  ['a part of a copy sees them, too', 'original/node_modules/amounts', 'copy/part', 'part'],
  ['a session sees those of the set-up', 'state/packages/abcdef12/tree/node_modules/amounts', 'copy', ''],
  [
    'a part of a repository sees those of its own',
    'state/packages/abcdef12/tree/part/node_modules/amounts',
    'copy/part',
    '',
  ],
])('%s, and plans with their types', async (_, packageFolder, root, prefix) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'selfware-copy-')));
  for (const path of [packageFolder, root, 'copy/.git', 'state/packages'])
    await mkdir(join(folder, path), { recursive: true });
  await writeFile(join(folder, packageFolder, 'index.d.ts'), AMOUNT);
  await writeFile(join(folder, 'state/packages/lent.json'), '{ "name": "abcdef12" }');
  await writeFile(join(folder, root, 'twice.ts'), TWICE);
  const jobs = createThreadJobs(join(folder, root), {
    ...{ built: false, threads: 1, setUpIn: join(folder, 'state') },
    ...(packageFolder.startsWith('original') ? { packagesOf: join(folder, 'original'), prefix } : {}),
  });
  try {
    const after = TWICE.replace('amount.cents + amount.cents', '2 * amount.cents');
    const edits = [{ path: 'twice.ts', before: TWICE, after }];
    const plan = await jobs.run('planDifferential', { rootDir: join(folder, root), edits }, never);
    expect(plan.gaps).toEqual([]);
    expect(plan.targets[0]).toMatchObject({
      parameters: [{ shape: { kind: 'record', fields: [{ name: 'cents', shape: { kind: 'number' } }] } }],
    });
  } finally {
    await jobs.close();
    await rm(folder, { recursive: true });
  }
});

test.each(['', '{', '[]', '{ "name": 5 }', '{ "name": "../../etc" }', '{ "name": "abcdef12" }'])(
  'a record of the set-up that names no stored packages is left alone: %s',
  async (text) => {
    const state = await mkdtemp(join(tmpdir(), 'selfware-state-'));
    expect(findSharedTreeFolder(state)).toBeNull();
    await mkdir(join(state, 'packages'));
    await writeFile(join(state, 'packages/lent.json'), text);
    expect(findSharedTreeFolder(state)).toBeNull();
    await rm(state, { recursive: true });
  },
);
