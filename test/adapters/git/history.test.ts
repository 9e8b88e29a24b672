// The history of real repositories.

import { expect, test } from 'vitest';
import { createHistory } from '../../../server/src/adapters/git/history.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';

const never = new AbortController().signal;

test('commits come newest first, merges left out, with the files they touched', async () => {
  const repository = await createTemporaryRepository({ 'a.ts': 'a', 'folder/ä b.ts': 'b' });
  await repository.write('a.ts', 'changed');
  await repository.git('commit', '-qam', 'Change a\n\nA body with more words.');
  await repository.git('checkout', '-qb', 'side', 'HEAD~1');
  await repository.write('folder/c.ts', 'c');
  await repository.git('add', '.');
  await repository.git('commit', '-qm', 'Add c');
  await repository.git('checkout', '-q', 'main');
  await repository.git('merge', '-q', '--no-ff', '-m', 'Merge side', 'side');
  const commits = await createHistory(repository.dir).commits(10, never);
  expect(commits.map(({ subject, paths }) => [subject, [...paths].sort()])).toEqual(
    expect.arrayContaining([
      ['Change a', ['a.ts']],
      ['Add c', ['folder/c.ts']],
    ]),
  );
  expect(commits).toHaveLength(3);
  expect(commits.at(-1)!.paths.toSorted()).toEqual(['a.ts', 'folder/ä b.ts']);
  expect(commits[0]!.hash).toMatch(/^[0-9a-f]{40}$/);
  expect(Math.abs(commits[0]!.atMs - Date.now())).toBeLessThan(600_000);
  expect(await createHistory(repository.dir).commits(1, never)).toHaveLength(1);
  await repository.dispose();
});

test('of a folder inside a repository only its own files are told, by their place in it', async () => {
  const repository = await createTemporaryRepository({ 'outside.ts': 'a', 'inner/one.ts': 'b' });
  await repository.write('outside.ts', 'changed');
  await repository.git('commit', '-qam', 'Outside only');
  const commits = await createHistory(`${repository.dir}/inner`).commits(10, never);
  expect(commits.map(({ paths }) => paths)).toEqual([['one.ts']]);
  await repository.dispose();
});

test('without git and without a commit, the history is empty', async () => {
  const plain = await createTemporaryRepository({ 'a.ts': 'a' }, { git: false });
  expect(await createHistory(plain.dir).commits(10, never)).toEqual([]);
  await plain.dispose();
  const unborn = await createTemporaryRepository({ 'a.ts': 'a' }, { commit: false });
  expect(await createHistory(unborn.dir).commits(10, never)).toEqual([]);
  await unborn.dispose();
});

test('control characters in a subject neither hide a commit nor change its paths', async () => {
  const repository = await createTemporaryRepository({ 'a.ts': 'a\n' });
  try {
    const subjects = ['Odd \u001e and \u001f subject', '\u001f', `\u001e${'a'.repeat(40)}\u001f1\u001fInvented\u001f`];
    for (const [at, subject] of subjects.entries()) {
      await repository.write('a.ts', `${at}\n`);
      await repository.git('commit', '-qam', subject);
    }
    const history = createHistory(repository.dir);
    const commits = (await history.commits(3, never)).map(({ subject, paths }) => ({ subject, paths }));
    expect(commits).toEqual(subjects.toReversed().map((subject) => ({ subject, paths: ['a.ts'] })));
    const changes = await history.changes({ since: null, limit: 3, extensions: ['.ts'], signal: never });
    expect(changes.map(({ subject, files }) => [subject, files.map(({ path }) => path)])).toEqual(
      subjects.toReversed().map((subject) => [subject, ['a.ts']]),
    );
  } finally {
    await repository.dispose();
  }
});

test('programs that the configuration names are not run, and a cancelled call says so', async () => {
  const repository = await createTemporaryRepository({ 'a.ts': 'a' });
  const trap = `${repository.dir}/ran`;
  await repository.git('config', 'log.showSignature', 'true');
  await repository.git('config', 'gpg.program', `touch ${trap}`);
  await repository.git('config', 'diff.external', `touch ${trap}`);
  expect(await createHistory(repository.dir).commits(10, never)).toHaveLength(1);
  expect(await repository.read('ran')).toBeNull();
  await expect(createHistory(repository.dir).commits(10, AbortSignal.abort())).rejects.toMatchObject({
    reason: 'cancelled',
  });
  await repository.dispose();
});

test('changed scripts come with both versions, newest first; new, deleted and other files are left out', async () => {
  const repository = await createTemporaryRepository({ 'a.ts': 'one\n', 'b.md': 'x\n', 'gone.ts': 'x\n' });
  try {
    const history = createHistory(repository.dir);
    const start = (await repository.git('rev-parse', 'HEAD')).trim();
    await repository.write('a.ts', 'two ä\n');
    await repository.write('b.md', 'y\n');
    await repository.write('new.ts', 'new\n');
    await repository.git('rm', '-q', 'gone.ts');
    await repository.git('add', '--all');
    await repository.git('commit', '--quiet', '--message', 'Second');
    await repository.write('a.ts', '');
    await repository.git('commit', '--quiet', '--all', '--message', 'Third');
    const range = { since: null, limit: 10, extensions: ['.ts'], signal: never };
    const changes = await history.changes(range);
    expect(changes.map(({ subject, files }) => [subject, files.map(({ path }) => path)])).toEqual([
      ['Third', ['a.ts']],
      ['Second', ['a.ts']],
    ]);
    const files = changes.flatMap((change) => change.files);
    const texts = await history.readBlobs(
      [...files.flatMap(({ beforeId, afterId }) => [beforeId, afterId]), '0'.repeat(40)],
      never,
    );
    const read = (id: string) => new TextDecoder().decode(texts.get(id));
    expect(files.map(({ beforeId, afterId }) => [read(beforeId), read(afterId)])).toEqual([
      ['two ä\n', ''],
      ['one\n', 'two ä\n'],
    ]);
    expect(texts.size).toBe(3);
    expect(await history.changes({ ...range, since: 'HEAD~1' })).toHaveLength(1);
    expect(await history.changes({ ...range, since: start })).toHaveLength(2);
    for (const since of ['no-such-name', '--all'])
      await expect(history.changes({ ...range, since })).rejects.toMatchObject({ reason: 'notFound' });
  } finally {
    await repository.dispose();
  }
});
