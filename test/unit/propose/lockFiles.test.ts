// A dependency removed from the lock files of npm, pnpm and Yarn: with what only it needed, byte for byte otherwise.

import { expect, test } from 'vitest';
import { withoutInNpmLock } from '../../../server/src/core/propose/dependencies/npmLock.ts';
import { withoutInPnpmLock } from '../../../server/src/core/propose/dependencies/pnpmLock.ts';
import { withoutInYarnLock } from '../../../server/src/core/propose/dependencies/yarnLock.ts';
import { neededNames, placesGone } from '../../../server/src/core/verify/absence.ts';

type Entries = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** npm's lock file of a package that declares `needed` and, for development, `tool`. */
const npmLock = (packages: Entries, indent = '  ') =>
  `${JSON.stringify({ name: 'shop', lockfileVersion: 3, requires: true, packages }, null, indent)}\n`;
const ROOT = { name: 'shop', dependencies: { needed: '1' }, devDependencies: { tool: '1' } };
const PACKAGES = {
  '': ROOT,
  'node_modules/needed': { version: '1.0.0', dependencies: { shared: '1' } },
  'node_modules/own': { version: '1.0.0', dev: true },
  'node_modules/shared': { version: '1.0.0' },
  'node_modules/tool': { version: '1.0.0', dev: true, dependencies: { own: '1', shared: '1' } },
};

test('npm: what only the removed package needed goes, what others need stays', () => {
  const { 'node_modules/own': _, 'node_modules/tool': __, ...left } = PACKAGES;
  const { devDependencies: ___, ...root } = ROOT;
  const after = npmLock({ ...left, '': root }, '\t');
  expect(withoutInNpmLock(npmLock(PACKAGES, '\t'), '', 'devDependencies', 'tool')).toBe(after);
  const edit = { path: 'client/package-lock.json', before: npmLock(PACKAGES, '\t'), after };
  expect(placesGone(edit, [])).toEqual(['client/node_modules/own', 'client/node_modules/tool']);
});

test('npm: what only development still needs is marked so, in npm’s order of keys', () => {
  const packages = { ...PACKAGES, 'node_modules/shared': { version: '1.0.0', os: ['linux'], engines: { node: '1' } } };
  const after = JSON.parse(withoutInNpmLock(npmLock(packages), '', 'dependencies', 'needed')!);
  expect(after.packages['node_modules/needed']).toBeUndefined();
  expect(JSON.stringify(after.packages['node_modules/shared'])).toBe(
    '{"version":"1.0.0","dev":true,"os":["linux"],"engines":{"node":"1"}}',
  );
});

test('npm: the tree that format 2 also holds loses the same', () => {
  const lock = JSON.parse(npmLock(PACKAGES));
  const text = `${JSON.stringify(
    {
      ...lock,
      lockfileVersion: 2,
      dependencies: {
        needed: { version: '1.0.0', requires: { shared: '1' } },
        own: { version: '1.0.0', dev: true },
        shared: { version: '1.0.0' },
        tool: { version: '1.0.0', dev: true, requires: { own: '1' } },
      },
    },
    null,
    2,
  )}\n`;
  const after = JSON.parse(withoutInNpmLock(text, '', 'devDependencies', 'tool')!);
  expect(Object.keys(after.dependencies)).toEqual(['needed', 'shared']);
});

test('npm: a package of a workspace loses its own entry, and nested packages are found as Node finds them', () => {
  const packages = {
    '': { name: 'shop', workspaces: ['client'] },
    client: { name: 'client', dependencies: { tool: '1', needed: '1' } },
    'client/node_modules/needed': { version: '2.0.0' },
    'node_modules/client': { resolved: 'client', link: true },
    'node_modules/needed': { version: '1.0.0' },
    'node_modules/tool': { version: '1.0.0', dependencies: { needed: '1' } },
  };
  const after = JSON.parse(withoutInNpmLock(npmLock(packages), 'client', 'dependencies', 'tool')!);
  expect(Object.keys(after.packages)).toEqual(['', 'client', 'client/node_modules/needed', 'node_modules/client']);
  expect(after.packages.client.dependencies).toEqual({ needed: '1' });
});

test.each<[string, string]>([
  ['of format 1', npmLock(PACKAGES).replace('"lockfileVersion": 3', '"lockfileVersion": 1')],
  ['in another layout', npmLock(PACKAGES).replace('true', ' true')],
  ['with a package that nothing needs', npmLock({ ...PACKAGES, 'node_modules/stray': { version: '1' } })],
  ['with another mark', npmLock({ ...PACKAGES, 'node_modules/own': { version: '1.0.0' } })],
  [
    'with an optional peer that nothing else needs',
    npmLock({
      ...PACKAGES,
      'node_modules/peer': { version: '1', optional: true, peer: true },
      'node_modules/needed': {
        version: '1.0.0',
        dependencies: { shared: '1' },
        peerDependencies: { peer: '1' },
        peerDependenciesMeta: { peer: { optional: true } },
      },
    }),
  ],
  ['that is no JSON', '{'],
])('npm: a lock file %s is left alone', (_name, text) => {
  expect(withoutInNpmLock(text, '', 'devDependencies', 'tool')).toBeNull();
});

const PNPM = `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true

importers:

  .:
    dependencies:
      needed:
        specifier: ^1.0.0
        version: 1.0.0
      '@scope/gone':
        specifier: ^1.0.0
        version: 1.0.0

  client:
    devDependencies:
      tool:
        specifier: ^1.0.0
        version: 1.0.0(needed@1.0.0)

packages:

  '@scope/gone@1.0.0':
    resolution: {integrity: sha512-a==}

  needed@1.0.0:
    resolution: {integrity: sha512-b==}
    engines: {node: '>=18'}

  own@1.0.0:
    resolution: {integrity: sha512-c==}

  tool@1.0.0:
    resolution: {integrity: sha512-d==}
    peerDependencies:
      needed: '*'

snapshots:

  '@scope/gone@1.0.0':
    dependencies:
      own: 1.0.0

  needed@1.0.0: {}

  own@1.0.0: {}

  tool@1.0.0(needed@1.0.0):
    dependencies:
      needed: 1.0.0
`;

test('pnpm: the entry goes with what only it needed', () => {
  const without = (text: string, ...parts: readonly string[]) =>
    parts.reduce((left, part) => {
      expect(left).toContain(part);
      return left.replace(part, '');
    }, text);
  const after = without(
    PNPM,
    "      '@scope/gone':\n        specifier: ^1.0.0\n        version: 1.0.0\n",
    "  '@scope/gone@1.0.0':\n    resolution: {integrity: sha512-a==}\n\n",
    '  own@1.0.0:\n    resolution: {integrity: sha512-c==}\n\n',
    "  '@scope/gone@1.0.0':\n    dependencies:\n      own: 1.0.0\n\n",
    '  own@1.0.0: {}\n\n',
  );
  expect(withoutInPnpmLock(PNPM, '', 'dependencies', '@scope/gone')).toBe(after);
  const removed = [{ dir: '', name: '@scope/gone', table: 'dependencies' }] as const;
  expect(placesGone({ path: 'pnpm-lock.yaml', before: PNPM, after }, removed)).toEqual([
    'node_modules/@scope/gone',
    'node_modules/own',
  ]);
});

test('pnpm: left alone are a peer of a package that stays, another format, and a catalogue', () => {
  const peer = PNPM.replace('      needed: 1.0.0\n', '').replace("    dependencies:\n'", '');
  expect(withoutInPnpmLock(peer, '', 'dependencies', 'needed')).toBeNull();
  expect(withoutInPnpmLock(PNPM.replace("'9.0'", "'6.0'"), '', 'dependencies', '@scope/gone')).toBeNull();
  const catalogue = PNPM.replace(
    "'@scope/gone':\n        specifier: ^1.0.0",
    "'@scope/gone':\n        specifier: 'catalog:'",
  );
  expect(withoutInPnpmLock(catalogue, '', 'dependencies', '@scope/gone')).toBeNull();
  expect(withoutInPnpmLock(PNPM, '', 'dependencies', 'unknown')).toBeNull();
});

const YARN = `# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.
# yarn lockfile v1


"@scope/own@^1.0.0":
  version "1.0.0"
  resolved "https://registry.yarnpkg.com/@scope/own/-/own-1.0.0.tgz#a"

needed@^1.0.0:
  version "1.0.0"
  dependencies:
    shared "^2.0.0"

shared@^1.0.0, shared@^2.0.0:
  version "2.0.0"

tool@^1.0.0:
  version "1.0.0"
  dependencies:
    "@scope/own" "^1.0.0"
    shared "^1.0.0"
`;

test('Yarn: entries that nothing asks for go, and ranges leave the keys of those that stay', () => {
  const after = withoutInYarnLock(YARN, 'tool@^1.0.0', ['needed@^1.0.0'])!;
  expect(after).toBe(`# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.
# yarn lockfile v1


needed@^1.0.0:
  version "1.0.0"
  dependencies:
    shared "^2.0.0"

shared@^2.0.0:
  version "2.0.0"
`);
  expect(placesGone({ path: 'yarn.lock', before: YARN, after }, [])).toEqual([
    'node_modules/@scope/own',
    'node_modules/tool',
  ]);
  expect(withoutInYarnLock(YARN, 'other@1', ['needed@^1.0.0', 'tool@^1.0.0'])).toBeNull();
  expect(withoutInYarnLock(YARN, 'tool@^1.0.0', [])).toBeNull();
  expect(withoutInYarnLock(YARN.replace('v1', 'v9'), 'tool@^1.0.0', ['needed@^1.0.0'])).toBeNull();
});

test('the names that other packages need are read from lists of what is installed', () => {
  expect([...neededNames(npmLock(PACKAGES))]).toEqual(['shared', 'own']);
  expect([...neededNames(YARN)]).toEqual(['shared', '@scope/own']);
  expect([...neededNames('no list')]).toEqual([]);
});
