// Reads the manifests of other languages that determine how imports resolve: Go modules, Rust crates, source roots of
// PHP, Python and Ruby.

import { posix } from 'node:path';
import { readString, readStrings, getTable, readValue, type ReadTable, type ReadText } from './readConfig.ts';
import { parentFolderOf } from '../../../../util/values/parentFolder.ts';
import { isRecord } from '../../../../util/values/isRecord.ts';

/** The facts about imports in the manifests of a repository. All paths are relative to its root. */
export interface OtherManifests {
  /** `replace`: the folder that replaces a module, by the path of the module. */
  readonly goModules: readonly {
    readonly dir: string;
    readonly module: string;
    readonly replace: Readonly<Record<string, string>>;
  }[];
  /** `root`: the first file of the crate. `name`: its name as code spells it. */
  readonly crates: readonly { readonly dir: string; readonly name: string; readonly root: string }[];
  /** PSR-4 and PSR-0 prefixes with their folders, longest prefix first. */
  readonly phpRoots: readonly { readonly prefix: string; readonly dir: string }[];
  /** Composer packages that others install as libraries, with the paths from which they autoload. */
  readonly phpLibraries: readonly {
    readonly files: readonly string[];
    /** Folders that follow PSR-4. */
    readonly folders: readonly { readonly prefix: string; readonly dir: string }[];
    /** Folders and files of `classmap`. */
    readonly classes: readonly string[];
    /** Class names in the other fields of the manifest: a tool may load a class that the manifest names. */
    readonly namedClassTexts: readonly string[];
  }[];
  /** Folders that contain Python packages. */
  readonly pythonRoots: readonly string[];
  /** The folders `lib` of the gems. */
  readonly rubyRoots: readonly string[];
}

/**
 * Reads the manifests among `paths`: go.mod, Cargo.toml, composer.json, pyproject.toml, setup.cfg, setup.py and
 * gemspecs.
 */
export async function readManifests(
  paths: readonly string[],
  readTable: ReadTable,
  read: ReadText,
): Promise<OtherManifests> {
  const existingPaths = new Set(paths);
  const findManifests = (name: string) => paths.filter((path) => posix.basename(path) === name).sort();
  const goModules: GoModule[] = [];
  for (const path of findManifests('go.mod'))
    goModules.push(...parseGoModules(parentFolderOf(path), (await read(path)) ?? ''));
  const crates: Crate[] = [];
  for (const path of findManifests('Cargo.toml'))
    crates.push(...readCrate(parentFolderOf(path), await readTable(path, 'toml'), existingPaths));
  const phpRoots: PhpRoot[] = [];
  const phpLibraries: PhpLibrary[] = [];
  for (const path of findManifests('composer.json')) {
    const table = await readTable(path, 'json');
    phpRoots.push(...collectPhpRoots(parentFolderOf(path), table));
    phpLibraries.push(...readPhpLibrary(parentFolderOf(path), table));
  }
  const pythonRoots = new Set(['pyproject.toml', 'setup.cfg', 'setup.py'].flatMap(findManifests).map(parentFolderOf));
  for (const path of findManifests('pyproject.toml'))
    for (const folder of findPythonFolders(await readTable(path, 'toml')))
      pythonRoots.add(toRelativeFolder(posix.join(parentFolderOf(path), folder)));
  const rubyRoots = paths
    .filter((path) => /\.gemspec$/.test(path))
    .map((path) => toRelativeFolder(posix.join(parentFolderOf(path), 'lib')));
  return {
    goModules,
    crates,
    phpRoots: phpRoots.sort((a, b) => b.prefix.length - a.prefix.length),
    phpLibraries,
    pythonRoots: [...pythonRoots],
    rubyRoots,
  };
}

type GoModule = OtherManifests['goModules'][number];
type Crate = OtherManifests['crates'][number];
type PhpRoot = OtherManifests['phpRoots'][number];
type PhpLibrary = OtherManifests['phpLibraries'][number];

/** The crate of a manifest; empty for a manifest without a name or without a root file, such as a workspace. */
function readCrate(dir: string, table: unknown, existingPaths: ReadonlySet<string>): readonly Crate[] {
  const library = getTable(table, 'lib');
  const name = readString(library, 'name') ?? readString(getTable(table, 'package'), 'name');
  const root = [readString(library, 'path') ?? 'src/lib.rs', 'src/main.rs']
    .map((file) => posix.join(dir, file))
    .find((file) => existingPaths.has(file));
  return name === null || root === undefined ? [] : [{ dir, name: name.replaceAll('-', '_'), root }];
}

/** The PSR-4 and PSR-0 prefixes in `autoload` and `autoload-dev` of a composer.json. */
function collectPhpRoots(dir: string, table: unknown): readonly PhpRoot[] {
  const roots: PhpRoot[] = [];
  for (const autoload of [getTable(table, 'autoload'), getTable(table, 'autoload-dev')]) {
    for (const standard of ['psr-4', 'psr-0']) {
      for (const [prefix, folders] of Object.entries(getTable(autoload, standard))) {
        // PSR-0 repeats the prefix as folders.
        const prefixFolder = standard === 'psr-0' ? prefix.replaceAll('\\', '/') : '';
        roots.push(
          ...readStrings(folders).map((folder) => ({
            prefix,
            dir: toRelativeFolder(posix.join(dir, folder, prefixFolder)),
          })),
        );
      }
    }
  }
  return roots;
}

/**
 * The library of a composer.json. Empty for an application, and for a plugin, because Composer itself runs the classes
 * of plugins.
 */
function readPhpLibrary(folder: string, table: unknown): readonly PhpLibrary[] {
  if (readString(table, 'name') === null || (readString(table, 'type') ?? 'library') !== 'library') return [];
  const autoload = getTable(table, 'autoload');
  const resolvePaths = (value: unknown) =>
    readStrings(value).map((place) => toRelativeFolder(posix.join(folder, place)));
  // `exclude-from-classmap` contains patterns, which are not evaluated here: with it, the class map is not usable.
  const isClassMapUsable = readValue(autoload, 'exclude-from-classmap') === undefined;
  const otherFields = ['extra', 'scripts', 'bin', 'config'].map((name) =>
    JSON.stringify(readValue(table, name) ?? null),
  );
  return [
    {
      files: resolvePaths(readValue(autoload, 'files')),
      folders: Object.entries(getTable(autoload, 'psr-4')).flatMap(([prefix, folders]) =>
        resolvePaths(folders).map((place) => ({ prefix, dir: place })),
      ),
      classes: isClassMapUsable ? resolvePaths(readValue(autoload, 'classmap')) : [],
      namedClassTexts: otherFields.map((text) => text.replaceAll('\\\\', '\\')),
    },
  ];
}

/** https://go.dev/ref/mod#go-mod-file: the module directive, and `replace` by a folder. */
function parseGoModules(dir: string, text: string): readonly GoModule[] {
  const module = /^[^\S\n]*module\s+"?([^\s"]+)"?/m.exec(text)?.[1];
  if (!module) return [];
  const replace: Record<string, string> = {};
  for (const [, from, to] of text.matchAll(
    /^[^\S\n]*(?:replace\s+)?([^\s()]+)(?:\s+v\S+)?\s*=>\s*(\.{1,2}\/\S*|\.{1,2})\s*(?:\/\/.*)?$/gm,
  ))
    replace[from!] = toRelativeFolder(posix.join(dir, to!));
  return [{ dir, module, replace }];
}

/** Folders that common build tools are configured to search: setuptools, poetry, hatch, pdm, pytest. */
function findPythonFolders(table: unknown): string[] {
  const tool = getTable(table, 'tool');
  const setuptools = getTable(tool, 'setuptools');
  const poetry = readValue(getTable(tool, 'poetry'), 'packages');
  return [
    ...readStrings(readValue(getTable(getTable(setuptools, 'packages'), 'find'), 'where')),
    ...readStrings(readValue(getTable(setuptools, 'package-dir'), '')),
    ...(Array.isArray(poetry) ? poetry : []).filter(isRecord).flatMap((entry) => readString(entry, 'from') ?? []),
    ...readStrings(
      readValue(getTable(getTable(getTable(getTable(tool, 'hatch'), 'build'), 'targets'), 'wheel'), 'packages'),
    ).map((folder) => posix.dirname(folder)),
    ...readStrings(readValue(getTable(getTable(tool, 'pytest'), 'ini_options'), 'pythonpath')),
  ];
}

function toRelativeFolder(path: string): string {
  return path === '.' ? '' : path.replace(/(?<!\/)\/+$/, '');
}
