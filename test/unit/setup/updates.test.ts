// What registries are asked about dependencies, how their answers are read, and what an update changes.

import { expect, test } from 'vitest';
import type { LookUpResult } from '../../../server/src/core/ports/packages.ts';
import { findAdvisories, readAudit } from '../../../server/src/core/setup/updates/advisories.ts';
import {
  collectDirectDependencies,
  listLockedNames,
} from '../../../server/src/core/setup/updates/directDependencies.ts';
import { compareLocks } from '../../../server/src/core/setup/updates/lockChanges.ts';
import { explainFailure, planLookUps, readVersions } from '../../../server/src/core/setup/updates/lookUps.ts';
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
  const files = filesOf({ '.npmrc': npmrc });
  expect(listRegistryHosts(['a'], files)).toEqual(['one.example']);
  expect(listRegistryHosts(['a', '@two/b', '@three/c'], files)).toEqual(['one.example', 'two.example']);
  expect(listRegistryHosts(['a'], filesOf({}))).toEqual(['registry.npmjs.org']);
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
  expect(findAdvisories(report, 'a', ['node_modules/a'])).toEqual([
    { severity: 'critical', title: 'a known vulnerability', url: null, range: '*', fixed: null, through: 'b' },
    { ...advisory, fixed: '1.2.3', through: null },
  ]);
  // Another package brings the vulnerable copy along.
  expect(findAdvisories(report, 'c', ['node_modules/c'])).toEqual([]);
  expect(readAudit(answerWith({ message: 'no', statusCode: 400 }))).toBeNull();
});

test('the changes of a lock file name new hosts and scripts', () => {
  const lock = (packages: object) => JSON.stringify({ packages: { '': { name: 'root' }, ...packages } });
  const a = (version: string, host: string) => ({ version, resolved: `https://user:pass@${host}/a.tgz` });
  expect(
    compareLocks(
      lock({ 'node_modules/a': a('1.0.0', 'one.example'), 'node_modules/gone': { version: '1.0.0' } }),
      lock({
        'node_modules/a': { ...a('2.0.0', 'two.example'), hasInstallScript: true },
        'node_modules/a/node_modules/b': { version: '1.0.0' },
        'packages/own': { version: '9.0.0' },
      }),
      ['one.example'],
    ),
  ).toEqual({
    added: [{ place: 'node_modules/a/node_modules/b', version: '1.0.0' }],
    removed: [{ place: 'node_modules/gone', version: '1.0.0' }],
    changed: [{ place: 'node_modules/a', version: '2.0.0', before: '1.0.0' }],
    newHosts: ['two.example'],
    withScripts: ['node_modules/a'],
  });
});
