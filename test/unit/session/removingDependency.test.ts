// An unused dependency as a request: passed over unless it is named, removed by a proposal, decided by a person.

import { expect, test } from 'vitest';
import { removeEntry } from '../../../server/src/core/model/manifestEntry.ts';
import { createHunks } from '../../../server/src/core/propose/hunks.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const signal = new AbortController().signal;
const MANIFEST = '{\n  "main": "./index.js",\n  "dependencies": {\n    "kept": "1",\n    "left-pad": "1"\n  }\n}\n';
const lockOf = (...names: readonly string[]) =>
  `${JSON.stringify(
    {
      name: 'shop',
      lockfileVersion: 3,
      packages: {
        '': { dependencies: Object.fromEntries(names.map((name) => [name, '1'])) },
        ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }])),
      },
    },
    null,
    2,
  )}\n`;
const FILES = {
  'package.json': MANIFEST,
  'package-lock.json': lockOf('kept', 'left-pad'),
  'index.js': "import kept from 'kept';\nexport default kept;\n",
  'node_modules/kept/index.js': '',
  'node_modules/left-pad/index.js': '',
};

/** Its tests pass in a tree as it is, and where left-pad is installed if they `need` it. */
const worldOf = (need: boolean, files: Readonly<Record<string, string>> = FILES) =>
  createSessionWorld(files, {
    commands: {
      'run-tests': (texts) =>
        need && !texts.has('node_modules/left-pad/index.js')
          ? { exitCode: 1, stdout: '==== 1 failed, 3 passed in 0.64s ====\nFAILED test_a.py::pads\n' }
          : { stdout: '==== 4 passed in 0.64s ====\n' },
    },
  });

test('nobody who names no place gets it; whoever names it gets a proposal that waits', async () => {
  await using world = await worldOf(false);
  const session = await world.session({ settings: { 'charter.approval': 'minimal' } });
  await session.analysis.analyse({ signal });
  const [found] = (await session.opportunities.shown()).filter(({ rule }) => rule === 'unused-dependency');
  expect(found?.recipe).toBe('remove-dependency');
  const { proposal: unasked, passedOver } = await session.proposals.propose({ signal });
  expect(unasked).toBeNull();
  expect(passedOver).toEqual([]);
  expect((await session.status()).doable.improvable.map(({ rule }) => rule)).not.toContain('unused-dependency');

  const { proposal } = await session.proposals.propose({ signal, opportunity: found!.id });
  expect(proposal?.title).toBe('Remove the unused dependency left-pad');
  expect(proposal?.rationale).toContain('run `npm install` in the root folder (package-lock.json)');
  expect(proposal?.edits.map(({ path, after }) => [path, after])).toEqual([
    ['package.json', MANIFEST.replace(',\n    "left-pad": "1"', '')],
  ]);
  const verified = await session.verification.verify(proposal!.id, { signal });
  expect(verified.status).toBe('verified');
  expect(verified.claim).toMatchObject({ kind: 'request', holds: true });
  expect(verified.verdicts.find(({ gate }) => gate === 'claim')?.reason).toBe(
    '`left-pad` is not installed in the tree in which tests passed.',
  );
});

test('tests that need the package after all refuse its removal', async () => {
  await using world = await worldOf(true);
  const session = await world.session();
  await session.analysis.analyse({ signal });
  const [found] = (await session.opportunities.shown()).filter(({ rule }) => rule === 'unused-dependency');
  const { proposal } = await session.proposals.propose({ signal, opportunity: found!.id });
  const refused = await session.verification.verify(proposal!.id, { signal });
  expect(refused.status).toBe('refused');
  expect(refused.verdicts.at(-1)?.gate).toBe('tests');
});

test('with a lock file that says too little, the package stays, and a person decides without the checks', async () => {
  const { 'package-lock.json': lock, ...files } = FILES;
  await using world = await worldOf(false, {
    ...files,
    'package-lock.json': lock.replace('"lockfileVersion": 3', '"lockfileVersion": 1'),
  });
  const session = await world.session({ settings: { 'charter.approval': 'minimal' } });
  await session.analysis.analyse({ signal });
  const [found] = (await session.opportunities.shown()).filter(({ rule }) => rule === 'unused-dependency');
  const { proposal } = await session.proposals.propose({ signal, opportunity: found!.id });
  const verified = await session.verification.verify(proposal!.id, { signal });
  expect(verified.status).toBe('verified');
  expect(verified.claim).toMatchObject({ kind: 'request', holds: null });
  expect(verified.claim?.evidence).toContain('`left-pad` stays in the tree (node_modules/left-pad)');
});

test('with edits that a person made meanwhile, the removal is exact; where they touch, it is refused', async () => {
  await using world = await worldOf(false);
  const session = await world.session({ settings: { 'charter.approval': 'minimal' } });
  await session.analysis.analyse({ signal });
  const [found] = (await session.opportunities.shown()).filter(({ rule }) => rule === 'unused-dependency');
  const { proposal } = await session.proposals.propose({ signal, opportunity: found!.id });
  await session.verification.verify(proposal!.id, { signal });
  // One line after the removed entry is new, so its comma is needed.
  world.tree.set('package.json', MANIFEST.replace('"left-pad": "1"', '"left-pad": "1",\n    "zod": "4"'));
  const request = { by: 'person', signal } as const;
  await expect(session.changes.apply({ proposal: proposal!.id, ...request })).rejects.toMatchObject({
    reason: 'stale',
  });

  const edited = MANIFEST.replace('{\n', '{\n  "name": "shop",\n  "version": "1.0.0",\n');
  world.tree.set('package.json', MANIFEST);
  await session.analysis.analyse({ signal });
  const { proposal: again } = await session.proposals.propose({ signal, opportunity: found!.id, again: true });
  await session.verification.verify(again!.id, { signal });
  world.tree.set('package.json', edited);
  await session.changes.apply({ proposal: again!.id, ...request });
  expect(world.tree.text('package.json')).toBe(edited.replace(',\n    "left-pad": "1"', ''));
});

test('an entry and its comma are one hunk, however far apart they are', () => {
  const before = MANIFEST.replace('"kept": "1",', '"kept": "1",\n\n\n\n\n');
  const after = removeEntry(before, 'dependencies', 'left-pad')!;
  expect(JSON.parse(after)).toEqual({ main: './index.js', dependencies: { kept: '1' } });
  expect(createHunks([{ path: 'package.json', before, after }])).toHaveLength(1);
});
