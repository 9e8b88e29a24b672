// Broken and hostile files do not keep the good files beside them from being indexed.

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { asOrdinaryUser } from '../../helpers/ordinaryUser.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { openIndex, type TestIndex } from './indexing.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function indexOf(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{ index: TestIndex; repository: TemporaryRepository }> {
  const state = await mkdtemp(join(tmpdir(), 'selfware-index-'));
  cleanups.push(() => rm(state, { recursive: true, force: true }));
  const repository = await createTemporaryRepository(files, { git: false });
  cleanups.push(() => repository.dispose());
  const index = await openIndex(repository.dir, state);
  cleanups.push(() => index.close());
  return { index, repository };
}

const good = 'export function good(): number {\n  return 1;\n}\n';
const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ['10 MB of text', 'big.ts', 'let a = 1;\n'.repeat(1_000_000), { skipped: 'too large' }],
  ['binary', 'picture.ts', new Uint8Array([0x89, 0x50, 0, 0, 1]), { skipped: 'binary' }],
  ['Latin-1', 'latin.ts', new Uint8Array([0x2f, 0x2f, 0x20, 0xfc]), { skipped: 'not utf-8' }],
  ['UTF-16', 'wide.ts', new Uint8Array([0xff, 0xfe, 0x61, 0x00]), { skipped: 'not utf-8' }],
  ['empty', 'empty.ts', '', { chunks: 0 }],
  ['only blanks', 'blank.ts', ' \n\t\n', { chunks: 0 }],
  ['byte-order mark', 'mark.ts', new Uint8Array([0xef, 0xbb, 0xbf, ...bytes(good)]), { chunks: 1, symbols: ['good'] }],
  ['CRLF', 'windows.ts', good.replaceAll('\n', '\r\n'), { chunks: 1, symbols: ['good'] }],
  ['lone CR', 'old.ts', good.replaceAll('\n', '\r'), { chunks: 1, symbols: ['good'] }],
  ['broken syntax', 'broken.ts', `${good}function (((\n`, { chunks: 1, symbols: ['good'] }],
  [
    'deep nesting',
    'deep.ts',
    `const a = ${`${'('.repeat(100)}\n`.repeat(1000)}1${`${')'.repeat(100)}\n`.repeat(1000)};\n`,
    { symbols: ['a'] },
  ],
  ['one line of 900 KB', 'app.js', `${'var a=1;'.repeat(115_000)}\n`, { chunks: 1, generated: true }],
  [
    'lines of 100 KB',
    'data.ts',
    `export const data = [\n${`  '${'x'.repeat(100_000)}',\n`.repeat(3)}];\n`,
    { generated: true },
  ],
  ['odd name', 'a b/ünï "quo\'te$.ts', good, { chunks: 1, symbols: ['good'] }],
] as const)(
  '%s',
  async (_name, path, content, expected: {
    skipped?: string;
    chunks?: number;
    symbols?: readonly string[];
    generated?: boolean;
  }) => {
    const { index } = await indexOf({ [path]: content, 'good.ts': good.replace('good', 'neighbour') });
    const first = await index.refresh();
    const record = first.records.find((candidate) => candidate.path === path);
    if (expected.skipped) {
      expect(record).toBeUndefined();
      expect(first.skipped).toEqual([{ path, reason: expected.skipped }]);
    } else {
      expect(first.skipped).toEqual([]);
      expect(record).toMatchObject({ trouble: null, generated: expected.generated ?? false });
      if (expected.chunks !== undefined) expect(record!.chunks).toHaveLength(expected.chunks);
      if (expected.symbols) expect(record!.symbols.map(({ name }) => name)).toEqual(expected.symbols);
    }
    expect((await index.search('neighbour'))[0]?.path).toBe('good.ts');
    const again = await index.refresh();
    expect([again.embedded, again.skipped, again.changedPaths]).toEqual([0, first.skipped, []]);
  },
);

test('a file that goes, or becomes unreadable, between walk and read', async () => {
  const { index, repository } = await indexOf({ 'good.ts': good, 'gone.ts': good });
  const { files } = index.context;
  const context = index.context as { files: typeof files };
  context.files = {
    ...files,
    read: async (path) =>
      path === 'gone.ts' ? (await rm(join(repository.dir, path), { force: true }), files.read(path)) : files.read(path),
  };
  expect((await index.refresh()).records.map(({ path }) => path)).toEqual(['good.ts']);
  expect((await index.refresh()).skipped).toEqual([]);
});

test('an unreadable file is said each time and harms nobody', async () => {
  const repository = await createTemporaryRepository({ 'tree/good.ts': good, 'tree/secret.ts': good }, { git: false });
  cleanups.push(() => repository.dispose());
  await chmod(join(repository.dir, 'tree/secret.ts'), 0o000);
  await asOrdinaryUser(repository.dir, async () => {
    const index = await openIndex(join(repository.dir, 'tree'), join(repository.dir, 'state'));
    for (let round = 0; round < 2; round++) {
      const { records, skipped } = await index.refresh();
      expect([records.map(({ path }) => path), skipped]).toEqual([
        ['good.ts'],
        [{ path: 'secret.ts', reason: 'unreadable' }],
      ]);
    }
    await index.close();
  });
});

test('a text file that turns binary is forgotten, and comes back', async () => {
  const { index, repository } = await indexOf({ 'a.ts': good });
  await index.refresh();
  await writeFile(join(repository.dir, 'a.ts'), new Uint8Array([0, 1, 2]));
  const binary = await index.refresh();
  expect([binary.records, binary.changedPaths]).toEqual([[], ['a.ts']]);
  expect(await index.search('good')).toEqual([]);
  expect(await index.context.chunks.ids()).toEqual(await index.context.catalogue.trimShelf());
  await repository.write('a.ts', good);
  expect((await index.refresh()).embedded).toBe(0);
  expect((await index.search('good')).map(({ path }) => path)).toEqual(['a.ts']);
});
