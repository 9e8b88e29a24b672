// What registries are asked about dependencies, how their answers are read, and what an update changes.

import { expect, test } from 'vitest';
import type { LookUpResult } from '../../../server/src/core/ports/packages.ts';
import { findAdvisories, findOtherAdvisories, readAudit } from '../../../server/src/core/setup/updates/advisories.ts';
import {
  collectDirectDependencies,
  listLockedNames,
} from '../../../server/src/core/setup/updates/directDependencies.ts';
import { compareLocks } from '../../../server/src/core/setup/updates/lockChanges.ts';
import {
  explainFailure,
  isUnreachable,
  planLookUps,
  readVersions,
} from '../../../server/src/core/setup/updates/lookUps.ts';
import { findReached } from '../../../server/src/core/setup/updates/lockGraph.ts';
import { readNpmSettings } from '../../../server/src/core/setup/updates/npmSettings.ts';
import { createAuditFiles, restoreFolders } from '../../../server/src/core/setup/updates/auditFiles.ts';
import { findLeftOut } from '../../../server/src/core/setup/updates/leftOut.ts';
import { readLockEntries } from '../../../server/src/core/model/lockEntries.ts';
import { requireOnlyUpdate } from '../../../server/src/core/session/setup/writingUpdate.ts';
import { listRegistryHosts } from '../../../server/src/core/setup/updates/registryHosts.ts';
import { classifyUpdate } from '../../../server/src/core/setup/updates/versions.ts';

const filesOf = (texts: Readonly<Record<string, unknown>>) => ({
  has: (path: string) => path in texts,
  text: (path: string) => {
    const text = texts[path];
    return text === undefined ? null : typeof text === 'string' ? text : JSON.stringify(text);
  },
});
const answerWith = (stdout: unknown, exitCode = 1, output = ''): LookUpResult => ({
  command: ['npm'],
  ...{ exitCode, outcome: 'exited', output, millis: 1 },
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
});

test.each([
  ['1.2.3', '1.2.4', 'patch'],
  ['1.2.3', '1.10.0', 'minor'],
  ['9.0.0', '10.0.0', 'major'],
  ['0.2.9', '0.3.0', 'major'],
  ['0.2.0', '0.2.1', 'patch'],
  ['0.0.1', '0.0.2', 'major'],
  ['2.0.0-beta.1', '2.0.0', 'patch'],
  ['2.0.0', '1.9.9', 'none'],
  ['2.0.0', '2.0.0', 'none'],
  [null, '2.0.0', 'unknown'],
  ['workspace', '2.0.0', 'unknown'],
])('from %s to %s: %s', (current, latest, kind) => {
  expect(classifyUpdate(current, latest)).toBe(kind);
});

test('only what comes from a registry is asked about, with the version that code of its folder gets', () => {
  const files = filesOf({
    'package.json': {
      name: 'root',
      dependencies: {
        a: '^1.0.0',
        b: 'git+https://host.example/b.git',
        c: 'file:../c',
        d: 'npm:real@^2.0.0',
        own: '*',
      },
      devDependencies: { '--global': '1', '@scope/e': 'latest', f: 'workspace:*', g: 'owner/repository' },
    },
    'packages/own/package.json': { name: 'own', dependencies: { a: '^2.0.0' } },
    'package-lock.json': {
      packages: {
        'node_modules/a': { version: '1.5.0' },
        'packages/own/node_modules/a': { version: '2.5.0' },
        'node_modules/d': { version: '2.1.0' },
      },
    },
  });
  const found = collectDirectDependencies(['package.json', 'packages/own/package.json'], files);
  expect(found.map(({ name, manifest, current }) => [name, manifest, current])).toEqual([
    ['a', 'package.json', '1.5.0'],
    ['d', 'package.json', '2.1.0'],
    ['@scope/e', 'package.json', null],
    ['a', 'packages/own/package.json', '2.5.0'],
  ]);
  expect(listLockedNames(files)).toEqual(['a', 'a', 'd']);
  expect(planLookUps(found)).toEqual([{ a: '^1.0.0', d: 'npm:real@^2.0.0', '@scope/e': 'latest' }, { a: '^2.0.0' }]);
});

test('the registries of the repository are asked, those of scopes only about their packages', () => {
  const npmrc =
    '; registry=https://no.example\nregistry = "https://one.example/npm"\n@two:registry=https://two.example\n';
  const settings = readNpmSettings(npmrc);
  expect(listRegistryHosts(['a'], settings)).toEqual(['one.example']);
  expect(listRegistryHosts(['a', '@two/b', '@three/c'], settings)).toEqual(['one.example', 'two.example']);
  expect(listRegistryHosts(['a'], readNpmSettings(null))).toEqual(['registry.npmjs.org']);
});

test('credentials in the address of a registry are no part of its host', () => {
  const settings = readNpmSettings('registry=https://user:s3cret@one.example:443/npm/\n');
  expect(listRegistryHosts(['a'], settings)).toEqual(['one.example']);
});

test.each([
  ['registry=http://user:s3cret@one.example/', 'is asked by http'],
  ['registry=https://user:s3cret@one.example:8443/', 'answers at port 8443'],
  ['registry=s3cret', 'has no valid address'],
  ['registry=https://one.example/s3cret;x', 'has an address with unusual characters'],
])('a registry that cannot be reached is refused before anything is asked: %s', (npmrc, text) => {
  const ask = () => listRegistryHosts(['a'], readNpmSettings(npmrc));
  expect(ask).toThrow(text);
  expect(ask).not.toThrow('s3cret');
  // Registries of scopes that no package has are not asked.
  expect(listRegistryHosts(['a'], readNpmSettings(`@unused:${npmrc}`))).toEqual(['registry.npmjs.org']);
});

test('of an .npmrc, only registries, their credentials and the style of ranges are used', () => {
  const used = [
    'registry=https://one.example/npm/',
    '@two:registry=https://two.example/',
    '//one.example/npm/:_authToken=${TOKEN}',
    '//two.example/:_password=abc=',
    'strict-ssl=false',
    'ca[]="-----BEGIN"',
    'save-exact=true',
    "save-prefix='~'",
  ];
  const unused = [
    'git=./evil.sh',
    ' git = ./evil.sh',
    '"git"=./evil.sh',
    'script-shell=./evil.sh',
    'node-options=--require=./evil.js',
    'ignore-scripts=false',
    'prefix=.',
    'cafile=./evil.pem',
    'strict-ssl=./evil.sh',
    'registry=file:./evil',
    '; save-exact=true',
    'git',
  ];
  expect(readNpmSettings([...unused, ...used, '[section]', 'save-exact=false'].join('\r\n')).text).toBe(
    `${used.join('\n')}\n`,
  );
});

test('a package from another host is left out of all questions, and named', () => {
  const at = (resolved: string) => ({ version: '1.0.0', resolved });
  const lock = JSON.stringify({
    packages: {
      '': { name: 'root' },
      'node_modules/a': at('https://registry.npmjs.org/a.tgz'),
      'node_modules/secret': at('https://private.example/secret.tgz'),
      'node_modules/own': { link: true, resolved: 'packages/own' },
      'packages/own/node_modules/@two/b': at('https://two.example/b.tgz'),
      'node_modules/c': { version: '1.0.0' },
    },
  });
  const leftOut = findLeftOut(lock, readNpmSettings('@two:registry=https://two.example/'));
  expect(leftOut).toEqual([{ name: 'secret', host: 'private.example' }]);
  expect(createAuditFiles(lock, [], leftOut).lock).not.toContain('secret');
  expect(findLeftOut(lock, readNpmSettings(null)).map(({ name }) => name)).toEqual(['@two/b', 'secret']);
  expect(findLeftOut(lock, readNpmSettings('registry=https://private.example'))).toEqual([
    { name: '@two/b', host: 'two.example' },
  ]);
});

test('a lock file of format 1 is read and reduced alike', () => {
  const at = (host: string, more: object = {}) => ({ version: '1.0.0', resolved: `https://${host}/x.tgz`, ...more });
  const inner = { secret: at('private.example'), b: at('one.example') };
  const dependencies = {
    a: at('one.example', { requires: { b: '1' }, dependencies: inner }),
    secret: at('private.example'),
  };
  const lock = JSON.stringify({ lockfileVersion: 1, dependencies });
  const leftOut = findLeftOut(lock, readNpmSettings('registry=https://one.example'));
  expect(leftOut).toEqual([{ name: 'secret', host: 'private.example' }]);
  const reduced = createAuditFiles(lock, [], leftOut).lock;
  expect([...readLockEntries(reduced).keys()]).toEqual(['node_modules/a', 'node_modules/a/node_modules/b']);
  expect(reduced).not.toContain('secret');
  expect(findReached(readLockEntries(lock), 'node_modules/a')).toContain('node_modules/a/node_modules/b');
});

test('npm is asked for advisories with nothing that names the repository, its folders or what is left out', () => {
  const at = (host: string, more: object = {}) => ({ version: '1.0.0', resolved: `https://${host}/x.tgz`, ...more });
  const lock = JSON.stringify({
    ...{ name: 'hush', version: '7.7.7', lockfileVersion: 2, requires: true, dependencies: { hush: {} } },
    packages: {
      '': { name: 'hush', version: '7.7.7', workspaces: ['hush/*'], dependencies: { a: '^1.0.0', secret: '^1.0.0' } },
      'hush/own': { name: '@hush/own', version: '1.0.0', dependencies: { b: '^2.0.0', secret: '^1.0.0' } },
      'hush/own/node_modules/b': at('one.example'),
      'node_modules/@hush/own': { resolved: 'hush/own', link: true },
      'node_modules/a': at('one.example', {
        dependencies: { b: '1', secret: '1', shush: 'npm:secret@1' },
        peerDependencies: { '@hush/own': '1' },
      }),
      'node_modules/secret': at('private.example'),
      'node_modules/shush': at('private.example', { name: 'secret' }),
    },
  });
  const direct = (name: string) => ({ name, table: 'dependencies' as const, spec: '^1.0.0' });
  const leftOut = [{ name: 'secret', host: 'private.example' }];
  const files = createAuditFiles(lock, [direct('a'), direct('secret'), direct('@hush/own')], leftOut);
  expect(JSON.parse(files.manifest)).toEqual({ dependencies: { a: '^1.0.0' } });
  expect(files.lock).not.toMatch(/hush|secret|private|7\.7\.7/);
  expect(JSON.parse(files.lock)).toMatchObject({
    packages: { '': { dependencies: { a: '^1.0.0' } }, 'node_modules/a': { dependencies: { b: '1' } } },
  });
  const [place] = Object.keys(JSON.parse(files.lock).packages).filter((each) => each.endsWith('/node_modules/b'));
  const report = { b: { severity: 'high', nodes: [place, 'node_modules/b'] } };
  expect(restoreFolders(report, files.folders)).toEqual({
    b: { severity: 'high', nodes: ['hush/own/node_modules/b', 'node_modules/b'] },
  });
});

test('versions are read from answers of any form, and nothing else', () => {
  const answer = {
    a: { wanted: '1.0.1', latest: '2.0.0' },
    'b:real@^1': [{ wanted: '1.0.0', latest: '1.0.0' }],
    c: { wanted: '\u001b[31m', latest: '1.0.0' },
  };
  expect([...readVersions(answerWith(answer))!.keys()]).toEqual(['a', 'b']);
  expect(readVersions(answerWith('', 0))).toEqual(new Map());
  expect(readVersions(answerWith('', 1))).toBeNull();
  expect(readVersions(answerWith({ error: { code: 'E401' } }))).toBeNull();
});

test.each([
  [answerWith({ error: { code: 'ECONNREFUSED', summary: 'secret' } }), 'one.example did not answer (ECONNREFUSED)'],
  [answerWith({ statusCode: 502 }), 'one.example did not answer (E502)'],
  [answerWith({ statusCode: 405 }), 'one.example does not offer them (E405)'],
  [answerWith({ error: { code: 'E401' } }), 'one.example wants a token (E401)'],
  [answerWith('', 1, 'npm error code EUSAGE\nnpm error secret'), 'npm could not look them up (EUSAGE)'],
  [answerWith({ error: { code: 'secret of npm' } }), 'npm could not look them up.'],
  [{ ...answerWith(''), outcome: 'notFound' as const }, 'npm was not found'],
])('a failed question says why, without words of the registry (%#)', (answer, text) => {
  const { reason, action } = explainFailure('Versions', answer, ['one.example']);
  expect(reason).toContain(text);
  expect(reason + action).not.toContain('secret');
});

test('advisories of a dependency and of what it brings along, the most severe first', () => {
  const advisory = { title: 'Bad', url: 'https://advisories.example/1', severity: 'low', range: '>=1.0.0 <1.2.3' };
  const report = readAudit(
    answerWith({
      vulnerabilities: {
        a: { nodes: ['node_modules/a'], via: ['b', advisory, { ...advisory }] },
        b: { nodes: ['node_modules/b'], via: [{ severity: 'critical', range: '*', url: 'javascript:alert(1)' }, 'a'] },
        c: { nodes: ['node_modules/x/node_modules/c'], via: [advisory] },
      },
    }),
  )!;
  const at = (place: string, ...reached: readonly string[]) => ({ place, reached: new Set([place, ...reached]) });
  expect(findAdvisories(report, 'a', at('node_modules/a'))).toEqual([
    { severity: 'critical', title: 'a known vulnerability', url: null, range: '*', fixed: null, through: 'b' },
    { ...advisory, fixed: '1.2.3', through: null },
  ]);
  // Another package brings the vulnerable copy along.
  expect(findAdvisories(report, 'c', at('node_modules/c'))).toEqual([]);
  expect(findOtherAdvisories(report, [at('node_modules/a'), at('node_modules/c')])).toMatchObject([
    { title: 'Bad', through: 'c' },
  ]);
  expect(findOtherAdvisories(report, [at('node_modules/a'), at('node_modules/x/node_modules/c')])).toEqual([]);
  expect(readAudit(answerWith({ message: 'no', statusCode: 400 }))).toBeNull();
});

test('an advisory of a package that is brought along belongs to the dependency that reaches it', () => {
  const entries = readLockEntries(
    JSON.stringify({
      packages: {
        '': { dependencies: { a: '1', own: '1' } },
        'node_modules/a': { version: '1.0.0', dependencies: { b: '1' }, devDependencies: { d: '1' } },
        'node_modules/a/node_modules/b': { version: '1.0.0', optionalDependencies: { c: '1' } },
        'node_modules/b': { version: '2.0.0' },
        'node_modules/c': { version: '1.0.0', peerDependencies: { a: '1' } },
        'node_modules/d': { version: '1.0.0' },
        'node_modules/own': { link: true, resolved: 'packages/own' },
        'packages/own': { version: '1.0.0', dependencies: { d: '1' } },
      },
    }),
  );
  const reached = findReached(entries, 'node_modules/a');
  expect([...reached].sort()).toEqual(['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/c']);
  expect(findReached(entries, 'node_modules/own')).toContain('node_modules/d');
  // npm lists only the package that is brought along.
  const via = [{ title: 'Bad', severity: 'high', range: '<2.0.0' }];
  const report = readAudit(
    answerWith({
      vulnerabilities: {
        c: { isDirect: false, effects: [], nodes: ['node_modules/c'], via },
        d: { isDirect: false, severity: 'low', nodes: ['node_modules/d'], via: [] },
      },
    }),
  )!;
  const places = { place: 'node_modules/a', reached };
  expect(findAdvisories(report, 'a', places)).toMatchObject([{ title: 'Bad', severity: 'high', through: 'c' }]);
  // Even without a word about the cause, nothing is called sound.
  expect(findOtherAdvisories(report, [places])).toMatchObject([{ severity: 'low', through: 'd' }]);
});

test('a registry that wants a pause is not asked about single packages', () => {
  expect([isUnreachable('E429'), isUnreachable('E401')]).toEqual([true, false]);
});

test('an update that alters other packages, or takes them from a new host, is refused', () => {
  const lock = (entry: object) => JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0', ...entry } } });
  const resolved = 'https://one.example/a.tgz';
  const check = (before: object, after: object) => () =>
    requireOnlyUpdate('b', compareLocks(lock(before), lock(after), ['agreed.example']));
  expect(check({ resolved }, { resolved, integrity: 'sha512-x' })).not.toThrow();
  expect(check({ resolved }, { version: '2.0.0', resolved: 'https://agreed.example/a.tgz' })).not.toThrow();
  expect(check({ resolved }, { version: '2.0.0', resolved: 'https://two.example/a.tgz' })).toThrow('two.example');
  expect(check({ resolved }, { version: '2.0.0', resolved: 'http://one.example/a.tgz' })).toThrow('http://one.example');
  expect(check({ resolved }, { version: '2.0.0', resolved: 'file:a.tgz' })).toThrow('a file');
  expect(check({ integrity: 'sha512-x' }, { integrity: 'sha512-y' })).toThrow('changes integrity of node_modules/a');
  expect(check({ integrity: 'sha512-x' }, {})).toThrow('changes integrity');
  expect(check({}, { link: true })).toThrow('changes link');
  // The entry of the root repeats its manifest.
  const root = (name: string) => JSON.stringify({ packages: { '': { name, version: '1.0.0' } } });
  expect(() => requireOnlyUpdate('b', compareLocks(root('old'), root('new'), []))).not.toThrow();
});

test('the changes of a lock file name new hosts and scripts', () => {
  const lock = (packages: object) => JSON.stringify({ packages: { '': { name: 'root' }, ...packages } });
  const same = (entry: object) => ({ 'node_modules/same': { version: '1.0.0', ...entry } });
  const a = (version: string, host: string) => ({ version, resolved: `https://user:pass@${host}/a.tgz` });
  expect(
    compareLocks(
      lock({ 'node_modules/a': a('1.0.0', 'one.example'), 'node_modules/gone': { version: '1.0.0' }, ...same({}) }),
      lock({
        'node_modules/a': { ...a('2.0.0', 'two.example'), hasInstallScript: true },
        'node_modules/a/node_modules/b': { version: '1.0.0' },
        'packages/own': { version: '9.0.0' },
        ...same({ hasInstallScript: true }),
      }),
      ['one.example'],
    ),
  ).toEqual({
    added: [{ place: 'node_modules/a/node_modules/b', version: '1.0.0' }],
    removed: [{ place: 'node_modules/gone', version: '1.0.0' }],
    changed: [{ place: 'node_modules/a', version: '2.0.0', before: '1.0.0' }],
    newHosts: ['two.example'],
    altered: [{ place: 'node_modules/same', fields: ['hasInstallScript'], isGain: true }],
    withScripts: ['node_modules/a', 'node_modules/same'],
  });
});
