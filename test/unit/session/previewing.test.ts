// Which tests run for a preview, and that what it shows is no verification.

import { expect, test } from 'vitest';
import { testFilesForPreview } from '../../../server/src/core/session/verify/reachingTests.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';

const others = Array.from({ length: 30 }, (_, at) => `test/other${at}.test.ts`);
const edit = { path: 'src/a.ts', before: 'a', after: 'b' };
const imports = new Map([
  ['test/a.test.ts', ['src/b.ts']],
  ['test/a.test-d.ts', ['src/b.ts']],
  ['src/b.ts', ['src/a.ts']],
]);

test('the test files that reach a change, if they are few of many', () => {
  const all = ['src/a.ts', ...imports.keys(), ...others];
  expect(testFilesForPreview(imports, all, [edit])).toEqual(['test/a.test.ts']);
  // One less, and running all of them takes hardly longer.
  expect(testFilesForPreview(imports, all.slice(0, -1), [edit])).toBeNull();
  // Nothing is known to reach it.
  expect(testFilesForPreview(imports, all, [{ ...edit, path: 'src/c.ts' }])).toBeNull();
  // The change brings tests, which the unchanged tree does not have.
  expect(testFilesForPreview(imports, all, [edit, { ...edit, path: 'test/a.test.ts' }])).toBeNull();
  // Half of the tests reach it.
  const many = new Map(others.map((path) => [path, ['src/a.ts']]));
  expect(testFilesForPreview(many, [...all, ...others.map((path) => `more/${path}`)], [edit])).toHaveLength(30);
  expect(testFilesForPreview(many, [...all, ...others.slice(2).map((path) => `more/${path}`)], [edit])).toBeNull();
});

test('nothing can be applied on a preview', async () => {
  await using world = await createSessionWorld({
    'src/three.ts': "import { a } from './names.ts';\n/** N. */\nexport const n = 1;\n",
    'src/names.ts': '/** A. */\nexport const a = 1;\n',
    'test/three.test.ts': "import { n } from '../src/three.ts';\nn;\n",
    ...Object.fromEntries(others.map((path) => [path, '\n'])),
  });
  const session = await world.session();
  const { proposal } = await session.proposals.propose({ signal: never });
  const { id } = proposal!;
  const seen = await session.verification.preview(id, { signal: never });
  expect(seen.verdicts.map(({ gate, outcome }) => `${gate} ${outcome}`)).toContain('tests passed');
  expect(seen.status).toBe('proposed');
  expect(await session.proposals.get(id)).toMatchObject({ status: 'proposed', verdicts: [] });
  for (const by of ['person', 'charter'] as const)
    await expect(session.changes.apply({ proposal: id, by, signal: never })).rejects.toMatchObject({
      reason: 'illegalStep',
    });
  expect(world.written).toEqual([]);
  expect((await session.verification.verify(id, { signal: never })).status).toBe('verified');
});
