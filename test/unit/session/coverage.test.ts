// Coverage that Selfware measures itself: the tests of a repository in a real sandbox, counted by V8.

import { expect, test } from 'vitest';
import { locateHarness } from '../../../server/src/app/programPaths.ts';
import { sandboxOf } from '../../adapters/sandbox/sandboxOf.ts';
import { manifestOf } from '../../helpers/manifest.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox } from '../../helpers/memorySandbox.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const files = {
  'package.json': manifestOf('share'),
  'src/share.ts': `export function share(part: number, whole: number): number {
  if (whole === 0) {
    return 0;
  }
  return part / whole;
}
`,
  'src/never.ts': 'export function never(times: number): void {\n  console.log(times);\n}\n',
  'src/share.test.js': `import { test } from 'node:test';
import { strictEqual } from 'node:assert';
import { share } from './share.ts';
test('half', () => strictEqual(share(1, 2), 0.5));
`,
};

thoroughTest('lines that the tests run are counted, used for points, and measured once for a tree', async () => {
  await using given = await sandboxOf(files);
  await using world = await createSessionWorld(files);
  const open = (command: string) =>
    world.session({
      change: () => ({ sandbox: given.sandbox, harness: locateHarness(false).command }),
      settings: { 'verify.testCommand': command },
    });
  let session = await open('');
  const pointsOf = async () => (await session.analysis.score()).categories.testCoverage.points;
  await session.analysis.analyse({ signal: never });
  expect(await pointsOf()).toBeNull();

  const answer = await session.analysis.coverage({ signal: never });
  expect(answer).toMatchObject({ covered: 2, coverable: 4, passed: 1, failed: 0, known: false, by: 'V8' });
  expect(answer.files.map(({ path, missed }) => ({ path, missed }))).toEqual([
    { path: 'src/share.ts', missed: [3] },
    { path: 'src/never.ts', missed: [] },
  ]);
  expect(await pointsOf()).toBe(125);
  expect(await session.analysis.coverage({ signal: never })).toEqual({ ...answer, known: true });

  // A new test earns the line that no test ran; \`never.ts\` is not called.
  const path = 'src/share.test.js';
  const after = `${files[path]}test('nobody', () => strictEqual(share(1, 0), 0));\n`;
  const { id } = await session.proposals.proposeEdits(
    {
      title: 'Test nobody',
      rationale: 'No test shares nothing.',
      claim: 'tests',
      edits: [{ path, before: files[path], after }],
    },
    { signal: never },
  );
  const { verdicts, pointsBefore, pointsAfter } = await session.verification.verify(id, { signal: never });
  expect(verdicts.find(({ gate }) => gate === 'claim')).toMatchObject({
    outcome: 'passed',
    evidence: { guardedLines: 1 },
  });
  expect(pointsAfter!.total - pointsBefore!.total).toBeCloseTo(250 / 4);

  // What ran may no longer run, or other lines too, once the command or the tests are others.
  expect(await session.analysis.coverage({ signal: never, again: true })).toMatchObject({ known: false });
  await session.close();
  session = await open("node --test 'src/**/*.test.js'");
  expect(await session.analysis.coverage({ signal: never })).toMatchObject({ known: false, covered: 2 });
  expect(await pointsOf()).toBe(125);
  world.tree.set('src/never.test.js', "import './never.ts';\n");
  await session.analysis.analyse({ signal: never });
  expect(await pointsOf()).toBeNull();
  world.tree.set('src/never.test.js', null);
  await session.analysis.analyse({ signal: never });
  expect(await pointsOf()).toBe(125);
  world.tree.set(path, null);
  await session.analysis.analyse({ signal: never });
  expect(await pointsOf()).toBeNull();
  world.tree.set(path, files[path]);

  // A file that has changed since is unknown again.
  world.tree.set('src/share.ts', `// One line more.\n${files['src/share.ts']}`);
  await session.analysis.analyse({ signal: never });
  expect(await pointsOf()).toBeNull();
});

test('the test of a repository that is named test.js, in its root, is not among the files and lines', async () => {
  const small = {
    'package.json': manifestOf('share'),
    'index.js': 'export const twice = (number) => {\n  return 2 * number;\n};\n',
    'test.js': `import test from 'node:test';
import { twice } from './index.js';
test('twice', () => {
  if (twice(1) !== 2) throw new Error('not twice');
});
`,
  };
  await using given = await sandboxOf(small);
  await using world = await createSessionWorld(small);
  const session = await world.session({
    change: () => ({ sandbox: given.sandbox, harness: locateHarness(false).command }),
    settings: { 'verify.testCommand': '' },
  });
  await session.analysis.analyse({ signal: never });
  const { covered, coverable, files: counted } = await session.analysis.coverage({ signal: never });
  expect(counted.map(({ path }) => path)).toEqual(['index.js']);
  expect([covered, coverable]).toEqual([counted[0]!.covered, counted[0]!.coverable]);
});

test('without the plugin of pytest that counts lines, the answer says what to install', async () => {
  const python = {
    'pyproject.toml': '[tool.pytest.ini_options]\n',
    'share.py': 'def share(part):\n    return part\n',
    'tests/test_share.py': 'def test_share():\n    assert share(1) == 1\n',
  };
  const refused = 'pytest: error: unrecognized arguments: --cov --cov-report=lcov:coverage.lcov\n';
  const plain = async () => ({ exitCode: 0, stdout: '1 passed in 0.01s\n' });
  const answers = new Proxy<Record<string, typeof plain>>(
    {},
    {
      get: (_, line) => (String(line).includes('--cov') ? async () => ({ exitCode: 4, stdout: refused }) : plain),
      has: () => true,
    },
  );
  await using world = await createSessionWorld(python);
  const session = await world.session({
    change: () => ({ sandbox: createMemorySandbox(createMemoryFiles(python), answers) }),
    settings: { 'verify.testCommand': 'pytest' },
  });
  await expect(session.analysis.coverage({ signal: never })).rejects.toMatchObject({
    message: expect.stringContaining('`pytest-cov`'),
    action: 'Install it where pytest is.',
  });
});
