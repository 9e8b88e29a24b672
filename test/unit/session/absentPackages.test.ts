// Which copies of a removed dependency checks do not see: those that nothing else in the repository declares or needs.

import { expect, test } from 'vitest';
import { findAbsentPackages } from '../../../server/src/core/session/verify/absentPackages.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';

const WITH = '{"dependencies":{"left-pad":"1","zod":"4"}}';
const WITHOUT = '{"dependencies":{"zod":"4"}}';
const lock = (needs: Readonly<Record<string, string>> = {}) =>
  JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/zod': { dependencies: needs } } });
const BERRY = (needs: string) =>
  `__metadata:\n  version: 8\n\n"zod@npm:4":\n  version: 4.0.0\n  dependencies:\n    ${needs}: "npm:^1.0.0"\n`;

/** What is hidden if `left-pad` is removed from the manifest in `dir`. */
const hiddenIn = (dir: string, files: Readonly<Record<string, string>>) => {
  const path = dir === '' ? 'package.json' : `${dir}/package.json`;
  const context = { ports: { files: createMemoryFiles({ [path]: WITH, ...files }) } };
  const edits = [{ path, before: WITH, after: WITHOUT }];
  return findAbsentPackages(context as never, edits, new AbortController().signal);
};

test.each<[string, string, Readonly<Record<string, string>>, readonly string[]]>([
  ['the root alone', '', { 'package-lock.json': lock() }, ['node_modules/left-pad']],
  [
    'a workspace',
    'a',
    { 'package.json': WITHOUT, 'package-lock.json': lock() },
    ['a/node_modules/left-pad', 'node_modules/left-pad'],
  ],
  [
    'two workspaces that declare it',
    'a',
    { 'package.json': WITHOUT, 'b/package.json': WITH, 'package-lock.json': lock() },
    ['a/node_modules/left-pad'],
  ],
  [
    'a folder beside a root that declares it',
    'client',
    { 'package.json': WITH, 'client/package-lock.json': lock() },
    ['client/node_modules/left-pad'],
  ],
  ['a root above a package that declares it', '', { 'a/package.json': WITH, 'package-lock.json': lock() }, []],
  [
    'installed manifests say nothing',
    '',
    { 'node_modules/zod/package.json': WITH, 'package-lock.json': lock() },
    ['node_modules/left-pad'],
  ],
  ['another package needs it', '', { 'package-lock.json': lock({ 'left-pad': '1' }) }, []],
  ['another package needs it, says Yarn Berry', '', { 'yarn.lock': BERRY('left-pad') }, []],
  ['Yarn Berry, and nothing needs it', '', { 'yarn.lock': BERRY('tiny') }, ['node_modules/left-pad']],
  ['bun’s lock file in bytes', '', { 'bun.lockb': 'bytes' }, []],
  ['one lock file of two cannot be read', '', { 'package-lock.json': lock(), 'yarn.lock': 'other' }, []],
  ['no lock file', '', {}, []],
  ['a manifest that does not parse', '', { 'a/package.json': '{', 'package-lock.json': lock() }, []],
])('a copy is hidden unless something else may need it: %s', async (_name, dir, files, hidden) => {
  expect(await hiddenIn(dir, files)).toEqual(hidden);
});
