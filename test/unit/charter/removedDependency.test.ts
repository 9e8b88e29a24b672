// The one change of manifests and lock files that the charter lets be proposed: a dependency that is only removed, by
// the recipe that does that, with a person who decides.

import { expect, test } from 'vitest';
import { createCharter } from '../../../server/src/core/charter/charter.ts';
import { REMOVE_DEPENDENCY, removedDependencies } from '../../../server/src/core/model/removedDependency.ts';
import { GATE_ORDER } from '../../../server/src/core/model/gates.ts';
import type { EffectiveLevel } from '../../../server/src/core/charter/approvalLevel.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';

const BEFORE = '{ "name": "shop", "dependencies": { "left-pad": "1", "zod": "4" }, "scripts": { "test": "vitest" } }\n';
const AFTER = BEFORE.replace('"left-pad": "1", ', '');
const manifest = { path: 'package.json', before: BEFORE, after: AFTER };
const lock = {
  path: 'package-lock.json',
  before: '{ "packages": { "left-pad": { "version": "1" }, "zod": { "version": "4" } } }',
  after: '{ "packages": { "zod": { "version": "4", "dev": true } } }',
};

const charterWith = (protectedPaths: readonly string[] = [], approval: EffectiveLevel = 'minimal') =>
  createCharter({
    files: createMemoryFiles({ 'package.json': BEFORE, 'package-lock.json': lock.before, 'src/a.ts': '' }),
    protectedPaths,
    approval,
    maxChanges: 10,
    strengthOf: () => 'proven',
    isOurs: (recipe) => recipe === REMOVE_DEPENDENCY,
  });

test('the recipe may remove an entry from the manifest and the lock file', async () => {
  expect(await charterWith().check([manifest, lock], REMOVE_DEPENDENCY)).toEqual({
    allowed: true,
    resolved: ['package.json', 'package-lock.json'],
  });
  expect(removedDependencies([manifest, lock])).toEqual([{ dir: '', name: 'left-pad', table: 'dependencies' }]);
});

test.each<[string, Parameters<typeof removedDependencies>[0], string | undefined]>([
  ['by anybody else', [manifest], undefined],
  ['by another recipe', [manifest], 'brought'],
  ['without its texts', [{ path: 'package.json' }], REMOVE_DEPENDENCY],
  ['with a new version', [{ ...manifest, after: AFTER.replace('"4"', '"3"') }], REMOVE_DEPENDENCY],
  ['with a changed script', [{ ...manifest, after: AFTER.replace('vitest', 'true') }], REMOVE_DEPENDENCY],
  ['with a new entry', [{ ...manifest, after: AFTER.replace('"zod"', '"evil": "1", "zod"') }], REMOVE_DEPENDENCY],
  ['that only reformats', [{ ...manifest, after: BEFORE.replaceAll(' ', '') }], REMOVE_DEPENDENCY],
  ['that is deleted', [{ ...manifest, after: null }], REMOVE_DEPENDENCY],
  [
    'with other words in the lock file',
    [manifest, { ...lock, after: lock.after.replace('4', '5') }],
    REMOVE_DEPENDENCY,
  ],
  ['the lock file alone', [lock], REMOVE_DEPENDENCY],
  ['with code', [manifest, { path: 'src/a.ts', before: '', after: 'x' }], REMOVE_DEPENDENCY],
])('a manifest stays protected: %s', async (_name, edits, recipe) => {
  const answer = await charterWith().check(edits as Parameters<ReturnType<typeof charterWith>['check']>[0], recipe);
  expect(answer).toMatchObject({ allowed: false, reason: expect.stringContaining('It is protected') });
});

test('what the settings protect stays protected', async () => {
  const answer = await charterWith(['package.json']).check([manifest], REMOVE_DEPENDENCY);
  expect(answer).toMatchObject({ allowed: false, path: 'package.json' });
});

test.each<EffectiveLevel>(['strict', 'moderate', 'minimal', 'branch'])(
  'a person decides at the level %s',
  (approval) => {
    const verdicts = GATE_ORDER.map((gate) => ({
      gate,
      outcome: 'passed' as const,
      reason: '',
      evidence: {},
      millis: 0,
    }));
    const claim = { kind: 'request', holds: true, evidence: '', price: null } as const;
    const subject = {
      recipe: REMOVE_DEPENDENCY,
      author: 'recipe',
      safety: 'critical',
      edits: [manifest],
      verdicts,
      claim,
    };
    expect(charterWith([], approval).reasonToAsk(subject as never)).not.toBeNull();
  },
);
