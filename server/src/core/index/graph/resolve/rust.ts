// Resolves Rust paths, with crates from Cargo.toml. See https://doc.rust-lang.org/reference/items/modules.html and
// https://doc.rust-lang.org/reference/paths.html.

import { posix } from 'node:path';
import { isInFolder } from '../config/packageConfig.ts';
import type { ProjectConfig } from '../config/projectConfig.ts';
import { findBySuffix, listFoldersAbove, type FileIndex } from './fileIndex.ts';
import type { ModuleResolver } from './python.ts';
import { parentFolderOf } from '../../../../util/values/parentFolder.ts';

/**
 * Creates the resolver. A path resolves to the file of its longest prefix that is a module: `crate::a::b::Thing` →
 * src/a/b.rs.
 */
export function createRustResolver(files: FileIndex, crates: ProjectConfig['crates']): ModuleResolver {
  const byName = new Map(crates.map((crate) => [crate.name, crate]));

  /** The root file of the crate that `from` belongs to. A binary, test or example is its own crate. */
  const findCrateRoot = (from: string): string | null => {
    if (/(^|\/)(main|lib)\.rs$/.test(from) || crates.some(({ root }) => root === from)) return from;
    const crate = crates.filter(({ dir }) => isInFolder(from, dir)).sort((a, b) => b.dir.length - a.dir.length)[0];
    if (crate) {
      const [, kind, name] =
        /^(?:.*\/)?(tests|examples|benches|src\/bin)\/([^/]+)/.exec(
          from.slice(crate.dir === '' ? 0 : crate.dir.length + 1),
        ) ?? [];
      if (kind) {
        const base = posix.join(crate.dir, kind, name!.replace(/\.rs$/, ''));
        return [`${base}.rs`, `${base}/main.rs`].find((path) => files.has(path)) ?? from;
      }
      if (isInFolder(from, parentFolderOf(crate.root))) return crate.root;
    }
    for (const folder of listFoldersAbove(from))
      for (const name of ['lib.rs', 'main.rs'])
        if (files.has(posix.join(folder, name))) return posix.join(folder, name);
    return null;
  };
  /** The file of the module `name` that `file` declares; null if there is none. */
  const findChildModule = (file: string, root: string | null, name: string): string | null => {
    const folder = findModuleFolder(file, root);
    return (
      [`${posix.join(folder, name)}.rs`, posix.join(folder, name, 'mod.rs')].find((path) => files.has(path)) ?? null
    );
  };
  /** The file of the module that declares the module of `file`. */
  const findParentModule = (file: string, root: string | null): string | null => {
    if (file === root) return file;
    const folder = /(^|\/)mod\.rs$/.test(file) ? parentFolderOf(parentFolderOf(file)) : parentFolderOf(file);
    if (root !== null && folder === parentFolderOf(root)) return root;
    return (
      [posix.join(folder, 'mod.rs'), `${folder}.rs`, posix.join(folder, 'lib.rs'), posix.join(folder, 'main.rs')].find(
        (path) => files.has(path),
      ) ?? null
    );
  };
  /** Follows the names from module to module as far as there are files, and returns the last file. */
  const descend = (file: string, names: readonly string[]): string => {
    const root = findCrateRoot(file);
    let current = file;
    for (const name of names) {
      const child = findChildModule(current, root, name);
      if (child === null) break;
      current = child;
    }
    return current;
  };

  return (from, specifier) => {
    const names = specifier
      .split('::')
      .map((name) => name.trim().replace(/^r#/, ''))
      .filter((name) => name !== '' && name !== '*');
    const [first, ...otherNames] = names;
    if (first === undefined) return [];
    const root = findCrateRoot(from);
    if (first === 'crate' || first === '$crate')
      return root === null ? findBySuffix(files, from, otherNames.join('/')) : [descend(root, otherNames)];
    if (first === 'self') return [descend(from, otherNames)];
    if (first === 'super') {
      let current: string | null = from;
      let superCount = 0;
      while (names[superCount] === 'super' && current !== null) {
        current = findParentModule(current, root);
        superCount++;
      }
      return current === null ? [] : [descend(current, names.slice(superCount))];
    }
    const child = findChildModule(from, root, first);
    if (child) return [descend(child, otherNames)];
    const crate = byName.get(first);
    if (crate && !(crate.root === root && specifier === first)) return [descend(crate.root, otherNames)];
    const top = root === null ? null : findChildModule(root, root, first);
    return top ? [descend(top, otherNames)] : [];
  };
}

/** The folder with the modules that are declared in a file. */
function findModuleFolder(file: string, root: string | null): string {
  return file === root || /(^|\/)(mod|lib|main)\.rs$/.test(file) ? parentFolderOf(file) : file.replace(/\.rs$/, '');
}
