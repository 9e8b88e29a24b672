// Finds the files of the repository that an import specifier means: by the rules of its language and the project's
// configuration.

import { posix } from 'node:path';
import { folderOf } from './config/packageConfig.ts';
import { NO_CONFIG, type ProjectConfig } from './config/projectConfig.ts';
import { createFileIndex, foldersAbove, nearest, type FileIndex } from './resolve/fileIndex.ts';
import {
  createDeclaredResolver,
  createDefiners,
  createGoResolver,
  createJvmResolver,
  createNamespaceResolver,
  createPhpResolver,
  createRubyResolver,
  createSwiftResolver,
  relativeFile,
  type Declaring,
} from './resolve/namespaces.ts';
import { createPythonResolver, type ModuleResolver } from './resolve/python.ts';
import { createRustResolver } from './resolve/rust.ts';
import { createScriptResolver } from './resolve/script.ts';
import type { FileRecord } from '../../ports/catalogue.ts';

/** What the graph needs of a record to resolve its imports. */
export type Importer = Pick<FileRecord, 'path' | 'language'> & Declaring;
export type ImportResolver = (from: Pick<FileRecord, 'path' | 'language'>, specifier: string) => readonly string[];

/** Specifiers that leave the repository or are ambiguous resolve to nothing. Answers are cached. */
export function createImportResolver(records: readonly Importer[], config: ProjectConfig = NO_CONFIG): ImportResolver {
  const files = createFileIndex(records.map(({ path }) => path));
  const definers = createDefiners(records, files.paths);
  const byLanguage = new Map<string, ModuleResolver>();
  const known = new Map<string, readonly string[]>();
  const places = new Map<string, string>();
  return ({ path, language }, specifier) => {
    const make = language === null ? undefined : makers[language];
    if (!make || specifier === '') return [];
    let place = places.get(path);
    if (place === undefined) places.set(path, (place = placeOf(path, language)));
    const key = `${place}\0${specifier}`;
    let found = known.get(key);
    if (!found) {
      let resolve = byLanguage.get(language!);
      if (!resolve) byLanguage.set(language!, (resolve = make(files, config, definers)));
      found = resolve(path, specifier);
      known.set(key, found);
    }
    return found;
  };
}

/** Resolution never looks at the importing file's own name, except to prefer its kind: siblings share their answers. */
function placeOf(path: string, language: string | null): string {
  const own = language === 'rust' || /(^|\/)(index|__init__)\.[^/]+$/.test(path);
  return `${language}\0${own ? path : `${folderOf(path)}\0${posix.extname(path)}`}`;
}

type Make = (files: FileIndex, config: ProjectConfig, definers: ReturnType<typeof createDefiners>) => ModuleResolver;

const script: Make = (files, config) => {
  const resolve = createScriptResolver(files, config);
  return (from, specifier) => {
    const found = resolve(from, specifier);
    return found === null ? [] : [found];
  };
};
const jvm: Make = (files, _config, definers) => createJvmResolver(files, definers);
const include: Make = (files) => createIncludeResolver(files);

/** By name of the language, so that one whose grammar came later only needs a line here. */
const makers: Readonly<Record<string, Make>> = {
  typescript: script,
  tsx: script,
  javascript: script,
  python: (files, { pythonRoots }) => createPythonResolver(files, pythonRoots),
  rust: (files, { crates }) => createRustResolver(files, crates),
  go: (files, { goModules }) => createGoResolver(files, goModules),
  java: jvm,
  kotlin: jvm,
  scala: jvm,
  c: include,
  cpp: include,
  csharp: (_files, _config, definers) => createNamespaceResolver(definers),
  elixir: (files, _config, definers) => createDeclaredResolver(files, definers, /\.exs?$/),
  haskell: (files, _config, definers) => createDeclaredResolver(files, definers, /\.hsc?$|\.lhs$/),
  php: (files, { phpRoots }, definers) => createPhpResolver(files, phpRoots, definers),
  ruby: (files, { rubyRoots }, definers) => createRubyResolver(files, rubyRoots, definers),
  swift: (files) => createSwiftResolver(files),
  lua: (files) => (from, specifier) => {
    const path = specifier.replaceAll('.', '/').replace(/^\/+/, '');
    const places = [`${path}.lua`, `${path}/init.lua`];
    const found = ['lua', 'src', 'lib', '']
      .flatMap((inner) =>
        foldersAbove(from).flatMap((folder) => places.map((place) => posix.join(folder, inner, place))),
      )
      .find((place) => files.has(place));
    const near =
      found ??
      nearest(
        from,
        places.flatMap((place) => files.filesEndingIn(place)),
      );
    return near === null ? [] : [near];
  },
  zig: (files) => (from, specifier) => relativeFile(files, from, specifier, []),
  bash: (files) => (from, specifier) => sourced(files, from, specifier),
};

/**
 * `#include`: beside the including file, then below an include folder, then the only file whose path ends so. `<a.h>`
 * without a folder is the system's.
 */
function createIncludeResolver(files: FileIndex): ModuleResolver {
  const folders = new Set(
    files.paths
      .filter((path) => /(^|\/)(include|inc|src)\//.test(path))
      .map((path) => path.replace(/^(.*?(?:^|\/)(?:include|inc|src))\/.*$/, '$1')),
  );
  return (from, specifier) => {
    const system = specifier.startsWith('<');
    const name = specifier.replaceAll(/[<>]/g, '');
    const near = posix.join(folderOf(from), name);
    if (!system && files.has(near)) return [near];
    // By the files of that name: a large repository has more such folders than files of any name.
    const plain = posix.normalize(name).replace(/^\/+/, '');
    const below = nearest(
      from,
      files.filesEndingIn(plain).filter((path) => folders.has(path.slice(0, -plain.length - 1))),
    );
    if (below !== null) return [below];
    if (system && !name.includes('/')) return [];
    const place = nearest(from, files.filesEndingIn(name));
    return place === null ? [] : [place];
  };
}

/** `source "$(dirname "$0")/lib/a.sh"`: what is left when variables and calls are taken for folders. */
function sourced(files: FileIndex, from: string, specifier: string): readonly string[] {
  const plain = specifier
    .replaceAll(/["']/g, '')
    .replace(/^(\$\([^)]*\)|\$\{[^}]*\}|\$\w+)\//, '')
    .replace(/^.*[$)}]\//, '');
  const beside = relativeFile(files, from, plain, ['.sh', '.bash']);
  if (beside.length > 0) return beside;
  const near = plain.includes('$')
    ? null
    : nearest(
        from,
        [plain, `${plain}.bash`, `${plain}.sh`].flatMap((path) =>
          files.filesEndingIn(path.replace(/^(\.{1,2}\/)+/, '')),
        ),
      );
  return near === null ? [] : [near];
}
