// Where the program's own parts lie, bundled (dist/) or run from source.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with our package.json: found upwards, because bundled code lies in dist/ or dist/chunks/. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** The worker thread's entry: the built one when we are built ourselves, else the source. */
export function workerEntry(): string {
  const bundled = import.meta.url.endsWith('.js');
  return bundled ? join(packageRoot(), 'dist', 'worker.js') : join(packageRoot(), 'server', 'src', 'adapters', 'workers', 'worker.ts');
}

/** The language server's entry, likewise. */
export function serverEntry(): string {
  const bundled = import.meta.url.endsWith('.js');
  return bundled ? join(packageRoot(), 'dist', 'main.js') : join(packageRoot(), 'server', 'src', 'main.ts');
}
