// Installs the library of an optional component for this lane, once, as `selfware models install` does.

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPONENTS, type ComponentName } from '../../../server/src/adapters/components/componentTable.ts';
import { runNpmInstall } from '../../../server/src/adapters/components/npm.ts';

const output = join(import.meta.dirname, '..', '..', 'output', 'inference');

/** The folder with the library of a component, in the version that Selfware installs. */
export async function libraryOf(name: ComponentName): Promise<string> {
  const { packages, optional } = COMPONENTS[name];
  const library = join(output, packages[0]!.replace(/\W+/g, '-'));
  if (existsSync(library)) return library;
  // Another file of tests may install the same library at the same time.
  await mkdir(output, { recursive: true });
  const folder = await mkdtemp(`${library}-`);
  await writeFile(join(folder, 'package.json'), '{"private":true}\n');
  await runNpmInstall({
    folder,
    packages,
    includesOptional: optional,
    env: process.env,
    signal: new AbortController().signal,
    onFetched: () => undefined,
    fallbackAdvice: '',
  });
  await rename(folder, library).catch(async (error: NodeJS.ErrnoException) => {
    await rm(folder, { recursive: true, force: true });
    if (!existsSync(library)) throw error;
  });
  return library;
}
