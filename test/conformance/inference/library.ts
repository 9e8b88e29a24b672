// Installs the library of an optional component for this lane, once, as `selfware models install` does.

import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPONENTS, type ComponentName } from '../../../server/src/adapters/components/componentTable.ts';
import { runNpmInstall } from '../../../server/src/adapters/components/npm.ts';

const output = join(import.meta.dirname, '..', '..', 'output', 'inference');

/** The folder with the library of a component, in the version that Selfware installs. */
export async function libraryOf(name: ComponentName): Promise<string> {
  const { packages, optional } = COMPONENTS[name];
  const folder = join(output, packages[0]!.replace(/\W+/g, '-'));
  const done = join(folder, 'installed');
  if (existsSync(done)) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
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
  await writeFile(done, '');
  return folder;
}
