// Without a provider nothing changes: no request is made, and nothing of the libraries of models and agents is loaded.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { cliEntry, createCommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

/** Text that only the libraries of providers and of the Agent Client Protocol have. */
const LIBRARY_PATTERN =
  /AI_APICallError|openaiCompatibleProviderOptions|x-api-key|x-goog-api-key|session\/request_permission/;

/** Reports each `fetch` and each module that is loaded, in all threads, as lines of a file. */
const watcher = (file: string) => `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
const report = (line) => appendFileSync(${JSON.stringify(file)}, line + '\\n');
registerHooks({ load: (url, context, next) => { report('load ' + url); return next(url, context); } });
globalThis.fetch = async (address) => { report('fetch ' + address); throw new Error('no network'); };
`;

test('without a provider no request is made, and 0 kB of the libraries of models load', async () => {
  const chunks = join(dirname(cliEntry), 'chunks');
  const files = (await readdir(chunks)).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(files.map((name) => readFile(join(chunks, name), 'utf8')));
  const libraries = files.filter((_, index) => LIBRARY_PATTERN.test(texts[index]!));
  expect(libraries.length).toBeGreaterThan(3);

  const folder = await mkdtemp(join(tmpdir(), 'selfware-watch-'));
  const [watch, lines] = [join(folder, 'watch.mjs'), join(folder, 'lines.txt')];
  await writeFile(watch, watcher(lines));
  const repository = await createTemporaryRepository({ 'a.ts': 'export const one = () => 1;\n' });
  const selfware = await createCommandLine(repository.dir);
  try {
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(watch).href}` };
    for (const args of [['status'], ['analyse'], ['improve', '--dry-run']])
      expect((await selfware.run(args, { env })).code, args.join(' ')).not.toBe(2);
    const reported = (await readFile(lines, 'utf8')).trim().split('\n');
    expect(reported.some((line) => line.startsWith('load ') && line.includes('/chunks/'))).toBe(true);
    expect(reported.filter((line) => line.startsWith('fetch '))).toEqual([]);
    expect(reported.filter((line) => libraries.some((name) => line.endsWith(`/${name}`)))).toEqual([]);
  } finally {
    await selfware.dispose();
    await repository.dispose();
    await rm(folder, { recursive: true, force: true });
  }
});
