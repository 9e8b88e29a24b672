// Before the program is read: the engine is told that the run may be a short one, and what earlier processes have compiled of this build is used. Sources that run as they are come and go too fast for it.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { keepCompiledCode } from '../adapters/system/compiledCode.ts';
import { optimiseLate } from '../adapters/system/lateOptimising.ts';
import { packageRoot } from '../app/places.ts';

export function keepCode(): void {
  optimiseLate();
  if (!import.meta.url.endsWith('.js')) return;
  // Every build writes its entry anew.
  const entry = statSync(join(packageRoot(), 'dist', 'cli.js'), { throwIfNoEntry: false });
  if (entry) keepCompiledCode(`${Math.round(entry.mtimeMs).toString(36)}-${entry.size.toString(36)}`, process.env);
}
