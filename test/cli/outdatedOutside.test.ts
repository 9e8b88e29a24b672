// `selfware outdated` in a repository that brings its own npm and node, with the real npm and a registry on the loopback.

import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCommandLine } from '../helpers/commandLine.ts';
import { NPMRC, REGISTRY_HOST, startNpmRegistry } from '../helpers/npmRegistry.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

test('its own npm and node do not run, and packages of its folders are audited without naming it', async () => {
  const registry = await startNpmRegistry();
  for (const name of ['top', 'inner', 'deep'])
    registry.packages[name] = { '1.0.0': { code: '' }, '1.1.0': { code: '' }, '2.0.0': { code: '' } };
  registry.advisories['inner'] = [{ vulnerable_versions: '<1.1.0', title: 'Inner fault' }];
  registry.advisories['deep'] = [{ vulnerable_versions: '<1.1.0', title: 'Deep fault' }];
  const locked = (name: string, version = '1.0.0', more: object = {}) => ({
    ...{ version, resolved: `https://${REGISTRY_HOST}/${name}/-/${version}.tgz` },
    ...more,
  });
  // The folder from which npm is asked belongs to no workspace, whatever the root says.
  const root = { name: 'hush', version: '7.7.7', workspaces: ['hush/*', 'node_modules/.selfware-*'] };
  const own = { name: '@hush/own', version: '1.0.0', dependencies: { inner: '^1.0.0' } };
  const lock = {
    ...{ name: 'hush', version: '7.7.7', lockfileVersion: 3, requires: true },
    packages: {
      '': { ...root, dependencies: { top: '^1.0.0' } },
      'hush/own': own,
      'hush/own/node_modules/inner': locked('inner'),
      'node_modules/@hush/own': { resolved: 'hush/own', link: true },
      'node_modules/deep': locked('deep'),
      'node_modules/inner': locked('inner', '2.0.0'),
      'node_modules/top': locked('top', '1.0.0', { dependencies: { deep: '^1.0.0', inner: '^2.0.0' } }),
    },
  };
  const program = '#!/bin/sh\necho "the npm of the repository" >&2\nexit 66\n';
  const folders = ['node_modules/.bin', '.selfware-manager/node_modules/.bin'];
  const programs = folders.flatMap((folder) => ['npm', 'node'].map((name) => `${folder}/${name}`));
  const repository = await createTemporaryRepository({
    '.npmrc': NPMRC,
    'package.json': JSON.stringify({ ...root, dependencies: { top: '^1.0.0' } }),
    'hush/own/package.json': JSON.stringify(own),
    'package-lock.json': JSON.stringify(lock, null, 2),
    ...Object.fromEntries(programs.map((path) => [path, program])),
  });
  for (const path of programs) await chmod(join(repository.dir, path), 0o755);
  await repository.git('commit', '--quiet', '--all', '--message', 'programs');
  const selfware = await createCommandLine(repository.dir);
  try {
    await selfware.decide();
    const { stdout, stderr, code } = await selfware.run(['outdated', '--yes', '--json'], { env: registry.env });
    expect([code, stderr]).toEqual([1, expect.not.stringContaining('npm of the repository')]);
    const { dependencies, unknown } = JSON.parse(stdout);
    expect(unknown).toEqual([]);
    expect(dependencies).toMatchObject([
      { name: 'inner', manifest: 'hush/own/package.json', advisories: [{ title: 'Inner fault', through: null }] },
      { name: 'top', latest: '2.0.0', advisories: [{ title: 'Deep fault', through: 'deep' }] },
    ]);
    const bodies = registry.bodies.join('\n');
    expect(bodies).toContain('inner');
    expect(bodies).not.toMatch(/hush|7\.7\.7/);
    expect(registry.requests.join('\n')).not.toContain('hush');
  } finally {
    await selfware.dispose();
    await repository.dispose();
    await registry.close();
  }
});
