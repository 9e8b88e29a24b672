// Reads all configuration files of the repository that determine how imports resolve, each once. The dependency graph
// is computed from the result and the records of the files.

import { posix } from 'node:path';
import type { Notice } from '../../../model.ts';
import { BUNDLER_CONFIG_PATTERN } from '../../../syntax/configuration/bundlerAliases.ts';
import { readCompilers, addBundlerAliases, type CompilerConfig } from './compilerConfig.ts';
import { readManifests, type OtherManifests } from './manifests.ts';
import { readPackages, type PackageConfig } from './packageConfig.ts';
import { parseConfig, type Format, type ParseConfig, type Table, type ReadText, type ReadTable } from './readConfig.ts';

/** All configuration of a repository that affects imports. */
export interface ProjectConfig extends OtherManifests {
  /** Sorted by the folder of the package.json; '' is the root. */
  readonly packages: readonly PackageConfig[];
  /** Sorted by the folder of the tsconfig.json or jsconfig.json. */
  readonly compilers: readonly CompilerConfig[];
  readonly notices: readonly Notice[];
}

/** The configuration of a repository without configuration files. */
export const NO_CONFIG: ProjectConfig = {
  packages: [],
  compilers: [],
  goModules: [],
  crates: [],
  phpRoots: [],
  phpLibraries: [],
  pythonRoots: [],
  rubyRoots: [],
  notices: [],
};

const CONFIG_NAMES = new Set([
  'package.json',
  'pnpm-workspace.yaml',
  'lerna.json',
  'go.mod',
  'Cargo.toml',
  'composer.json',
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
]);

/** True if a change of this file makes the configuration stale. */
export function isProjectConfig(path: string): boolean {
  const name = posix.basename(path);
  return (
    CONFIG_NAMES.has(name) ||
    /^[jt]sconfig.*\.json$/.test(name) ||
    /\.gemspec$/.test(name) ||
    BUNDLER_CONFIG_PATTERN.test(name)
  );
}

/**
 * Reads all configuration files. Never rejects because of a file's content: a bad file gives a notice, and reading
 * continues.
 */
export async function readProjectConfig(
  paths: readonly string[],
  read: ReadText,
  parse: ParseConfig = async (text) => parseConfig(text),
): Promise<ProjectConfig> {
  const existingPaths = new Set(paths);
  const notices: Notice[] = [];
  const tables = new Map<string, Promise<Table | null>>();
  const readTable: ReadTable = (path, format) => {
    let table = tables.get(path);
    if (!table) {
      table = existingPaths.has(path) ? readParsed(path, format) : Promise.resolve(null);
      tables.set(path, table);
    }
    return table;
  };
  const readParsed = async (path: string, format: Format): Promise<Table | null> => {
    const text = await read(path);
    if (text === null || text.trim() === '') return null;
    const outcome = await parse({ path, text, format });
    if ('table' in outcome) return outcome.table;
    notices.push(outcome.notice);
    return null;
  };

  const packages = await readPackages(paths, readTable);
  const compilers = await addBundlerAliases(await readCompilers(paths, packages, readTable, notices), paths, read);
  const manifests = await readManifests(paths, readTable, read);
  return { packages, compilers, ...manifests, notices };
}
