// What every implementation of TreeWriter promises, on disk and in memory.

import { afterEach, describe, expect, it } from 'vitest';
import { createDiskWriter } from '../../../server/src/adapters/files/diskWriter.ts';
import { createWorkingTree } from '../../../server/src/adapters/files/workingTree.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import type { Files, FileWrite, TreeWriter } from '../../../server/src/core/ports/files.ts';

interface Stage {
  readonly files: Files;
  readonly writer: TreeWriter;
}

const disposals: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0)) await dispose();
});

const makers: Readonly<Record<string, (contents: Readonly<Record<string, string>>) => Promise<Stage>>> = {
  'on disk': async (contents) => {
    const repository = await createTemporaryRepository(contents, { git: false });
    disposals.push(repository.dispose);
    return { files: await createWorkingTree(repository.dir), writer: createDiskWriter(repository.dir) };
  },
  'in memory': async (contents) => {
    const files = createMemoryFiles(contents);
    return { files, writer: files.writer };
  },
};

const start = { 'a.ts': 'one\n', 'b/c.ts': 'two\n' };

function change(path: string, before: string | null, after: string | null, mode = 0o644): FileWrite {
  return {
    path,
    before: before === null ? null : Buffer.from(before),
    after: after === null ? null : Buffer.from(after),
    mode,
  };
}

async function contents(files: Files): Promise<Record<string, string>> {
  const { files: found } = await files.walk({ maxBytes: 1e6, exclude: [] }, new AbortController().signal);
  const entries = await Promise.all(
    found.map(async ({ path }) => [path, Buffer.from((await files.read(path)) ?? []).toString()] as const),
  );
  return Object.fromEntries(entries);
}

describe.each(Object.entries(makers))('TreeWriter %s', (_name, make) => {
  const written: readonly [string, FileWrite[], Record<string, string>][] = [
    ['nothing', [], start],
    ['a change', [change('a.ts', 'one\n', 'ONE\r\n')], { ...start, 'a.ts': 'ONE\r\n' }],
    ['an emptied file', [change('a.ts', 'one\n', '')], { ...start, 'a.ts': '' }],
    ['a new file in new folders', [change('n/e/w -x.ts', null, 'new')], { ...start, 'n/e/w -x.ts': 'new' }],
    ['a deletion', [change('b/c.ts', 'two\n', null)], { 'a.ts': 'one\n' }],
    [
      'a move',
      [change('a.ts', 'one\n', null), change('b/a.ts', null, 'one\n')],
      { 'b/a.ts': 'one\n', 'b/c.ts': 'two\n' },
    ],
    ['a deletion that is done already', [change('gone.ts', null, null)], start],
  ];
  it.each(written)('writes %s', async (_case, writes, expected) => {
    const { files, writer } = await make(start);
    await writer.write(writes, 'test');
    expect(await contents(files)).toEqual(expected);
  });

  const refused: readonly [string, FileWrite, string][] = [
    ['a file that changed', change('b/c.ts', 'other\n', 'x'), 'stale'],
    ['a file that is gone', change('gone.ts', 'was here', 'x'), 'stale'],
    ['a new file that exists', change('b/c.ts', null, 'x'), 'stale'],
    ['a deletion of a file that changed', change('b/c.ts', 'other\n', null), 'stale'],
    ['a folder in place of the file', change('b', null, 'x'), 'stale'],
    ['a path out of the root', change('../x.ts', null, 'x'), 'forbidden'],
    ['a path in another spelling', change('b/../x.ts', null, 'x'), 'forbidden'],
    ['an absolute path', change('/tmp/x.ts', null, 'x'), 'forbidden'],
    ['.git', change('.git/hooks/pre-commit', null, 'x'), 'forbidden'],
    ['.GIT of a folder', change('b/.GIT/config', null, 'x'), 'forbidden'],
    ['the root', change('', null, 'x'), 'forbidden'],
  ];
  it.each(refused)('refuses %s before anything is written', async (_case, write, reason) => {
    const { files, writer } = await make(start);
    await expect(writer.write([change('a.ts', 'one\n', 'ONE'), write], 'test')).rejects.toMatchObject({ reason });
    expect(await contents(files)).toEqual(start);
  });

  it('keeps the mode of a file, and gives a new one the mode asked for', async () => {
    const { files, writer } = await make(start);
    await writer.write([change('run.sh', null, '1', 0o755)], 'test');
    await writer.write([change('run.sh', '1', '2', 0o600), change('a.ts', 'one\n', 'x', 0o755)], 'test');
    expect((await files.stat('run.sh'))?.mode).toBe(0o755);
    expect((await files.stat('a.ts'))?.mode).toBe(0o644);
  });
});
