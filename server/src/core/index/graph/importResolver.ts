// Finds the file of the repository that an import specifier means, without reading any project configuration.

import { posix } from 'node:path';
import type { FileRecord } from '../../indexPorts.ts';

type Importer = Pick<FileRecord, 'path' | 'language'>;

/** A function that gives the files of the repository which a specifier means, as far as its spelling tells. */
export function createImportResolver(paths: readonly string[]): (from: Importer, specifier: string) => readonly string[] {
  /** By path without extension, and without `index`, `__init__` or `mod` at its end. */
  const byStem = new Map<string, string[]>();
  /** The stems that end in a name. */
  const stemsByName = new Map<string, string[]>();
  const known = new Set(paths);
  const byFolder = new Map<string, string[]>();
  const byName = new Map<string, string[]>();
  const goPackages = new Map<string, readonly string[]>();
  for (const path of paths) {
    const stem = stemOf(path);
    push(byStem, stem, path);
    if (byStem.get(stem)!.length === 1) push(stemsByName, posix.basename(stem), stem);
    push(byFolder, posix.dirname(path), path);
    push(byName, posix.basename(path), path);
  }

  const at = (from: Importer, stem: string): string[] => {
    const found = byStem.get(stem) ?? [];
    const same = found.filter((path) => posix.extname(path) === posix.extname(from.path));
    return (same.length > 0 ? same : found).slice(0, 1);
  };
  /** The stem that ends in `suffix` and is nearest to the importing file; none when two are equally near. */
  const bySuffix = (from: Importer, suffix: string): string[] => {
    const stems = (stemsByName.get(posix.basename(suffix)) ?? []).filter((stem) => stem === suffix || stem.endsWith(`/${suffix}`));
    const near = stems.map((stem) => [commonFolders(stem, from.path), stem] as const).sort((a, b) => b[0] - a[0]);
    return near[0] && near[0][0] !== near[1]?.[0] ? at(from, near[0][1]) : [];
  };

  return (from, specifier) => {
    const folder = posix.dirname(from.path);
    switch (from.language) {
      case 'typescript':
      case 'tsx':
      case 'javascript': {
        if (specifier.startsWith('.')) {
          const path = posix.join(folder, specifier);
          if (known.has(path)) return [path];
          const exact = at(from, path === '.' ? '' : path);
          return exact.length > 0 ? exact : at(from, stemOf(path));
        }
        // Aliases such as `@/store` or `#protocol/state`; plain names are packages.
        const alias = /^[@~#][^/]*\/(.+)$/.exec(specifier)?.[1];
        return alias ? bySuffix(from, stemOf(alias)) : [];
      }
      case 'python': {
        const dots = /^\.*/.exec(specifier)![0].length;
        const rest = specifier.slice(dots).replaceAll('.', '/');
        if (dots > 0) return at(from, posix.join(folder, '../'.repeat(dots - 1), rest).replace(/^\.$/, '').replace(/\/$/, ''));
        return bySuffix(from, rest);
      }
      case 'rust':
        return rustModule(specifier, (suffix) => bySuffix(from, suffix));
      case 'go':
        if (!goPackages.has(specifier)) goPackages.set(specifier, goPackage(specifier, byFolder));
        return goPackages.get(specifier)!;
      case 'java':
        return bySuffix(from, specifier.replaceAll('.', '/'));
      case 'c':
      case 'cpp': {
        const name = specifier.replaceAll(/[<>]/g, '');
        const near = posix.join(folder, name);
        if (known.has(near)) return [near];
        if (specifier.startsWith('<') && !name.includes('/')) return [];
        const matches = (byName.get(posix.basename(name)) ?? []).filter((path) => path === name || path.endsWith(`/${name}`));
        return matches.length === 1 ? matches : [];
      }
      default:
        return [];
    }
  };
}

/** The longest part of a Rust path that is a module of ours: `crate::a::b::Thing` → a/b. */
function rustModule(specifier: string, bySuffix: (suffix: string) => string[]): readonly string[] {
  const names = specifier.split('::').filter((name) => name !== '');
  if (!['crate', 'self', 'super'].includes(names[0] ?? '')) return [];
  const inner = names.filter((name) => !['crate', 'self', 'super'].includes(name));
  for (let length = inner.length; length > 0; length--) {
    const found = bySuffix(inner.slice(0, length).join('/'));
    if (found.length > 0) return found;
  }
  return [];
}

/** The files of the folder with the longest name that the import path ends in. */
function goPackage(specifier: string, byFolder: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const segments = specifier.split('/');
  for (let from = 0; from < segments.length; from++) {
    const files = byFolder.get(segments.slice(from).join('/'))?.filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'));
    if (files && files.length > 0) return files;
  }
  return [];
}

function stemOf(path: string): string {
  return path.replace(/(\.d)?\.[^./]+$/, '').replace(/(^|\/)(index|__init__|mod)$/, '');
}

function commonFolders(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  let count = 0;
  while (count < left.length && left[count] === right[count]) count++;
  return count;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
