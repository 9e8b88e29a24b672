// Resolves imports in languages whose names follow folders, packages or declarations: Go, the JVM, C#, PHP, Ruby,
// Elixir, Swift and others.

import { posix } from 'node:path';
import type { SymbolInfo } from '../../../model.ts';
import { isInFolder } from '../config/packageConfig.ts';
import type { ProjectConfig } from '../config/projectConfig.ts';
import { findBySuffix, listFoldersAbove, findNearestPath, type FileIndex } from './fileIndex.ts';
import type { ModuleResolver } from './python.ts';
import { parentFolderOf } from '../../../../util/values/parentFolder.ts';

const TYPE_KINDS = new Set(['class', 'interface', 'enum', 'module', 'type']);
const JVM_FILE = /\.(java|kts?|scala|sc|groovy)$/;

/**
 * Files that define a type or module: by its name, by its path in the file (`A.B`), or by a namespace that they
 * declare.
 */
export type Definers = (name: string) => readonly string[];

/** The fields of a record that list its declarations. */
export interface Declaring {
  readonly symbols?: readonly Pick<SymbolInfo, 'name' | 'path' | 'kind'>[];
  readonly references?: { readonly declares?: readonly string[] } | null;
}

/** Finds definers among these records. `paths`: the path of each record, in the same order. */
export function createDefiners(records: readonly Declaring[], paths: readonly string[]): Definers {
  let byName: Map<string, string[]> | null = null;
  const indexByName = (): Map<string, string[]> => {
    const filesByName = new Map<string, string[]>();
    records.forEach(({ symbols = [], references }, index) => {
      const names = symbols.flatMap(({ name, path, kind }) => (TYPE_KINDS.has(kind) ? [name, path] : []));
      for (const name of new Set([...names, ...(references?.declares ?? [])])) {
        const files = filesByName.get(name);
        if (files) files.push(paths[index]!);
        else filesByName.set(name, [paths[index]!]);
      }
    });
    return filesByName;
  };
  return (name) => (byName ??= indexByName()).get(name) ?? [];
}

/**
 * Resolves imports of Go: relative to the importing file, by the path of a module of the repository, or by a `replace`
 * of one. Without a go.mod, by the folder that matches the most segments. See https://go.dev/ref/mod#resolve-pkg-mod.
 */
export function createGoResolver(files: FileIndex, modules: ProjectConfig['goModules']): ModuleResolver {
  const cache = new Map<string, readonly string[]>();
  const listGoSources = (folder: string) =>
    files.inFolder(folder).filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'));
  const findPackageFiles = (specifier: string): readonly string[] => {
    const moduleFolder = modules
      .filter(({ module }) => specifier === module || specifier.startsWith(`${module}/`))
      .sort((a, b) => b.module.length - a.module.length)[0];
    if (moduleFolder)
      return listGoSources(
        posix
          .join(moduleFolder.dir, specifier.slice(moduleFolder.module.length + 1))
          .replace(/^\.$/, '')
          .replace(/\/$/, ''),
      );
    for (const { replace } of modules) {
      const target = Object.keys(replace).find((module) => specifier === module || specifier.startsWith(`${module}/`));
      if (target !== undefined)
        return listGoSources(posix.join(replace[target]!, specifier.slice(target.length + 1)).replace(/\/$/, ''));
    }
    if (modules.length > 0) return [];
    const segments = specifier.split('/');
    for (let from = 0; from < segments.length; from++) {
      const sourceFiles = listGoSources(segments.slice(from).join('/'));
      if (sourceFiles.length > 0) return sourceFiles;
    }
    return [];
  };
  return (from, specifier) => {
    if (specifier.startsWith('.'))
      return moveTestedFileFirst(listGoSources(posix.join(parentFolderOf(from), specifier).replace(/^\.$/, '')), from);
    let targets = cache.get(specifier);
    if (!targets) cache.set(specifier, (targets = findPackageFiles(specifier)));
    return targets;
  };
}

/** Moves the file after which the test is named to the front: `a.go` for `a_test.go`. */
function moveTestedFileFirst(paths: readonly string[], test: string): readonly string[] {
  const testedFile = test.replace(/_test\.go$/, '.go');
  return paths.includes(testedFile) ? [testedFile, ...paths.filter((path) => path !== testedFile)] : paths;
}

/**
 * Resolves imports of the JVM's languages: `a.b.C`, `a.b.C.member`, `a.b.*`, `a.b.{C, D => E}`, `a.b.function`. The
 * file is searched by folder and file name, then among the files of the package that define the name.
 */
export function createJvmResolver(files: FileIndex, definers: Definers): ModuleResolver {
  const resolveOne = (from: string, specifier: string): readonly string[] => {
    const names = specifier.split('.').filter((name) => name !== '');
    if (/^[*_]$/.test(names.at(-1) ?? '')) {
      const asType = findBySuffix(files, from, names.slice(0, -1).join('/'));
      return asType.length > 0 && /^[A-Z]/.test(names.at(-2) ?? '')
        ? asType
        : findFilesInPackage(files, names.slice(0, -1));
    }
    for (let length = names.length; length > 0; length--) {
      const targets =
        length > 1
          ? findBySuffix(files, from, names.slice(0, length).join('/')).filter((path) => JVM_FILE.test(path))
          : [];
      if (targets.length > 0) return targets;
      // A file may define several classes, or have another name than its class.
      const packageFiles = new Set(length > 1 ? findFilesInPackage(files, names.slice(0, length - 1)) : []);
      const definingFiles =
        packageFiles.size === 0 ? [] : definers(names[length - 1]!).filter((path) => packageFiles.has(path));
      if (definingFiles.length > 0) return definingFiles.slice(0, 1);
      // Scala: definitions of the package itself.
      const packageObject =
        length === names.length ? [...packageFiles].filter((path) => /(^|\/)package\.scala$/.test(path)) : [];
      if (packageObject.length > 0) return packageObject.slice(0, 1);
    }
    return [];
  };
  return (from, specifier) => {
    const [, prefix, list] = /^([^{]*)\.\{([^}]*)\}$/.exec(specifier) ?? [];
    if (list === undefined) return resolveOne(from, specifier.replace(/(?<!\s)\s+(as|=>).*$/, ''));
    return [
      ...new Set(
        list
          .split(',')
          .flatMap((name) => resolveOne(from, `${prefix}.${name.replace(/(?<!\s)\s*(=>|as\b).*$/, '').trim()}`)),
      ),
    ];
  };
}

/** Files of folders whose path ends in the whole package name, in main and test sources alike. */
function findFilesInPackage(files: FileIndex, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return files
    .foldersEndingIn(names.join('/'))
    .flatMap((folder) => files.inFolder(folder))
    .filter((path) => JVM_FILE.test(path));
}

/**
 * Resolves names of PHP: by the roots of composer.json, otherwise to the nearest file whose path ends with the name,
 * otherwise (for a name with the prefix of a root) to the nearest file that defines it. A specifier that is a path of a
 * file is resolved from the importing file. Also handles `A\B\{C, D}` and functions of `A\B`.
 */
export function createPhpResolver(
  files: FileIndex,
  roots: ProjectConfig['phpRoots'],
  definers: Definers,
): ModuleResolver {
  const resolveOne = (from: string, name: string): readonly string[] => {
    if (/\.(php|inc|phtml)$/.test(name) || name.startsWith('.')) return findRelativeFile(files, from, name, ['.php']);
    const path = name.replace(/^\\/, '');
    for (const { prefix, dir } of roots) {
      if (!path.startsWith(prefix)) continue;
      const file = `${posix.join(dir, path.slice(prefix.length).replaceAll('\\', '/'))}.php`;
      if (files.has(file)) return [file];
    }
    const filesBySuffix = findBySuffix(files, from, path.replaceAll('\\', '/')).filter((candidatePath) =>
      candidatePath.endsWith('.php'),
    );
    if (filesBySuffix.length > 0) return filesBySuffix;
    const nearestFile = findNearestPath(
      from,
      definers(path.split('\\').at(-1)!).filter((candidatePath) => candidatePath.endsWith('.php')),
    );
    return nearestFile !== null && roots.some(({ prefix }) => path.startsWith(prefix)) ? [nearestFile] : [];
  };
  return (from, specifier) => {
    const [, prefix, list] = /^(.*\\)\{([^}]*)\}$/.exec(specifier) ?? [];
    const names = list === undefined ? [specifier] : list.split(',').map((name) => prefix + name.trim());
    return [
      ...new Set(
        names.flatMap((name) =>
          resolveOne(from, name.replace(/(?<!\s)\s+as\s+.*$/i, '').replace(/^(function|const)\s+/i, '')),
        ),
      ),
    ];
  };
}

/**
 * Resolves `require` of Ruby. `require_relative './a'` arrives as `./a`. `require 'a/b'` is searched in the folders
 * above the file, in their `lib` and `app`, then in `lib` of the other gems, then by the end of the path. A constant
 * (`A::B`) resolves to a file that defines it.
 */
export function createRubyResolver(files: FileIndex, roots: readonly string[], definers: Definers): ModuleResolver {
  const loadPath = ['lib', '', ...roots];
  return (from, specifier) => {
    if (specifier.startsWith('.')) return findRelativeFile(files, from, specifier, ['.rb']);
    const file = specifier.endsWith('.rb') ? specifier : `${specifier}.rb`;
    const folders = [
      ...listFoldersAbove(from).flatMap((folder) => [posix.join(folder, 'lib'), posix.join(folder, 'app')]),
      parentFolderOf(from),
      ...listFoldersAbove(from).slice(1),
      ...loadPath,
    ];
    const loadedFile = folders.map((folder) => posix.join(folder, file)).find((path) => files.has(path));
    if (loadedFile !== undefined) return [loadedFile];
    if (/^[A-Z]/.test(specifier)) return definers(specifier.split('::').at(-1)!).slice(0, 1);
    const nearestFile = specifier.includes('/') ? findNearestPath(from, files.filesEndingIn(file)) : null;
    return nearestFile === null ? [] : [nearestFile];
  };
}

/**
 * Resolves `using` of C#. `using A.B`: the files that declare the namespace. `using static A.B.C` and `using X =
 * A.B.C`: those of them that define the type.
 */
export function createNamespaceResolver(definers: Definers): ModuleResolver {
  return (_from, specifier) => {
    const name = specifier
      .replace(/^(global::|static\s+)/, '')
      .replace(/^\w+\s*=\s*/, '')
      .replaceAll(/\s|<.*$/g, '');
    const declaringFiles = definers(name);
    const dot = name.lastIndexOf('.');
    if (declaringFiles.length > 0 || dot < 0) return declaringFiles;
    const namespaceFiles = new Set(definers(name.slice(0, dot)));
    return definers(name.slice(dot + 1)).filter((path) => namespaceFiles.has(path));
  };
}

/**
 * Resolves modules that files declare by name (`defmodule A.B`, `namespace A.B`, `module A.B`): to the files that
 * declare the name, otherwise to the file whose path ends with the name, otherwise to the files of such a folder.
 */
export function createDeclaredResolver(files: FileIndex, definers: Definers, extension: RegExp): ModuleResolver {
  return (from, specifier) => {
    const moduleName = specifier.replace(/(?<!\s)\s+(as|hiding|qualified)\b.*$/, '').replaceAll(/\s/g, '');
    const [, prefix, list] = /^([^{]*)\.\{([^}]*)\}$/.exec(moduleName) ?? [];
    const names = list === undefined ? [moduleName] : list.split(',').map((name) => `${prefix}.${name}`);
    return [...new Set(names.flatMap((name) => resolveDeclared(files, definers, extension, from, name)))];
  };
}

/** Resolves one module name by the rules of `createDeclaredResolver`. */
function resolveDeclared(
  files: FileIndex,
  definers: Definers,
  extension: RegExp,
  from: string,
  name: string,
): readonly string[] {
  const selectByExtension = (paths: readonly string[]) => paths.filter((path) => extension.test(path));
  const declaringFiles = selectByExtension(definers(name));
  if (declaringFiles.length > 0) return declaringFiles;
  const parts = name.split('.');
  const path = parts.join('/');
  const byPath = selectByExtension(findBySuffix(files, from, path));
  if (byPath.length > 0) return byPath;
  const folders = files.foldersEndingIn(path);
  const inFolders = selectByExtension(folders.flatMap((folder) => files.inFolder(folder)));
  if (inFolders.length > 0) return inFolders;
  return [];
}

/**
 * Resolves `import Module` of Swift, which names a folder in Sources, Source or Tests. Without such a folder, Source
 * itself may contain the module.
 */
export function createSwiftResolver(files: FileIndex): ModuleResolver {
  const cache = new Map<string, readonly string[]>();
  return (_from, specifier) => {
    const name = specifier.split('.')[0]!.replace(/^(class|struct|func|enum|protocol|typealias|let|var)\s+/, '');
    let targets = cache.get(name);
    if (!targets) {
      const folders = files
        .foldersEndingIn(name)
        .filter((folder) => /(^|\/)(Sources|Source|Tests)\/[^/]+$/.test(folder));
      targets =
        folders.length === 0
          ? files.foldersEndingIn('Source').flatMap((folder) => findSwiftFiles(files, folder, name))
          : folders.flatMap((folder) =>
              files.paths.filter((path) => path.endsWith('.swift') && isInFolder(path, folder)),
            );
      cache.set(name, targets);
    }
    return targets;
  };
}

/**
 * The Swift files in `folder` (a folder Source) if a project there is called `name`. A package with a single module may
 * keep it directly in Source/; the module then has the name of the project.
 */
function findSwiftFiles(files: FileIndex, folder: string, name: string): readonly string[] {
  const projects = files.paths.filter(
    (path) => path.endsWith(`${name}.podspec`) || path.includes(`${name}.xcodeproj/`),
  );
  return projects.some((path) => isInFolder(path, parentFolderOf(folder)))
    ? files.paths.filter((path) => path.endsWith('.swift') && isInFolder(path, folder))
    : [];
}

/** A path relative to the importing file, with or without one of the extensions. Never leads out of the repository. */
export function findRelativeFile(
  files: FileIndex,
  from: string,
  path: string,
  extensions: readonly string[],
): readonly string[] {
  const target = posix.join(parentFolderOf(from), path);
  const existingFile = [target, ...extensions.map((extension) => target + extension)].find((candidate) =>
    files.has(candidate),
  );
  return existingFile === undefined ? [] : [existingFile];
}
