// The one change of manifest and lock file that the charter lets be proposed: an update that a person asked for by name.

import { expect, test } from 'vitest';
import { createCharter } from '../../../server/src/core/charter/charter.ts';
import type { EffectiveLevel } from '../../../server/src/core/charter/approvalLevel.ts';
import { GATE_ORDER } from '../../../server/src/core/model/gates.ts';
import {
  findUpdatedDependencies,
  replaceRange,
  UPDATE_DEPENDENCY,
} from '../../../server/src/core/model/updatedDependency.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';

const BEFORE = '{ "name": "shop", "dependencies": { "zod": "^3.0.0", "a": "1" }, "scripts": { "test": "vitest" } }\n';
const AFTER = BEFORE.replace('^3.0.0', '^4.0.0');
const lockText = (range: string, version: string) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { zod: range, a: '1' } },
      'node_modules/zod': { version },
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    },
  });
const manifest = { path: 'package.json', before: BEFORE, after: AFTER };
const lock = { path: 'package-lock.json', before: lockText('^3.0.0', '3.0.0'), after: lockText('^4.0.0', '4.0.0') };

const charterWith = (protectedPaths: readonly string[] = [], approval: EffectiveLevel = 'minimal') =>
  createCharter({
    files: createMemoryFiles({ 'package.json': BEFORE, 'package-lock.json': lock.before, 'src/a.ts': '' }),
    protectedPaths,
    approval,
    maxChanges: 10,
    strengthOf: () => 'proven',
  });

test('one entry and the lock file may change, or the lock file alone', async () => {
  const allowed = { allowed: true, resolved: ['package.json', 'package-lock.json'] };
  expect(await charterWith().check([manifest, lock], UPDATE_DEPENDENCY)).toEqual(allowed);
  expect(await charterWith().check([lock], UPDATE_DEPENDENCY)).toMatchObject({ allowed: true });
  const zod = { name: 'zod', manifest: 'package.json', table: 'dependencies', before: '3.0.0' };
  expect(findUpdatedDependencies([lock, manifest])).toEqual({
    lock: 'package-lock.json',
    updates: [{ ...zod, range: { before: '^3.0.0', after: '^4.0.0' }, after: '4.0.0' }],
  });
  const within = { ...lock, after: lockText('^3.0.0', '3.1.0') };
  expect(findUpdatedDependencies([within])?.updates).toEqual([
    { ...zod, range: { before: '^3.0.0', after: '^3.0.0' }, after: '3.1.0' },
  ]);
});

test('ranges of several dependencies and workspaces may change at once', () => {
  const own = '{ "name": "own", "devDependencies": { "zod": "~3.0.0", "b": "1.0.0" } }\n';
  const packages = (range: string, ownRange: string, b: string, version: string) => ({
    '': { workspaces: ['own'], dependencies: { zod: range, a: '1' } },
    own: { name: 'own', devDependencies: { zod: ownRange, b } },
    'node_modules/own': { resolved: 'own', link: true },
    'node_modules/zod': { version },
    'own/node_modules/b': { version: b },
  });
  const text = (...args: Parameters<typeof packages>) =>
    JSON.stringify({ lockfileVersion: 3, packages: packages(...args) });
  const changed = own.replace('~3.0.0', '~4.0.0').replace('"1.0.0"', '"1.1.0"');
  const edits = [
    manifest,
    { path: 'own/package.json', before: own, after: changed },
    { ...lock, before: text('^3.0.0', '~3.0.0', '1.0.0', '3.0.0'), after: text('^4.0.0', '~4.0.0', '1.1.0', '4.0.0') },
  ];
  const found = findUpdatedDependencies(edits)?.updates;
  expect(found?.map((update) => [update.manifest, update.name, update.before, update.after])).toEqual([
    ['package.json', 'zod', '3.0.0', '4.0.0'],
    ['own/package.json', 'zod', '3.0.0', '4.0.0'],
    ['own/package.json', 'b', '1.0.0', '1.1.0'],
  ]);
  const withScript = { path: 'own/package.json', before: own, after: changed.replace('"own"', '"other"') };
  expect(findUpdatedDependencies([manifest, withScript, edits[2]!])).toBeNull();
  // The lock file has to repeat each of the ranges.
  expect(
    findUpdatedDependencies([edits[0]!, edits[1]!, { ...edits[2]!, after: text('^4.0.0', '~4.0.0', '1', '4.0.0') }]),
  ).toBeNull();
});

test('only the bytes of the range are replaced', () => {
  const text = '\uFEFF{"scripts":{"zod":"^3"},\r\n\t"dependencies" : {"zod":"^3.0.0" , "a":"1"}}';
  expect(replaceRange(text, 'dependencies', 'zod', '^4.0.0')).toBe(text.replace('^3.0.0', '^4.0.0'));
  expect(replaceRange(text, 'devDependencies', 'zod', '^4.0.0')).toBeNull();
  expect(replaceRange(text.replace('"a"', '"zod"'), 'dependencies', 'zod', '^4.0.0')).toBeNull();
});

test.each<[string, readonly object[], string | undefined]>([
  ['by anybody else', [manifest, lock], undefined],
  ['by another recipe', [manifest, lock], 'brought'],
  ['without the lock file', [manifest], UPDATE_DEPENDENCY],
  ['without its texts', [{ path: 'package.json' }, lock], UPDATE_DEPENDENCY],
  ['with a changed script', [{ ...manifest, after: AFTER.replace('vitest', 'true') }, lock], UPDATE_DEPENDENCY],
  ['with two entries', [{ ...manifest, after: AFTER.replace('"1"', '"2"') }, lock], UPDATE_DEPENDENCY],
  ['with a new entry', [{ ...manifest, after: AFTER.replace('"a"', '"b": "1", "a"') }, lock], UPDATE_DEPENDENCY],
  ['from an address', [{ ...manifest, after: AFTER.replace('^4.0.0', 'https://x.example') }, lock], UPDATE_DEPENDENCY],
  [
    'with another range in the lock file',
    [manifest, { ...lock, after: lockText('^5.0.0', '5.0.0') }],
    UPDATE_DEPENDENCY,
  ],
  ['with another format', [{ ...manifest, after: AFTER.replace('{ ', '{') }, lock], UPDATE_DEPENDENCY],
  [
    'with entries in another order',
    [{ ...manifest, after: AFTER.replace('"zod": "^4.0.0", "a": "1"', '"a": "1", "zod": "^4.0.0"') }, lock],
    UPDATE_DEPENDENCY,
  ],
  [
    'with another package in the lock file at the same version',
    [manifest, { ...lock, after: lock.after.replace('sha512-a', 'sha512-b') }],
    UPDATE_DEPENDENCY,
  ],
  ['that is deleted', [{ ...manifest, after: null }, lock], UPDATE_DEPENDENCY],
  ['a lock file that is deleted', [manifest, { ...lock, after: null }], UPDATE_DEPENDENCY],
  ['with code', [manifest, lock, { path: 'src/a.ts', before: '', after: 'x' }], UPDATE_DEPENDENCY],
  ['in copied code', [manifest, { ...lock, path: 'third_party/a/package-lock.json' }], UPDATE_DEPENDENCY],
])('manifest and lock file stay protected: %s', async (_name, edits, recipe) => {
  const answer = await charterWith().check(edits as Parameters<ReturnType<typeof charterWith>['check']>[0], recipe);
  expect(answer).toMatchObject({ allowed: false, reason: expect.stringContaining('It is protected') });
});

test('what the settings protect stays protected', async () => {
  const answer = await charterWith(['package-lock.json']).check([manifest, lock], UPDATE_DEPENDENCY);
  expect(answer).toMatchObject({ allowed: false, path: 'package-lock.json' });
});

test.each<EffectiveLevel>(['strict', 'moderate', 'minimal', 'branch'])(
  'a person decides at the level %s',
  (approval) => {
    const verdicts = GATE_ORDER.map((gate) => ({
      ...{ gate, outcome: 'passed' as const, reason: '', evidence: {}, millis: 1 },
    }));
    const subject = {
      ...{ recipe: UPDATE_DEPENDENCY, safety: 'additive' as const, edits: [manifest, lock], verdicts },
      claim: { kind: 'request' as const, holds: true, evidence: '', price: null },
    };
    expect(charterWith([], approval).reasonToAsk(subject)).toContain('It changes what is installed.');
  },
);
