import { expect, test } from 'vitest';
import { needsNoPackages, hashShapingFiles } from '../../../server/src/core/setup/shapingFiles.ts';
import { NOTHING_ALLOWED, planSetup, type ExtraPermissions } from '../../../server/src/core/setup/plan.ts';
import type { MachineFacts } from '../../../server/src/core/ports/packages.ts';

const facts: MachineFacts = {
  platform: 'linux',
  arch: 'x64',
  node: '24.0.0',
  abi: '137',
  repository: 'one',
  programs: { redis: '/usr/bin/redis-server' },
};

function plan(
  texts: Readonly<Record<string, string>>,
  allow: Partial<ExtraPermissions> = {},
  more: Partial<MachineFacts> = {},
) {
  const tracked = Object.keys(texts).sort();
  return planSetup({
    tracked,
    files: { has: (path) => path in texts, text: (path) => texts[path] ?? null },
    shape: 'shape',
    facts: { ...facts, ...more },
    allow: { ...NOTHING_ALLOWED, ...allow },
    tests: 'npm run test',
  });
}

const commandsOf = ({ plan: { steps } }: ReturnType<typeof plan>) => steps.map(({ command }) => command);
const manifest = (more: object = {}) => JSON.stringify({ devDependencies: { mocha: '1' }, ...more });

test.each([
  [{ 'package-lock.json': '{}' }, {}, ['npm ci --ignore-scripts']],
  [{}, {}, ['npm install --ignore-scripts']],
  [
    { 'pnpm-lock.yaml': "lockfileVersion: '6.0'\n" },
    {},
    [
      'npm install --ignore-scripts --no-save --prefix .selfware-manager pnpm@8',
      'pnpm install --frozen-lockfile --ignore-scripts --ignore-pnpmfile',
    ],
  ],
  [
    { 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" },
    { packageManager: 'pnpm@10.1.2+sha512.abc' },
    [
      'npm install --ignore-scripts --no-save --prefix .selfware-manager pnpm@10.1.2',
      'pnpm install --frozen-lockfile --ignore-scripts --ignore-pnpmfile',
    ],
  ],
  [
    { 'pnpm-lock.yaml': "---\nlockfileVersion: '9.0'\n---\nlockfileVersion: '9.0'\n" },
    {},
    [
      'npm install --ignore-scripts --no-save --prefix .selfware-manager pnpm@11',
      'pnpm install --frozen-lockfile --ignore-scripts --ignore-pnpmfile',
    ],
  ],
  [
    {},
    { devEngines: { packageManager: [{ name: 'pnpm', version: '11.22.0' }, { name: 'npm' }] } },
    [
      'npm install --ignore-scripts --no-save --prefix .selfware-manager pnpm@11.22.0',
      'pnpm install --no-frozen-lockfile --ignore-scripts --ignore-pnpmfile',
    ],
  ],
  [
    { 'yarn.lock': '' },
    {},
    [
      'npm install --ignore-scripts --no-save --prefix .selfware-manager yarn@1.22.22',
      'yarn install --frozen-lockfile --ignore-scripts --non-interactive',
    ],
  ],
  [
    { 'yarn.lock': '', '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn-4.1.0.cjs\n' },
    {},
    [
      'npm install --ignore-scripts --no-save --prefix .selfware-manager @yarnpkg/cli-dist@4.1.0',
      'yarn install --immutable --mode=skip-build',
    ],
  ],
  [
    { 'bun.lock': '' },
    {},
    [
      'npm install --ignore-scripts --no-save --prefix .selfware-manager @oven/bun-linux-x64@1',
      'bun install --frozen-lockfile --ignore-scripts',
    ],
  ],
  [
    {},
    { packageManager: 'yarn@1.22.22' },
    [
      'npm install --ignore-scripts --no-save --prefix .selfware-manager yarn@1.22.22',
      'yarn install --ignore-scripts --non-interactive',
    ],
  ],
  [
    {},
    { packageManager: 'yarn@4.4.1' },
    [
      'npm install --ignore-scripts --no-save --prefix .selfware-manager @yarnpkg/cli-dist@4.4.1',
      'yarn install --no-immutable --mode=skip-build',
    ],
  ],
  [
    {},
    { packageManager: 'yarn@4.0.0-rc.2' },
    [
      'npm install --ignore-scripts --no-save --prefix .selfware-manager @yarnpkg/cli-dist@4',
      'yarn install --no-immutable --mode=skip-build',
    ],
  ],
  [{}, { devDependencies: {}, workspaces: ['packages/*'] }, ['npm install --ignore-scripts']],
] as const)('the commands come from the lock file: %j', (files, more, expected) => {
  expect(commandsOf(plan({ ...files, 'package.json': manifest(more) }))).toEqual(expected);
});

test('no manager reads a setting that has scripts run, in either spelling', () => {
  const { order } = plan({ 'pnpm-lock.yaml': '', 'package.json': manifest() });
  const off = { npm_config_ignore_scripts: 'true', pnpm_config_ignore_scripts: 'true' };
  expect(order?.steps.at(-1)?.env).toEqual(off);
});

test('a version that is not one is not handed to a registry', () => {
  const found = plan({ 'pnpm-lock.yaml': '', 'package.json': manifest({ packageManager: 'pnpm@file:../evil' }) });
  expect(commandsOf(found)[0]).toMatch(/ pnpm@9$/);
});

test('nothing to install: no step, and the tests alone run', () => {
  const found = plan({ 'package.json': '{"scripts":{"test":"node --test"}}' });
  expect(found.order).toBeNull();
  expect(found.plan.text).toContain('no package has to be installed');
});

test.each([
  [{}, true],
  [{ 'package.json': '{"scripts":{"test":"node --test"}}', 'a/package.json': '{"dependencies":{}}' }, true],
  [{ 'package.json': '{}', 'a/package.json': '{"peerDependencies":{"b":"1"}}' }, false],
  [{ 'package.json': '{}', 'package-lock.json': '{}' }, false],
  [{ 'package.json': 'no manifest' }, false],
] as const)('files that ask for no packages need no set-up: %j', (texts, expected) => {
  const contents = Object.entries<string>(texts).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
  expect(needsNoPackages(contents)).toBe(expected);
});

test('what is approved names the commands, the hosts, and the scripts that are not run', () => {
  const lock = JSON.stringify({
    packages: {
      'node_modules/sqlite3': { hasInstallScript: true, resolved: 'https://mirror.example/sqlite3.tgz' },
      'node_modules/plain': { funding: { url: 'https://money.example/' } },
    },
  });
  const { text, hosts } = plan({ 'package.json': manifest(), 'package-lock.json': lock }).plan;
  expect(hosts).toContain('mirror.example');
  expect(hosts).not.toContain('money.example');
  expect(text).toContain('Not run: sqlite3');
  expect(text).toContain('mirror.example');
});

test('the hash is another one for whatever may run or be reached', () => {
  const files = { 'package.json': manifest(), 'package-lock.json': '{}' };
  const hashes = [
    plan(files),
    plan(files, { hosts: ['other.example'] }),
    plan(files, {}, { repository: 'another' }),
    plan(files, {}, { abi: '115' }),
    plan({ ...files, 'package-lock.json': '{"packages":{"node_modules/a":{"hasInstallScript":true}}}' }),
  ].map((one) => one.plan.hash);
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(plan(files).plan.hash).toBe(hashes[0]);
});

test('another repository with the same lock file gets another name', () => {
  const files = { 'package.json': manifest(), 'package-lock.json': '{}' };
  expect(plan(files).plan.name).not.toBe(plan(files, {}, { repository: 'another' }).plan.name);
});

test.each([
  [{ 'package.json': manifest({ pnpm: { onlyBuiltDependencies: ['esbuild'] } }), 'pnpm-lock.yaml': '' }, 'pnpm'],
  [
    { 'package.json': manifest(), 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': 'allowBuilds:\n  esbuild: true\n' },
    'pnpm',
  ],
  [{ 'package.json': manifest({ trustedDependencies: ['esbuild'] }), 'bun.lock': '' }, 'npm'],
  [
    {
      'package.json': manifest({ dependenciesMeta: { esbuild: { built: true } } }),
      'yarn.lock': '',
      '.yarnrc.yml': '',
    },
    'yarn',
  ],
])('scripts that people have allowed for their manager are run by name, and no other: %j', (files, manager) => {
  const last = commandsOf(plan(files as Record<string, string>)).at(-1);
  expect(last).toMatch(new RegExp(`^${manager} rebuild (--foreground-scripts )?esbuild$`));
});

test('a name of a package that would be an option is left out', () => {
  const found = plan({ 'package.json': manifest({ trustedDependencies: ['--evil', 'a b', 'x;y'] }), 'bun.lock': '' });
  expect(found.plan.allowedScripts).toEqual([]);
});

test('plugins of Yarn block the installation until a person allows them', () => {
  const files = {
    'package.json': manifest(),
    'yarn.lock': '',
    '.yarnrc.yml': 'plugins:\n  - path: .yarn/plugins/a.cjs\n',
  };
  expect(plan(files).order).toBeNull();
  expect(plan(files).plan.missing[0]?.action).toContain('--allow-code');
  expect(plan(files, { code: true }).order).not.toBeNull();
});

test.each([
  ['a key in quotes', { 'yarn.lock': '', '.yarnrc.yml': '"plugins":\n  - path: a.cjs\n' }],
  ['a table in braces', { 'yarn.lock': '', '.yarnrc.yml': '{ plugins: [{ path: a.cjs }] }\n' }],
  ['settings that are not valid YAML', { 'yarn.lock': '', '.yarnrc.yml': 'a: [\n' }],
  ['a blank that is not one of ASCII', { 'package-lock.json': '{}', '.npmrc': '\u00a0script-shell=./x.sh\n' }],
  ['a key of npm in quotes', { 'package-lock.json': '{}', '.npmrc': '"node-options" = --require ./x.cjs\n' }],
  ['a scanner of Bun', { 'bun.lock': '', 'bunfig.toml': '[install.security]\nscanner = "./x.ts"\n' }],
])('code of the repository is seen however it is named: %s', (_what, files) => {
  expect(plan({ 'package.json': manifest(), ...files }).order).toBeNull();
});

test('a program for pnpm is not run, and said', () => {
  const found = plan({ 'package.json': manifest(), 'pnpm-lock.yaml': '', '.pnpmfile.cjs': '' });
  expect(found.plan.refusedCode).toEqual(['.pnpmfile.cjs']);
  expect(commandsOf(found).at(-1)).toContain('--ignore-pnpmfile');
});

const CI = `env:
  NODE_ENV: test
jobs:
  test:
    services:
      db:
        image: postgres:15
        env: { POSTGRES_USER: me, POSTGRES_DB: things }
    steps:
      - run: npm test
        env:
          PGUSER: me
          TOKEN: \${{ secrets.TOKEN }}
          LD_PRELOAD: /evil.so
          PATH: /evil
`;

test('services and values come from CI with file and line; secrets and variables that steer programs do not', () => {
  const files = { 'package.json': manifest(), '.github/workflows/ci.yml': CI };
  const without = plan(files).plan;
  expect(without.missing[0]?.what).toMatch(/PostgreSQL.*ci\.yml:7/);
  const { services, values } = plan(files, {}, { programs: { postgresql: '/usr/lib/postgresql/15/bin' } }).plan;
  expect(services).toEqual([
    { kind: 'postgresql', because: '.github/workflows/ci.yml:7', user: 'me', database: 'things' },
  ]);
  expect(values.map(({ name, value }) => `${name}=${value}`)).toEqual(['NODE_ENV=test', 'PGUSER=me']);
});

test('compose files tell of services too, and a file that does not parse of nothing', () => {
  const files = { 'package.json': manifest(), 'compose.yml': 'services:\n  cache:\n    image: "redis:7"\n' };
  expect(plan(files).plan.services).toEqual([{ kind: 'redis', because: 'compose.yml:3' }]);
  expect(plan({ ...files, 'compose.yml': ': [' }).plan.services).toEqual([]);
});

test('Python is run by the interpreter that has pytest, on the sources and not on an installed copy', () => {
  const files = { 'pyproject.toml': '', 'src/thing/__init__.py': '', 'tests/test_a.py': '' };
  const found = plan(files, {}, { programs: { pytest: '/usr/bin/python3' } }).plan;
  expect(found.testCommand).toBe(
    'PYTHONPATH=src /usr/bin/python3 -m pytest -p no:cacheprovider --continue-on-collection-errors',
  );
  expect(plan(files).plan.missing[0]?.action).toContain('pytest');
});

test('Python with a virtual environment that has pytest keeps the detected command, which finds that pytest', () => {
  const files = { 'pyproject.toml': '', 'src/thing/__init__.py': '', 'tests/test_a.py': '' };
  const programs = { pytest: '/usr/bin/python3', 'pytest of the virtual environment': '/r/.venv/bin/pytest' };
  expect(plan(files, {}, { programs }).plan).toMatchObject({ testCommand: null, missing: [] });
});

test('what a manifest says to people shapes no installation; the version of a package that is not alone does', () => {
  const shape = (manifests: Readonly<Record<string, object>>) =>
    hashShapingFiles(
      Object.entries(manifests).map(([path, one]) => ({ path, bytes: Buffer.from(JSON.stringify(one)) })),
    );
  const of = (version: string, more: object = {}) => ({ name: 'a', version, dependencies: { b: '1' }, ...more });
  expect(shape({ 'package.json': of('1.0.1', { scripts: { test: 'x' } }) })).toBe(shape({ 'package.json': of('1') }));
  expect(shape({ 'package.json': of('1', { overrides: {} }) })).not.toBe(shape({ 'package.json': of('1') }));
  const two = (version: string) => shape({ 'package.json': of('1'), 'packages/b/package.json': of(version) });
  expect(two('1')).not.toBe(two('2'));
  expect(hashShapingFiles([{ path: 'package.json', bytes: Buffer.from('{') }])).toMatch(/^[a-f0-9]{64}$/);
});

test('settings that are too long to be read are believed to load code, and hint at no service', () => {
  const long = `${'# nothing\n'.repeat(20_000)}a: 1\n`;
  const refused = plan({ 'package.json': manifest(), 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': long });
  const short = plan({ 'package.json': manifest(), 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': 'a: 1\n' });
  expect(JSON.stringify(refused.plan)).toContain('configDependencies');
  expect(JSON.stringify(short.plan)).not.toContain('configDependencies');
  const compose = `${long}services:\n  cache:\n    image: redis\n`;
  expect(plan({ 'package.json': manifest(), 'compose.yml': compose }).plan.services).toEqual([]);
});

test('a package from outside of the repository is missing, and the text says so before anything runs', () => {
  const devDependencies = { one: 'file:../one.tgz', two: 'file:./two.tgz', three: '^3.0.0' };
  const { plan: planned } = plan({ 'package.json': JSON.stringify({ devDependencies }) });
  expect(planned.missing.map(({ what }) => what)).toEqual([
    'one (package.json: file:../one.tgz), which lies outside of the repository',
  ]);
  expect(planned.text).toContain('Missing: one (package.json: file:../one.tgz)');
});
