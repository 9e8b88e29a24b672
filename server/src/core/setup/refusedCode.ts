// Finds code of the repository that a package manager loads although install scripts are off.

import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import type { ManagerName, SetupFiles } from './manager.ts';

/**
 * Replaces the keys of a settings file that cannot be parsed. Such a file counts as dangerous, because its manager may
 * still be able to read it.
 */
const UNREADABLE_FILE = '';

/** Code that a package manager would load. */
export interface LoadedCode {
  /** The path of the file. */
  readonly path: string;
  /** What the file contains, as a phrase. */
  readonly description: string;
  /**
   * True if the manager has no switch that disables the code. Then nothing is installed without a person's permission.
   */
  readonly blocks: boolean;
}

/**
 * The code of the repository that this manager would load. With Selfware's switches, it can load only the code with
 * `blocks`.
 */
export function findRefusedCode(
  manager: ManagerName,
  tracked: readonly string[],
  files: SetupFiles,
): readonly LoadedCode[] {
  const loadedCode: LoadedCode[] = [];
  const addLoadedCode = (path: string, reason: string, blocks: boolean) =>
    loadedCode.push({ path, description: reason, blocks });
  if (manager === 'pnpm') {
    for (const path of ['.pnpmfile.cjs', '.pnpmfile.mjs', 'pnpmfile.js'])
      if (files.has(path)) addLoadedCode(path, 'a program that changes what pnpm installs', false);
    const workspace = collectKeys(files.text('pnpm-workspace.yaml'), parseYaml);
    const namesPnpmfile = [...collectLineKeys(files.text('.npmrc')), ...workspace].some((key) =>
      /^(?:global-?)?pnpmfile$/i.test(key),
    );
    if (namesPnpmfile) addLoadedCode('.npmrc', 'the name of a program for pnpm', true);
    if (workspace.has('configDependencies') || workspace.has(UNREADABLE_FILE))
      addLoadedCode('pnpm-workspace.yaml', 'plugins that pnpm loads from packages (configDependencies)', true);
  }
  const settings = manager === 'yarn' ? collectKeys(files.text('.yarnrc.yml'), parseYaml) : new Set<string>();
  if (settings.has('plugins') || settings.has(UNREADABLE_FILE))
    addLoadedCode('.yarnrc.yml', 'plugins that Yarn loads from the repository', true);
  if (settings.has('yarnPath') || collectLineKeys(files.text('.yarnrc')).has('yarn-path'))
    addLoadedCode(manager === 'yarn' ? '.yarnrc.yml' : '.yarnrc', 'a copy of Yarn in the repository', false);
  if (manager === 'bun' && canLoadScanner(files.text('bunfig.toml')))
    addLoadedCode('bunfig.toml', 'a program that Bun loads before it installs', true);
  for (const path of tracked.filter((path) => /(?:^|\/)\.npmrc$/.test(path))) {
    const keys = collectLineKeys(files.text(path));
    if (['node-options', 'script-shell', 'git'].some((key) => keys.has(key)))
      addLoadedCode(path, 'a setting that names a program', true);
  }
  return loadedCode;
}

/**
 * Maximum length of a parsed settings file, in UTF-16 units. Real settings are shorter, and a longer text would block
 * the main thread for seconds.
 */
const MAX_CHARACTERS = 100_000;

/** The keys of the top-level table of a settings file; only `UNREADABLE_FILE` if it is too long or cannot be parsed. */
function collectKeys(text: string | null, parse: (text: string) => unknown): ReadonlySet<string> {
  if (text === null || text.trim() === '') return new Set();
  if (text.length > MAX_CHARACTERS) return new Set([UNREADABLE_FILE]);
  try {
    const value = parse(text);
    return new Set(typeof value === 'object' && value !== null ? Object.keys(value) : []);
  } catch {
    return new Set([UNREADABLE_FILE]);
  }
}

/** The first word of each line, without quotes: the keys of a settings file with one setting per line. */
function collectLineKeys(text: string | null): ReadonlySet<string> {
  const lines = (text ?? '').split(/[\r\n]/);
  return new Set(lines.map((line) => (line.split(/[=:\s]/).find((word) => word !== '') ?? '').replace(/["']/g, '')));
}

/** True if `install.security.scanner` may be set, in any notation. */
function canLoadScanner(text: string | null): boolean {
  const keys = collectKeys(text, parseToml);
  return keys.has(UNREADABLE_FILE) || (keys.size > 0 && (text ?? '').includes('scanner'));
}
