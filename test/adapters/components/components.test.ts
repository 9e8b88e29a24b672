// Optional components: installed by the real npm from a registry on this machine, found, loaded, removed.

import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listComponents, type Component } from '../../../server/src/adapters/components/componentTable.ts';
import { installComponent, removeComponent } from '../../../server/src/adapters/components/install.ts';
import {
  findComponentEntry,
  findComponentFolder,
  loadComponent,
} from '../../../server/src/adapters/components/installed.ts';
import { createRegistry } from './registry.ts';

const never = new AbortController().signal;
const quiet = () => undefined;
const tiny: Component = {
  name: 'local',
  purpose: 'run a test',
  library: 'tiny-library',
  packages: ['tiny-library@2.0.1'],
  optional: true,
  megabytes: 1,
  setting: 'models.localLibrary',
};
const older: Component = { ...tiny, packages: ['tiny-library@1.0.0'] };

async function world(registry: string) {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'selfware-components-')));
  return {
    home,
    selfwareFolder: join(home, 'program'),
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      SELFWARE_HOME: join(home, 'state'),
      npm_config_registry: registry,
      npm_config_cache: join(home, 'cache'),
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

test('a component is installed once, in its tested version, and loaded from there; no script of it runs', async () => {
  await using registry = await createRegistry('tiny-library', '2.0.1', 'loaded');
  await using here = await world(registry.url);
  const { env, selfwareFolder } = here;
  const places = { env, configuredFolder: '', selfwareFolder };
  await expect(loadComponent(tiny, places)).rejects.toMatchObject({
    reason: 'unavailable',
    action: expect.stringContaining('selfware models install local'),
  });
  const counts: number[] = [];
  const installation = { component: tiny, env, signal: never, onFetched: (count: number) => counts.push(count) };
  const folder = await installComponent(installation);
  expect(folder).toBe(join(here.home, 'state', 'components', 'local-2.0.1'));
  expect(counts.at(-1)).toBeGreaterThanOrEqual(2);
  expect(await loadComponent(tiny, places)).toMatchObject({ value: 'loaded' });
  expect(existsSync(join(folder, 'node_modules', 'tiny-library', 'ran.txt'))).toBe(false);
  const requests = registry.requests.length;
  expect(await installComponent(installation)).toBe(folder);
  expect(registry.requests).toHaveLength(requests);
});

test('another version is another component: the older one is replaced', async () => {
  await using registry = await createRegistry('tiny-library', '2.0.1', 'new');
  await using here = await world(registry.url);
  const { env } = here;
  const old = join(here.home, 'state', 'components', 'local-1.0.0', 'node_modules', 'tiny-library');
  await mkdir(old, { recursive: true });
  await writeFile(join(old, 'package.json'), '{"name":"tiny-library","main":"index.js"}');
  await writeFile(join(old, 'index.js'), '');
  expect([findComponentFolder(older, env), findComponentFolder(tiny, env)]).toEqual([expect.any(String), null]);
  await installComponent({ component: tiny, env, signal: never, onFetched: quiet });
  expect(await readdir(join(here.home, 'state', 'components'))).toEqual(['local-2.0.1']);
  expect(await removeComponent(tiny, env)).toBe(true);
  expect([findComponentFolder(tiny, env), await removeComponent(tiny, env)]).toEqual([null, false]);
});

test('a damaged installation is replaced by a whole one', async () => {
  await using registry = await createRegistry('tiny-library', '2.0.1', 'whole');
  await using here = await world(registry.url);
  const { env, selfwareFolder } = here;
  const damaged = join(here.home, 'state', 'components', 'local-2.0.1', 'node_modules', 'tiny-library');
  await mkdir(damaged, { recursive: true });
  await writeFile(join(damaged, 'package.json'), '{"name":"tiny-lib');
  await installComponent({ component: tiny, env, signal: never, onFetched: quiet });
  expect(await loadComponent(tiny, { env, configuredFolder: '', selfwareFolder })).toMatchObject({
    value: 'whole',
  });
});

test('the folder of the setting comes before all others, and an empty package beside Selfware does not count', async () => {
  await using here = await world('http://127.0.0.1:9/');
  const put = async (folder: string, name: string) => {
    const dir = join(folder, 'node_modules', 'tiny-library');
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, 'package.json'), JSON.stringify({ name, main: 'index.js' }));
    await writeFile(join(dir, 'index.js'), '');
    return join(dir, 'index.js');
  };
  const { env, selfwareFolder } = here;
  await put(selfwareFolder, 'empty-npm-package');
  expect(findComponentEntry(tiny, { env, configuredFolder: '', selfwareFolder })).toBeNull();
  const beside = await put(selfwareFolder, 'tiny-library');
  expect(findComponentEntry(tiny, { env, configuredFolder: '', selfwareFolder })).toBe(beside);
  const named = join(here.home, 'mine');
  await expect(loadComponent(tiny, { env, configuredFolder: named, selfwareFolder })).rejects.toMatchObject({
    message: expect.stringContaining(named),
    action: expect.stringContaining('models.localLibrary'),
  });
  expect(findComponentEntry(tiny, { env, configuredFolder: named, selfwareFolder })).toBeNull();
  const own = await put(named, 'tiny-library');
  expect(findComponentEntry(tiny, { env, configuredFolder: named, selfwareFolder })).toBe(own);
});

test.each([
  ['without a network', 'http://127.0.0.1:9/', tiny.packages, 'The npm registry cannot be reached (ECONNREFUSED)'],
  [
    'a version that the registry lacks',
    null,
    ['tiny-library@3.0.0'],
    'npm could not install tiny-library@3.0.0: notarget',
  ],
])('%s: told, with what to do, and nothing is left', async (_what, url, packages, message) => {
  await using registry = await createRegistry('tiny-library', '2.0.1', 'x');
  await using here = await world(url ?? registry.url);
  const component = { ...tiny, packages };
  const installing = installComponent({ component, env: here.env, signal: never, onFetched: quiet });
  await expect(installing).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining(message),
    action: expect.stringContaining('models.localLibrary'),
  });
  expect(await readdir(join(here.home, 'state', 'components'))).toEqual([]);
});

test('without npm the person is told where it comes from', async () => {
  await using here = await world('http://127.0.0.1:9/');
  const env = { ...here.env, PATH: here.home };
  await expect(installComponent({ component: tiny, env, signal: never, onFetched: quiet })).rejects.toMatchObject({
    reason: 'unavailable',
    message: 'npm was not found on your path.',
  });
});

test('cancelling ends npm and leaves nothing', async () => {
  await using registry = await createRegistry('tiny-library', '2.0.1', 'x');
  await using here = await world(registry.url);
  registry.stall();
  const cancel = new AbortController();
  const { env } = here;
  const installing = installComponent({ component: tiny, env, signal: cancel.signal, onFetched: quiet });
  const refused = expect(installing).rejects.toMatchObject({ reason: 'cancelled' });
  await expect.poll(() => registry.requests.some((path) => path.endsWith('.tgz'))).toBe(true);
  cancel.abort();
  await refused;
  expect(await readdir(join(here.home, 'state', 'components'))).toEqual([]);
});

test('nothing is installed into a repository', async () => {
  await using here = await world('http://127.0.0.1:9/');
  const repository = join(here.home, 'repository');
  await mkdir(join(repository, '.git'), { recursive: true });
  const env = { ...here.env, SELFWARE_HOME: join(repository, 'state') };
  await expect(installComponent({ component: tiny, env, signal: never, onFetched: quiet })).rejects.toMatchObject({
    reason: 'usage',
  });
  expect(await readdir(repository)).toEqual(['.git']);
});

test('on a known platform only the binary without graphics card is fetched; elsewhere npm decides', () => {
  expect(listComponents('linux-x64').local).toMatchObject({
    packages: ['node-llama-cpp@3.22.1', '@node-llama-cpp/linux-x64@3.22.1'],
    optional: false,
  });
  expect(listComponents('darwin-arm64').local.packages[1]).toBe('@node-llama-cpp/mac-arm64-metal@3.22.1');
  expect(listComponents('freebsd-x64').local).toMatchObject({ packages: ['node-llama-cpp@3.22.1'], optional: true });
});
