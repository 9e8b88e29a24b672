// Before the program is read: the engine is told that the run may be a short one, and what earlier processes have
// compiled of this build is used. Sources that run as they are come and go too fast for it.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { keepCompiledCode } from '../adapters/system/compiledCode.ts';
import { optimiseLate } from '../adapters/system/lateOptimising.ts';
import { packageRoot } from '../app/places.ts';

/**
 * Commands that touch nothing of the repository and are soon done. The engine's makers promise nothing about flags that
 * change while it runs, so what writes there or runs for days does without.
 */
const SHORT: ReadonlySet<string | undefined> = new Set([
  'index',
  'analyse',
  'metrics',
  'score',
  'search',
  'context',
  'status',
  'graph',
]);

/** `args`: of the command line, the command first. */
export function keepCode(args: readonly string[]): void {
  if (SHORT.has(args[0])) optimiseLate(args.some((arg) => arg.startsWith('--rule')));
  if (!import.meta.url.endsWith('.js')) return;
  // Every build writes its entry anew.
  const entry = statSync(join(packageRoot(), 'dist', 'cli.js'), { throwIfNoEntry: false });
  if (entry) keepCompiledCode(`${Math.round(entry.mtimeMs).toString(36)}-${entry.size.toString(36)}`, process.env);
}
