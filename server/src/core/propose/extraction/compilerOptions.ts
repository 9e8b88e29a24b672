// Finds the compiler options for checking a file: those of the nearest tsconfig.json or jsconfig.json, or defaults. The
// options for output, unused names and JavaScript are always set here.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { SourceTree } from '../../ports/sources.ts';
import { findAliasedPaths } from './aliasedPaths.ts';

/** The options if there is neither a tsconfig.json nor a jsconfig.json. */
const DEFAULT_OPTIONS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.Preserve,
  allowImportingTsExtensions: true,
};

/**
 * Reads the options for a file. `folder`: the absolute path of the folder with the configuration, or of the root.
 * Errors in a configuration are ignored, and its readable parts are used.
 */
export function readCompilerOptions(
  tree: SourceTree,
  absolutePath: string,
): { readonly options: ts.CompilerOptions; readonly folder: string } {
  const config = findNearestConfig(tree, absolutePath);
  const configuredOptions = config ? parseConfig(tree, config) : DEFAULT_OPTIONS;
  const paths = { ...findAliasedPaths(tree, absolutePath), ...configuredOptions.paths };
  const options: ts.CompilerOptions = {
    ...configuredOptions,
    ...(Object.keys(paths).length > 0 && { paths }),
    // From version 6 on, the compiler includes no types automatically, but the repository may be older.
    types: configuredOptions.types ?? ['*'],
    allowJs: true,
    ...(/\.[cm]?jsx?$/.test(absolutePath) ? { checkJs: true, noImplicitAny: false } : {}),
    noEmit: true,
    skipLibCheck: true,
    composite: false,
    incremental: false,
    declaration: false,
    tsBuildInfoFile: undefined,
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  return { options, folder: findFolderOfConfig(tree, config) };
}

/** The absolute path of the folder whose configuration applies to a file; the root if there is none. */
export function findConfigFolder(tree: SourceTree, absolutePath: string): string {
  return findFolderOfConfig(tree, findNearestConfig(tree, absolutePath));
}

/** The folder of a configuration; the root of the repository if there is none. Absolute, with `/` as separator. */
function findFolderOfConfig(tree: SourceTree, config: string | null): string {
  return config ? posix.dirname(config) : normaliseRoot(tree);
}

/** The root of the repository with `/` as separator, also on Windows. */
function normaliseRoot(tree: SourceTree): string {
  return tree.rootDir.replaceAll('\\', '/');
}

/**
 * Finds the absolute path of the nearest configuration in the folder of the file or above it, up to the root; null if
 * there is none.
 */
function findNearestConfig(tree: SourceTree, absolutePath: string): string | null {
  const root = normaliseRoot(tree);
  for (
    let folder = posix.dirname(absolutePath);
    folder === root || folder.startsWith(`${root}/`);
    folder = posix.dirname(folder)
  ) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const path = `${folder}/${name}`;
      if (tree.fileExists(path)) return path;
    }
  }
  return null;
}

/** Reads the options of a configuration, or of the first one in its `references` if it includes no files itself. */
function parseConfig(tree: SourceTree, path: string, depth = 0): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path, (name) => tree.read(name));
  const json = (config ?? {}) as { files?: unknown[]; include?: unknown; references?: { path?: string }[] };
  const [firstReference] = json.references ?? [];
  // A configuration that only refers to others contains no useful options.
  if (firstReference?.path && json.files?.length === 0 && json.include === undefined && depth < 3) {
    const target = posix.join(posix.dirname(path), firstReference.path);
    const file = tree.fileExists(target) ? target : `${target}/tsconfig.json`;
    if (tree.fileExists(file)) return parseConfig(tree, file, depth + 1);
  }
  const host: ts.ParseConfigHost = {
    useCaseSensitiveFileNames: true,
    // Files are found through imports, so the tree is not listed.
    readDirectory: () => [],
    fileExists: (name) => tree.fileExists(name),
    readFile: (name) => tree.read(name),
  };
  return ts.parseJsonConfigFileContent(json, host, posix.dirname(path), undefined, path).options;
}
