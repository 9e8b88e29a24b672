// Runs Selfware for benches: the command line in a separate process, or a session in this process.

import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createApp } from '../../../server/src/app/createApp.ts';
import type { RuleId } from '../../../server/src/core/rules/allRules.ts';
import type { IndexReport, Session } from '../../../server/src/core/session.ts';
import { defaultSettings } from '../../../server/src/settings/schema.ts';
import { runChild, type ChildRun } from './childRun.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const builtEntry = join(root, 'dist', 'cli.js');

/** The entry of the command line: the bundle if it was built, otherwise the sources, whose types Node strips. */
export const cliEntry = existsSync(builtEntry) ? builtEntry : join(root, 'server', 'src', 'cli.ts');

/** Runs `selfware index --json` on a folder. `home`: the state folder. */
export async function runIndex(
  dir: string,
  home: string,
  signal: AbortSignal,
): Promise<ChildRun & { readonly report: IndexReport }> {
  const run = await runChild(
    process.execPath,
    [cliEntry, 'index', '--json', '--untrusted', '--repo', dir],
    { PATH: process.env['PATH'], HOME: home, SELFWARE_HOME: home, NO_COLOR: '1' },
    dir,
    signal,
  );
  return { ...run, report: JSON.parse(run.stdout) as IndexReport };
}

/**
 * Runs `selfware analyse --json` on a folder, with all rules or with some. `home`: the state folder. The exit code 1
 * means that something was found.
 */
export async function runAnalyse(
  dir: string,
  home: string,
  rules: readonly RuleId[] | null,
  signal: AbortSignal,
): Promise<ChildRun> {
  return runChild(
    process.execPath,
    [cliEntry, 'analyse', '--json', '--untrusted', '--repo', dir, ...(rules ? ['--rule', ...rules] : [])],
    { PATH: process.env['PATH'], HOME: home, SELFWARE_HOME: home, NO_COLOR: '1' },
    dir,
    signal,
    [0, 1],
  );
}

/** Opens a session from the sources, with default settings. */
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

/** Bytes of all files below a folder; 0 if there is no such folder. */
export async function sumFileSizes(dir: string): Promise<number> {
  let bytes = 0;
  if (!existsSync(dir)) return bytes;
  for (const file of await readdir(dir, { recursive: true, withFileTypes: true }))
    if (file.isFile()) bytes += (await stat(join(file.parentPath, file.name))).size;
  return bytes;
}
