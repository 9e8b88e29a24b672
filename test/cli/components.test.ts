// `selfware models install|remove|download` by the real command line: a person decides, and nothing else is fetched.

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMPONENTS } from '../../server/src/adapters/components/componentTable.ts';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

let repository: TemporaryRepository;
let line: CommandLine;
beforeEach(async () => {
  repository = await createTemporaryRepository({ 'a.mjs': 'export const a = 1;\n' });
  line = await createCommandLine(repository.dir);
});
afterEach(async () => {
  for (const one of [repository, line]) await one.dispose();
});

/** Puts a library into the folder of a component, as an installation does. */
async function put(name: 'local' | 'embeddings'): Promise<string> {
  const { packages, library } = COMPONENTS[name];
  const version = packages[0]!.slice(packages[0]!.lastIndexOf('@') + 1);
  const folder = join(line.home, 'components', `${name}-${version}`);
  const home = join(folder, 'node_modules', library);
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'package.json'), JSON.stringify({ name: library, main: 'index.js' }));
  await writeFile(join(home, 'index.js'), '');
  return folder;
}

test('without a person nothing is installed or downloaded', async () => {
  const install = await line.run(['models', 'install', 'local']);
  expect([install.code, install.stderr]).toEqual([2, expect.stringContaining('To install node-llama-cpp@')]);
  await put('embeddings');
  const download = await line.run(['models', 'download', 'acme/tiny']);
  expect([download.code, download.stderr]).toEqual([
    2,
    expect.stringContaining('To download acme/tiny needs a person'),
  ]);
  expect(await readdir(join(line.home, 'components'))).toHaveLength(1);
});

test('the list says what is installed, and an installed component is not fetched again', async () => {
  expect((await line.run(['models'])).stdout).toContain('Install it with `selfware models install local`');
  const folder = await put('local');
  expect((await line.run(['models'])).stdout).toContain(folder);
  const { value } = await line.json(['models', 'install', 'local']);
  expect(value).toMatchObject({ name: 'local', folder, installed: false });
  const removed = await line.json(['models', 'remove', 'local']);
  expect(removed.value).toEqual({ name: 'local', removed: true });
});

test('a model that cannot be run or downloaded is told with what to do', async () => {
  const asked = await line.run(['propose', '--fix', '--proposer', 'gguf:none.gguf']);
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('none.gguf')]);
  const download = await line.run(['models', 'download', 'acme/tiny']);
  expect(download.stderr).toContain('selfware models install embeddings');
  expect((await line.run(['models', 'install', 'everything'])).stderr).toContain('Choose one of: local, embeddings.');
});
