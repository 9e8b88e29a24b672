// Selfware as the benches run it: the command line in a process of its own, and a session in this one.

import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createApp } from '../../../server/src/app/createApp.ts';
import type { RuleId } from '../../../server/src/core/rules/allRules.ts';
import type { IndexReport, Session } from '../../../server/src/core/session.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';
import { runChild, type ChildRun } from './childRun.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const built = join(root, 'dist', 'cli.js');

/** `npm run build` makes it; without it the sources run, and node strips their types at every start. */
export const entry = existsSync(built) ? built : join(root, 'server', 'src', 'cli.ts');

/** `selfware index --json` on a folder, its state in `home`. */
export async function runIndex(
  dir: string,
  home: string,
  signal: AbortSignal,
): Promise<ChildRun & { readonly report: IndexReport }> {
  const run = await runChild(
    process.execPath,
    [entry, 'index', '--json', '--untrusted', '--repo', dir],
    { PATH: process.env['PATH'], HOME: home, SELFWARE_HOME: home, NO_COLOR: '1' },
    dir,
    signal,
  );
  return { ...run, report: JSON.parse(run.stdout) as IndexReport };
}

/**
 * `selfware analyse --json` on a folder, by all rules or by some, its state in `home`. It ends with 1 when it finds
 * something.
 */
export async function runAnalyse(
  dir: string,
  home: string,
  rules: readonly RuleId[] | null,
  signal: AbortSignal,
): Promise<ChildRun> {
  return runChild(
    process.execPath,
    [entry, 'analyse', '--json', '--untrusted', '--repo', dir, ...(rules ? ['--rule', ...rules] : [])],
    { PATH: process.env['PATH'], HOME: home, SELFWARE_HOME: home, NO_COLOR: '1' },
    dir,
    signal,
    [0, 1],
  );
}

/** A session from the sources, opened. */
export async function openSession(dir: string, home: string, signal: AbortSignal): Promise<Session> {
  const { session } = await createApp({
    rootDir: dir,
    settings: defaultSettings,
    trusted: false,
    env: { SELFWARE_HOME: home },
    log: { write: () => undefined },
  });
  await session.open({ signal });
  return session;
}

/** Bytes of all files below a folder; 0 where there is none. */
export async function sizeOf(dir: string): Promise<number> {
  let bytes = 0;
  if (!existsSync(dir)) return bytes;
  for (const file of await readdir(dir, { recursive: true, withFileTypes: true }))
    if (file.isFile()) bytes += (await stat(join(file.parentPath, file.name))).size;
  return bytes;
}
