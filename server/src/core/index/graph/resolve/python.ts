// Resolves Python imports, with source roots from the manifests and the layout of the project. See
// https://docs.python.org/3/reference/import.html.

import { posix } from 'node:path';
import { listFoldersAbove, findNearestPath, type FileIndex } from './fileIndex.ts';
import { parentFolderOf } from '../../../../util/values/parentFolder.ts';

/** Returns the files to which a specifier in the file `from` resolves; empty if there are none. */
export type ModuleResolver = (from: string, specifier: string) => readonly string[];

/** Creates the resolver. `roots`: the folders that the manifests of the project name. */
export function createPythonResolver(files: FileIndex, roots: readonly string[]): ModuleResolver {
  /**
   * Folders from which absolute imports are resolved: the root, `roots`, the parents of top-level packages, and `src`
   * in the first two.
   */
  const sourceSet = new Set(['', ...roots.flatMap((root) => [root, posix.join(root, 'src')]), 'src']);
  for (const path of files.paths) {
    if (!/(^|\/)__init__\.pyi?$/.test(path)) continue;
    const parent = parentFolderOf(parentFolderOf(path));
    if (parentFolderOf(path) !== '' && !isPackage(files, parent)) sourceSet.add(parent);
  }
  const sourceFolders = [...sourceSet].filter((folder) => files.hasFolder(folder));
  const rootsByTopModule = new Map<string, readonly string[]>();

  const resolveAbsolute = (from: string, module: string): string | null => {
    const parts = module.split('.');
    const path = parts.join('/');
    // A script finds the modules in its own folder; a module of a package does not.
    const folder = parentFolderOf(from);
    if (!isPackage(files, folder)) {
      const neighbour = findModule(files, posix.join(folder, path));
      if (neighbour) return neighbour;
    }
    const top = parts[0]!;
    if (!rootsByTopModule.has(top))
      rootsByTopModule.set(
        top,
        sourceFolders.filter((root) => hasModule(files, posix.join(root, top))),
      );
    const candidates = rootsByTopModule.get(top)!;
    const parentFolders = new Set(listFoldersAbove(from));
    const searchOrder = [
      ...candidates.filter((root) => parentFolders.has(root)).sort((a, b) => b.length - a.length),
      ...candidates.filter((root) => !parentFolders.has(root)),
    ];
    for (const root of searchOrder) {
      const moduleFile = findModule(files, posix.join(root, path));
      if (moduleFile) return moduleFile;
    }
    // Namespace packages and unusual roots: the only or nearest path with this ending, if the name has more than one
    // part.
    if (parts.length < 2) return null;
    const nearestStem = findNearestPath(from, files.stemsEndingIn(path));
    return nearestStem === null ? null : findModule(files, nearestStem);
  };

  return (from, specifier) => {
    const dots = /^\.*/.exec(specifier)![0].length;
    const modulePath = specifier.slice(dots).replaceAll('.', '/');
    let moduleFile: string | null;
    if (dots === 0) moduleFile = resolveAbsolute(from, specifier);
    else {
      const base = posix.join(parentFolderOf(from), '../'.repeat(dots - 1));
      // `from . import name`: a module, or a name that the package itself defines.
      moduleFile = base.startsWith('..')
        ? null
        : (findModule(files, posix.join(base, modulePath)) ??
          (modulePath.includes('/') || /^\.+$/.test(specifier) ? null : findModule(files, base)));
    }
    return moduleFile === null ? [] : [moduleFile];
  };
}

/**
 * Finds the file of a module, or the `__init__` of a package. Python sources come first, then stubs (`.pyi`), then
 * Cython. Null if there is none.
 */
function findModule(files: FileIndex, path: string): string | null {
  const folder = path === '.' ? '' : path.replace(/\/$/, '');
  const candidates = [
    posix.join(folder, '__init__.py'),
    ...(folder === '' ? [] : [`${folder}.py`]),
    posix.join(folder, '__init__.pyi'),
    `${folder}.pyi`,
    `${folder}.pyx`,
  ];
  return candidates.find((candidate) => files.has(candidate)) ?? null;
}

function hasModule(files: FileIndex, path: string): boolean {
  return findModule(files, path) !== null || files.hasFolder(path);
}

function isPackage(files: FileIndex, folder: string): boolean {
  return files.has(posix.join(folder, '__init__.py')) || files.has(posix.join(folder, '__init__.pyi'));
}
