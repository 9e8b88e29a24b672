// The one change of manifests that the charter lets be proposed: one entry that is only removed, by the recipe that
// does that, with a person who decides.

import { expect, test } from 'vitest';
import { createCharter } from '../../../server/src/core/charter/charter.ts';
import { REMOVE_DEPENDENCY, findRemovedDependency } from '../../../server/src/core/model/removedDependency.ts';
import { GATE_ORDER } from '../../../server/src/core/model/gates.ts';
import type { EffectiveLevel } from '../../../server/src/core/charter/approvalLevel.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';

const BEFORE = '{ "name": "shop", "dependencies": { "left-pad": "1", "zod": "4" }, "scripts": { "test": "vitest" } }\n';
const AFTER = BEFORE.replace('"left-pad": "1", ', '');
const manifest = { path: 'package.json', before: BEFORE, after: AFTER };
const lock = { path: 'package-lock.json', before: '{ "a": 1, "b": 2 }', after: '{ "b": 2 }' };
/** The same edit of the manifest in another folder. */
const at = (path: string) => ({ ...manifest, path });

const charterWith = (protectedPaths: readonly string[] = [], approval: EffectiveLevel = 'minimal') =>
  createCharter({
    files: createMemoryFiles({ 'package.json': BEFORE, 'client/package.json': BEFORE, 'src/a.ts': '' }),
    protectedPaths,
    approval,
    maxChanges: 10,
    strengthOf: () => 'proven',
    isOurs: (recipe) => recipe === REMOVE_DEPENDENCY,
  });

test.each(['package.json', 'client/package.json'])('the recipe may remove an entry from %s', async (path) => {
  expect(await charterWith().check([at(path)], REMOVE_DEPENDENCY)).toEqual({ allowed: true, resolved: [path] });
  const dir = path === 'package.json' ? '' : 'client';
  expect(findRemovedDependency([at(path)])).toEqual({ dir, name: 'left-pad', table: 'dependencies' });
});

test.each<[string, Parameters<typeof findRemovedDependency>[0], string | undefined]>([
  ['by anybody else', [manifest], undefined],
  ['by another recipe', [manifest], 'brought'],
  ['without its texts', [{ path: 'package.json' }], REMOVE_DEPENDENCY],
  ['with a new version', [{ ...manifest, after: AFTER.replace('"4"', '"3"') }], REMOVE_DEPENDENCY],
  ['with a changed script', [{ ...manifest, after: AFTER.replace('vitest', 'true') }], REMOVE_DEPENDENCY],
  ['with a new entry', [{ ...manifest, after: AFTER.replace('"zod"', '"evil": "1", "zod"') }], REMOVE_DEPENDENCY],
  ['that only reformats', [{ ...manifest, after: BEFORE.replaceAll(' ', '') }], REMOVE_DEPENDENCY],
  ['that is deleted', [{ ...manifest, after: null }], REMOVE_DEPENDENCY],
  ['that also reformats', [{ ...manifest, after: AFTER.replaceAll(' ', '') }], REMOVE_DEPENDENCY],
  ['with two entries', [{ ...manifest, after: BEFORE.replace('"left-pad": "1", "zod": "4"', '') }], REMOVE_DEPENDENCY],
  ['with a lock file', [manifest, lock], REMOVE_DEPENDENCY],
  ['a lock file alone', [lock], REMOVE_DEPENDENCY],
  ['a second manifest', [manifest, at('client/package.json')], REMOVE_DEPENDENCY],
  ...['.github', '.vscode', '.selfware', '.circleci', 'node_modules/a', 'third_party/a'].map(
    (folder): [string, Parameters<typeof findRemovedDependency>[0], string] => [
      `in ${folder}`,
      [at(`${folder}/package.json`)],
      REMOVE_DEPENDENCY,
    ],
  ),
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
