// Learning from history: what several commits repeat becomes a pattern; what is content, taste or coincidence does not.

import { expect, test } from 'vitest';
import { learnPatterns } from '../../bench/learned/learn.ts';
import { pastChanges } from '../../bench/learned/pastChanges.ts';
import { smallEdits } from '../../bench/learned/smallEdits.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';

type Change = readonly [before: string, after: string];

/** Each change is a commit of a file of its own. */
function learn(changes: readonly Change[]) {
  const edits = changes.flatMap(([before, after], index) =>
    smallEdits(`commit ${index}`, `src/${index}.ts`, before, after),
  );
  return learnPatterns(edits).map(
    ({ shown, commits, held }) => `${shown.before} → ${shown.after} (${held} of ${commits.length})`,
  );
}

test('three commits that do the same teach a pattern, with holes where they differ', () => {
  expect(
    learn([
      ['if (name == 0) stop();', 'if (name === 0) stop();'],
      ['const empty = list == 0;', 'const empty = list === 0;'],
      ['f(function () { return c == 0; });', 'f(function () { return c === 0; });'],
    ]),
  ).toEqual(['α == 0 → α === 0 (3 of 3)']);
  expect(
    learn([
      ['x = text.substr(1, n);', 'x = text.slice(1, n);'],
      ['g(a.b.substr(0, 2));', 'g(a.b.slice(0, 2));'],
      ['return_(c.substr(d, e + 1));', 'return_(c.slice(d, e + 1));'],
    ]),
  ).toEqual(['α.substr → α.slice (3 of 3)']);
});

test('what is no habit teaches nothing', () => {
  const same: Change = ['if (a == 0) b();', 'if (a === 0) b();'];
  expect(learn([same, same])).toEqual([]);
  // Taste: the other way round as well.
  expect(
    learn([
      same,
      ['if (c == 0) d();', 'if (c === 0) d();'],
      ['e(f == 0);', 'e(f === 0);'],
      ['g(h === 0);', 'g(h == 0);'],
    ]),
  ).toEqual([]);
  // Content: names, texts and numbers.
  expect(
    learn([
      ['a(1);', 'a(2);'],
      ['b(1);', 'b(2);'],
      ['c(1);', 'c(2);'],
    ]),
  ).toEqual([]);
  // The new code needs what the old one does not have.
  expect(
    learn([
      ['a(b == 0);', 'a(b === 0 || x);'],
      ['c(d == 0);', 'c(d === 0 || y);'],
      ['e(f == 0);', 'e(f === 0 || z);'],
    ]),
  ).toEqual([]);
  // Left out, the third one is none of those that the other two teach.
  expect(
    learn([
      ['a(b.c == 0);', 'a(b.c === 0);'],
      ['d(e.f == 0);', 'd(e.f === 0);'],
      ['g(h(i) == 0);', 'g(h(i) === 0);'],
    ]),
  ).toEqual([]);
  // Broken.
  expect(smallEdits('c', 'a.ts', 'a(b == 0);', 'a(b === ;')).toEqual([]);
});

test('a history is read with the texts before and after', async () => {
  const repository = await createTemporaryRepository({
    'a.ts': 'one(a == 0);\n',
    'b.ts': 'two(b == 0);\n',
    'c.ts': 'three(c == 0);\n',
    'd.md': 'x == 0\n',
  });
  try {
    for (const path of ['a.ts', 'b.ts', 'c.ts', 'd.md']) {
      await repository.write(path, ((await repository.read(path)) ?? '').replace('==', '==='));
      await repository.git('commit', '--quiet', '--all', '--message', `Strict in ${path}`);
    }
    const changes = pastChanges(repository.dir, 100);
    expect(changes.map(({ path, before, after }) => ({ path, before, after }))).toEqual(
      ['c', 'b', 'a'].map((name, index) => ({
        path: `${name}.ts`,
        before: `${['three', 'two', 'one'][index]}(${name} == 0);\n`,
        after: `${['three', 'two', 'one'][index]}(${name} === 0);\n`,
      })),
    );
    expect(
      learnPatterns(changes.flatMap(({ commit, path, before, after }) => smallEdits(commit, path, before, after))),
    ).toMatchObject([{ shown: { before: 'α == 0', after: 'α === 0' }, held: 3 }]);
  } finally {
    await repository.dispose();
  }
});
