// Which packages others need, as lists of installed packages say; and which lock files hold a package of the
// repository.

import { expect, test } from 'vitest';
import { findLockFiles } from '../../../server/src/core/model/lockFiles.ts';
import { readNeededNames } from '../../../server/src/core/verify/packageDependents.ts';

const NPM = {
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { own: '1' } },
    client: { dependencies: { own: '1' } },
    'node_modules/own': { dependencies: { deep: '1' }, peerDependencies: { peer: '1' }, devDependencies: { no: '1' } },
    'node_modules/own/node_modules/inner': { optionalDependencies: { maybe: '1' } },
  },
};
const YARN = `# yarn lockfile v1

own@^1.0.0:
  version "1.0.0"
  dependencies:
    deep "^1.0.0"
    "@scope/deep" "^1.0.0"
`;
const BERRY = `__metadata:
  version: 8

"client@workspace:client":
  version: 0.0.0-use.local
  dependencies:
    own: "npm:^1.0.0"
  languageName: unknown
  linkType: soft

"own@npm:^1.0.0":
  version: 1.0.0
  dependencies:
    "@scope/deep": "npm:^1.0.0"
  peerDependencies:
    peer: ^1.0.0
  languageName: node
  linkType: hard
`;
const PNPM = `lockfileVersion: '9.0'

importers:
  client:
    dependencies:
      own:
        specifier: ^1.0.0
        version: 1.0.0

packages:
  own@1.0.0:
    resolution: {integrity: sha512-a}
    peerDependencies:
      peer: '*'

snapshots:
  own@1.0.0:
    dependencies:
      deep: 1.0.0
`;
const BUN = `{
  "lockfileVersion": 1,
  "workspaces": { "": { "dependencies": { "own": "^1.0.0", }, }, },
  "packages": {
    "own": ["own@1.0.0", "", { "dependencies": { "deep": "^1.0.0" }, "peerDependencies": { "peer": "1" } }, "sha512-a"],
  }
}
`;

test.each<[string, string, readonly string[] | null]>([
  ['package-lock.json', JSON.stringify(NPM), ['deep', 'peer', 'maybe']],
  ['client/npm-shrinkwrap.json', JSON.stringify({ ...NPM, lockfileVersion: 1 }), null],
  ['node_modules/.package-lock.json', 'no list', null],
  ['yarn.lock', YARN, ['deep', '@scope/deep']],
  ['yarn.lock', BERRY, ['@scope/deep', 'peer']],
  ['yarn.lock', 'no list', null],
  ['pnpm-lock.yaml', PNPM, ['peer', 'deep']],
  ['pnpm-lock.yaml', 'packages: {}', null],
  ['bun.lock', BUN, ['deep', 'peer']],
  ['bun.lock', '{}', null],
  ['bun.lockb', '#!/usr/bin/env bun', null],
])('what packages in %s ask for', (path, text, names) => {
  const needed = readNeededNames(path, text);
  expect(needed && [...needed]).toEqual(names);
});

test('the nearest lock files hold a package, and those above that name its folder', () => {
  const locksIn = (files: Readonly<Record<string, string>>) =>
    findLockFiles(
      'client',
      (path) => path in files,
      (path) => files[path],
    ).map(({ path }) => path);
  expect(locksIn({})).toEqual([]);
  expect(locksIn({ 'yarn.lock': '', 'bun.lockb': '' })).toEqual(['yarn.lock', 'bun.lockb']);
  expect(locksIn({ 'client/yarn.lock': '', 'package-lock.json': '{"packages":{}}' })).toEqual(['client/yarn.lock']);
  expect(
    locksIn({ 'client/yarn.lock': '', 'package-lock.json': JSON.stringify(NPM, null, 2), 'pnpm-lock.yaml': PNPM }),
  ).toEqual(['client/yarn.lock', 'pnpm-lock.yaml', 'package-lock.json']);
});
