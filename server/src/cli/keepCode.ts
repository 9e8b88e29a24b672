// Before the program is read: what earlier processes have compiled of this build is used. Sources that run as they are
// come and go too fast for it.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { keepCompiledCode } from '../adapters/system/compiledCode.ts';
import { packageRoot } from '../app/places.ts';

/** Nothing, where the sources run as they are. */
export function keepCode(): void {
  if (!import.meta.url.endsWith('.js')) return;
  // Every build writes its entry anew.
  const entry = statSync(join(packageRoot(), 'dist', 'cli.js'), { throwIfNoEntry: false });
  if (!entry) return;
  const build = `${Math.round(entry.mtimeMs).toString(36)}-${entry.size.toString(36)}`;
  const named = process.argv.flatMap((word, at, all) => (all[at - 1] === '--repo' ? [word] : []));
  keepCompiledCode(build, process.env, [process.cwd(), ...named]);
}
