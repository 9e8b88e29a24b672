// Enables the cache of compiled code, before the program is loaded. Processes of the same build share it. Sources that
// run uncompiled change too often for a cache.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { cacheCompiledCode } from '../adapters/system/compiledCode.ts';
import { findPackageRoot } from '../app/programPaths.ts';

/** Enables the cache, unless the sources run uncompiled. */
export function enableCompileCache(): void {
  if (!import.meta.url.endsWith('.js')) return;
  // Every build rewrites this file, so its time and size identify the build.
  const entry = statSync(join(findPackageRoot(), 'dist', 'cli.js'), { throwIfNoEntry: false });
  if (!entry) return;
  const buildId = `${Math.round(entry.mtimeMs).toString(36)}-${entry.size.toString(36)}`;
  const namedRoots = process.argv.flatMap((word, index, words) => (words[index - 1] === '--repo' ? [word] : []));
  cacheCompiledCode(buildId, process.env, [process.cwd(), ...namedRoots]);
}
