// Edits as a commit, without a work tree: only on a commit that holds the texts before them.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { commitEdits } from '../../../server/src/adapters/git/nightBranch.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

let repository: TemporaryRepository;
let head: string;
beforeAll(async () => {
  repository = await createTemporaryRepository({ 'a.txt': 'one\n', 'b/[x]*.txt': 'two\n', 'c.txt': 'gone\n' });
  head = (await repository.git('rev-parse', 'HEAD')).trim();
});
afterAll(() => repository.dispose());

test('texts are changed, added and deleted, by their exact names; index and files stay', async () => {
  const before = await repository.git('status', '--porcelain');
  const commit = await commitEdits(
    repository.dir,
    head,
    [
      { path: 'b/[x]*.txt', before: 'two\n', after: 'zwei\n' },
      { path: 'c.txt', before: 'gone\n', after: null },
      { path: 'd/new.txt', before: null, after: 'new' },
    ],
    'Again',
  );
  expect((await repository.git('diff', '--name-status', head, commit!)).trim().split('\n').sort()).toEqual(
    ['A\td/new.txt', 'D\tc.txt', 'M\tb/[x]*.txt'].sort(),
  );
  expect(await repository.git('show', `${commit}:b/[x]*.txt`)).toBe('zwei\n');
  expect((await repository.git('rev-parse', `${commit}^`)).trim()).toBe(head);
  expect(await repository.git('status', '--porcelain')).toBe(before);
});

test('a commit with another text is not taken', async () => {
  const edit = (path: string, before: string | null) => [{ path, before, after: 'x' }];
  expect(await commitEdits(repository.dir, head, edit('a.txt', 'uno\n'), 'm')).toBeNull();
  expect(await commitEdits(repository.dir, head, edit('a.txt', null), 'm')).toBeNull();
  expect(await commitEdits(repository.dir, head, edit('e.txt', 'one\n'), 'm')).toBeNull();
});
