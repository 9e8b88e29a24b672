// Hot functions: the tests of a repository under V8's profiler in a real sandbox, and findings about speed in them.

import { expect, test } from 'vitest';
import { locateHarness } from '../../../server/src/app/programPaths.ts';
import type { RunResult, Sandbox } from '../../../server/src/core/ports/sandbox.ts';
import { sandboxOf } from '../../adapters/sandbox/sandboxOf.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';
import { manifestOf } from '../../helpers/manifest.ts';

/** Both loops make a pattern on every turn; the tests use only one of them for long. */
const source = `export function hotMatches(lines, word) {
  const found = [];
  for (const line of lines) if (new RegExp('^' + word + '+').test(line)) found.push(line);
  return found;
}
export function coldMatches(lines, word) {
  const found = [];
  for (const line of lines) if (new RegExp('^' + word + '+').test(line)) found.push(line);
  return found;
}
`;
const files = {
  'package.json': manifestOf('hot'),
  'src/match.js': source,
  'src/match.test.js': `import { test } from 'node:test';
import { coldMatches, hotMatches } from './match.js';
const lines = Array.from({ length: 6000 }, (_, at) => 'line ' + at);
test('cold', () => coldMatches(lines.slice(0, 2), 'line'));
test('hot', () => {
  for (let round = 0; round < 300; round += 1) hotMatches(lines, 'line');
});
`,
};

test('a finding about speed is shown in a hot function, with its figure, and nowhere else', async () => {
  await using given = await sandboxOf(files);
  await using world = await createSessionWorld(files);
  const session = await world.session({
    change: () => ({ sandbox: given.sandbox, inTests: locateHarness(false).inTests }),
    settings: { 'verify.testCommand': '' },
  });
  await session.analysis.analyse({ signal: never });
  const searches = async () =>
    (await session.opportunities.shown())
      .filter(({ rule }) => rule === 'work-in-loop')
      .map(({ symbol, evidence }) => ({ symbol, of: evidence['profileOf'], percent: evidence['selfTimePercent'] }));
  expect(await searches()).toEqual([]);

  const { found, millis, failed } = await session.analysis.hot({ of: 'tests', signal: never });
  expect(failed).toBe(false);
  const hot = found.filter(({ name }) => name === 'hotMatches');
  expect(hot).toHaveLength(1);
  expect(found.map(({ name }) => name)).not.toContain('coldMatches');
  expect(found.map(({ path }) => path)).not.toContain('src/match.test.js');
  expect(hot[0]!.share).toBeGreaterThan(0.02);
  expect(hot[0]!.millis).toBeLessThanOrEqual(millis);
  expect(await searches()).toEqual([{ symbol: 'hotMatches', of: 'tests', percent: Math.round(hot[0]!.share * 100) }]);

  // The figure is that of the code that ran.
  world.tree.set('src/match.js', `// One line more.\n${source}`);
  await session.analysis.analyse({ signal: never });
  expect(await searches()).toEqual([]);
});

test('a run that is cut off gives no profile, and one that fails says so', async () => {
  await using given = await sandboxOf(files);
  await using world = await createSessionWorld(files);
  let end: Partial<RunResult> = { exitCode: 1 };
  const open: Sandbox['open'] = async (...request) => {
    const worktree = await given.sandbox.open(...request);
    return { ...worktree, run: async (...command) => ({ ...(await worktree.run(...command)), ...end }) };
  };
  const session = await world.session({
    change: () => ({ sandbox: { ...given.sandbox, open }, inTests: locateHarness(false).inTests }),
    settings: { 'verify.testCommand': '' },
  });
  expect(await session.analysis.hot({ of: 'tests', signal: never })).toMatchObject({ failed: true });
  end = { outcome: 'timedOut', exitCode: null };
  await expect(session.analysis.hot({ of: 'tests', signal: never })).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('did not end in time, so there is no profile of the whole run'),
  });
});

test('what cannot be profiled says so', async () => {
  const quick = { ...files, 'src/match.test.js': "import { test } from 'node:test';\ntest('nothing', () => {});\n" };
  await using given = await sandboxOf(quick);
  await using world = await createSessionWorld(quick);
  const session = await world.session({
    change: () => ({ sandbox: given.sandbox, inTests: locateHarness(false).inTests }),
    settings: { 'verify.testCommand': '' },
  });
  await expect(session.analysis.hot({ of: 'tests', signal: never })).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('too little for a profile'),
  });
  await expect(session.analysis.hot({ of: 'benchmark', signal: never })).rejects.toMatchObject({
    message: 'No benchmark was found.',
  });
});

test('tests that Node does not run are refused before they run', async () => {
  const python = { 'pyproject.toml': '[tool.pytest.ini_options]\n', 'test_a.py': 'def test_a():\n    pass\n' };
  await using given = await sandboxOf(python);
  await using world = await createSessionWorld(python);
  const session = await world.session({
    change: () => ({ sandbox: given.sandbox, inTests: locateHarness(false).inTests }),
    settings: { 'verify.testCommand': 'python3 -m pytest' },
  });
  await session.analysis.analyse({ signal: never });
  await expect(session.analysis.hot({ of: 'tests', signal: never })).rejects.toMatchObject({
    reason: 'unavailable',
    message: 'Only Node can be profiled, and this runs pytest.',
  });
});
