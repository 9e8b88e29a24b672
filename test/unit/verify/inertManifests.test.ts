// Which edits of manifests and lock files change nothing that runs, so that nobody has to look at them.

import { expect, test } from 'vitest';
import { isInertManifestEdit } from '../../../server/src/core/verify/integrity/inertManifests.ts';
import { findChangedPackageFile } from '../../../server/src/core/verify/judge/installedPackages.ts';

const MANIFEST = {
  name: 'a',
  version: '1.0.0',
  license: 'MIT',
  main: 'index.js',
  exports: { import: './a.mjs', default: './a.cjs' },
  scripts: { test: 'node --test' },
  dependencies: { b: '^1.0.0' },
};
const LOCK = {
  name: 'a',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: {
    '': { name: 'a', version: '1.0.0', license: 'MIT', dependencies: { b: '^1.0.0' } },
    'node_modules/b': { version: '1.0.1', resolved: 'https://example.com/b.tgz', integrity: 'sha512-a' },
    'packages/c': { version: '1.0.0' },
  },
};
const edit = (path: string, before: object, after: object) => ({
  ...{ path, before: JSON.stringify(before, null, 2) },
  after: JSON.stringify(after),
});
const manifest = (after: object, path = 'package.json') => edit(path, MANIFEST, { ...MANIFEST, ...after });
const lock = (after: object, packages: object = {}) =>
  edit('package-lock.json', LOCK, { ...LOCK, ...after, packages: { ...LOCK.packages, ...packages } });

test.each([
  ['a version', manifest({ version: '1.1.0' })],
  ['that of a package of the repository', manifest({ version: '1.1.0' }, 'packages/a/package.json')],
  [
    'texts and addresses',
    manifest({ description: 'A', keywords: ['a'], author: 'A', license: 'ISC', bugs: 'b', funding: [], homepage: 'h' }),
  ],
  ['a repository', manifest({ repository: { type: 'git', url: 'https://example.com' } })],
  ['the layout', manifest({})],
  ['the version in the lock file', lock({ version: '1.1.0' }, { '': { ...LOCK.packages[''], version: '1.1.0' } })],
  ['the version of a workspace there', lock({}, { 'packages/c': { version: '1.1.0' } })],
])('inert: %s', (_, found) => {
  expect(isInertManifestEdit(found)).toBe(true);
  expect(findChangedPackageFile([found], [])).toBe(null);
});

test.each([
  ['scripts', manifest({ scripts: { test: 'true' } })],
  ['scripts beside a version', manifest({ version: '1.1.0', scripts: {} })],
  ['the main file', manifest({ main: 'b.js' })],
  ['the type', manifest({ type: 'module' })],
  ['the order of exports', manifest({ exports: { default: './a.cjs', import: './a.mjs' } })],
  ['dependencies', manifest({ dependencies: {} })],
  ['engines', manifest({ engines: { node: '>=20' } })],
  ['files', manifest({ files: ['dist'] })],
  ['workspaces', manifest({ workspaces: ['packages/*'] })],
  ['a name', manifest({ name: 'b' })],
  ['a field of a tool', manifest({ jest: { testMatch: [] } })],
  ['another file', edit('tsconfig.json', { version: '1' }, { version: '2' })],
  ['a new manifest', { path: 'package.json', before: null, after: '{"version":"1"}' }],
  ['a deleted one', { path: 'package.json', before: '{"version":"1"}', after: null }],
  ['a broken one', { path: 'package.json', before: '{"version":"1"}', after: '{"version":' }],
])('not inert: %s', (_, found) => {
  expect(isInertManifestEdit(found)).toBe(false);
});

test.each([
  ['a package of another version', lock({}, { 'node_modules/b': { version: '1.0.2', integrity: 'sha512-b' } })],
  ['a package from elsewhere', lock({}, { 'node_modules/b': { ...LOCK.packages['node_modules/b'], resolved: 'x' } })],
  ['a package in a workspace', lock({}, { 'packages/c/node_modules/b': { version: '2.0.0' } })],
  ['another requirement', lock({}, { '': { ...LOCK.packages[''], dependencies: { b: '^2.0.0' } } })],
  ['another format', lock({ lockfileVersion: 2 })],
])('not inert in a lock file: %s', (_, found) => {
  expect(isInertManifestEdit(found)).toBe(false);
  expect(findChangedPackageFile([found], [])).toBe('package-lock.json');
});
