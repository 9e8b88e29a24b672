// Resolves Python imports, with source roots from the manifests and the layout of the project. See
// https://docs.python.org/3/reference/import.html.

import { posix } from 'node:path';
import { foldersAbove, nearest, type FileIndex } from './fileIndex.ts';
import { parentFolder } from '../../../../util/values/parentFolder.ts';

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
    const parent = parentFolder(parentFolder(path));
    if (parentFolder(path) !== '' && !isPackage(files, parent)) sourceSet.add(parent);
  }
  const sourceFolders = [...sourceSet].filter((folder) => files.hasFolder(folder));
  const rootsByTopModule = new Map<string, readonly string[]>();

  const resolveAbsolute = (from: string, module: string): string | null => {
    const parts = module.split('.');
    const path = parts.join('/');
    // A script finds the modules beside it; a module of a package does not.
    const folder = parentFolder(from);
    if (!isPackage(files, folder)) {
      const besideModule = moduleAt(files, posix.join(folder, path));
      if (besideModule) return besideModule;
    }
    const top = parts[0]!;
    if (!rootsByTopModule.has(top))
      rootsByTopModule.set(
        top,
        sourceFolders.filter((root) => hasModule(files, posix.join(root, top))),
      );
    const candidates = rootsByTopModule.get(top)!;
    const parentFolders = new Set(foldersAbove(from));
    const searchOrder = [
      ...candidates.filter((root) => parentFolders.has(root)).sort((a, b) => b.length - a.length),
      ...candidates.filter((root) => !parentFolders.has(root)),
    ];
    for (const root of searchOrder) {
      const moduleFile = moduleAt(files, posix.join(root, path));
      if (moduleFile) return moduleFile;
    }
    // Namespace packages and unusual roots: the only or nearest path that ends this way, if the name has more than one
    // part.
    if (parts.length < 2) return null;
    const nearestStem = nearest(from, files.stemsEndingIn(path));
    return nearestStem === null ? null : moduleAt(files, nearestStem);
  };

  return (from, specifier) => {
    const dots = /^\.*/.exec(specifier)![0].length;
    const modulePath = specifier.slice(dots).replaceAll('.', '/');
    let moduleFile: string | null;
    if (dots === 0) moduleFile = resolveAbsolute(from, specifier);
    else {
      const base = posix.join(parentFolder(from), '../'.repeat(dots - 1));
      // `from . import name`: a module, or a name that the package itself defines.
      moduleFile = base.startsWith('..')
        ? null
        : (moduleAt(files, posix.join(base, modulePath)) ??
          (modulePath.includes('/') || /^\.+$/.test(specifier) ? null : moduleAt(files, base)));
    }
    return moduleFile === null ? [] : [moduleFile];
  };
}

/** A module file, or the `__init__` of a package; sources before stubs. */
function moduleAt(files: FileIndex, path: string): string | null {
  const at = path === '.' ? '' : path.replace(/\/$/, '');
  const candidates = [
    posix.join(at, '__init__.py'),
    ...(at === '' ? [] : [`${at}.py`]),
    posix.join(at, '__init__.pyi'),
    `${at}.pyi`,
    `${at}.pyx`,
  ];
  return candidates.find((candidate) => files.has(candidate)) ?? null;
}

function hasModule(files: FileIndex, path: string): boolean {
  return moduleAt(files, path) !== null || files.hasFolder(path);
}

function isPackage(files: FileIndex, folder: string): boolean {
  return files.has(posix.join(folder, '__init__.py')) || files.has(posix.join(folder, '__init__.pyi'));
}
