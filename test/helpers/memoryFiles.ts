// A working tree in memory that implements the ports `Files` and `TreeWriter`.

import type { SkippedPath } from '../../server/src/core/model.ts';
import { createIgnoreRules } from '../../server/src/adapters/files/ignoreRules.ts';
import { SelfwareError, throwIfCancelled } from '../../server/src/util/typedError.ts';
import type { Files, FileStat, FileWrite, TreeWriter } from '../../server/src/core/ports/files.ts';

/** The working tree. */
export interface MemoryFiles extends Files {
  /** Writes a file as a user would, or deletes it if `content` is null. */
  set(path: string, content: string | Uint8Array | null): void;
  /** Text of a file, or null. */
  text(path: string): string | null;
  /** Every file as text, by path. */
  all(): Readonly<Record<string, string>>;
  readonly writer: TreeWriter;
}

/** A file. `mtimeMs`: the number of writes so far, so that every write changes it. */
interface Node {
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly mtimeMs: number;
}

/** Creates the tree. `links`: the target of each symbolic link, as written in the link, by the path of the link. */
export function createMemoryFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: {
    readonly links?: Readonly<Record<string, string>>;
    readonly caseInsensitive?: boolean;
    readonly rootDir?: string;
  } = {},
): MemoryFiles {
  const rootDir = options.rootDir ?? '/repository';
  const links = new Map(Object.entries(options.links ?? {}));
  const nodes = new Map<string, Node>();
  let writes = 0;
  const set: MemoryFiles['set'] = (path, content) => {
    if (content === null) nodes.delete(path);
    else
      put(
        path,
        typeof content === 'string' ? new TextEncoder().encode(content) : content,
        nodes.get(path)?.mode ?? 0o644,
      );
  };
  for (const [path, content] of Object.entries(files)) set(path, content);

  return {
    rootDir,
    isCaseInsensitive: options.caseInsensitive ?? false,
    set,
    text: (path) => textOf(nodes.get(path)),
    all: () =>
      Object.fromEntries(
        [...nodes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, node]) => [path, textOf(node) ?? '']),
      ),
    // Writes are never interrupted here, so there are no temporary files to remove.
    writer: { write: async (changes) => writeAll(changes), removeTemporaryFiles: async () => undefined },

    async walk(limits, signal) {
      throwIfCancelled(signal);
      const listedFiles: { path: string; stat: FileStat }[] = [];
      const skipped: SkippedPath[] = [];
      for (const path of [...nodes.keys()].sort()) {
        const node = nodes.get(path);
        if (!node || ignored(path, limits.exclude)) continue;
        if (node.bytes.length > limits.maxBytes) skipped.push({ path, reason: 'too large' });
        else listedFiles.push({ path, stat: statOf(node) });
      }
      for (const path of links.keys())
        if (resolveNow(path) === null) skipped.push({ path, reason: 'symlink out of the repository' });
      return { files: listedFiles, skipped: skipped.sort((a, b) => (a.path < b.path ? -1 : 1)) };
    },
    async stat(path) {
      const resolvedPath = resolveNow(path)?.path;
      const node = resolvedPath === undefined ? undefined : nodes.get(resolvedPath);
      if (node) return statOf(node);
      return resolvedPath !== undefined && isFolder(resolvedPath)
        ? { size: 0, mtimeMs: 0, mode: 0o755, kind: 'folder' }
        : null;
    },
    async read(path) {
      const resolvedPath = resolveNow(path)?.path;
      if (resolvedPath === undefined) return null;
      if (isFolder(resolvedPath)) throw new SelfwareError('unreadable', `${path} is not a file.`);
      const node = nodes.get(resolvedPath);
      return node ? Uint8Array.from(node.bytes) : null;
    },
    resolve: async (path) => resolveNow(path),
  };

  function put(path: string, bytes: Uint8Array, mode: number): void {
    writes += 1;
    nodes.set(path, { bytes: Uint8Array.from(bytes), mode, mtimeMs: writes });
  }

  function writeAll(changes: readonly FileWrite[]): void {
    for (const { path } of changes) {
      const resolved = resolveNow(path);
      const isWritable =
        resolved?.path === path &&
        !resolved.throughLink &&
        path !== '' &&
        !path.toLowerCase().split('/').includes('.git');
      if (!isWritable) throw new SelfwareError('forbidden', `${path} is not written.`);
    }
    for (const change of changes) {
      const current = nodes.get(change.path)?.bytes ?? null;
      const same =
        current === null
          ? change.before === null
          : change.before !== null && Buffer.compare(current, change.before) === 0;
      if (!same || isFolder(change.path)) throw new SelfwareError('stale', `${change.path} has changed.`);
    }
    for (const { path, after, mode } of changes) {
      if (after === null) nodes.delete(path);
      else put(path, after, nodes.get(path)?.mode ?? mode);
    }
  }

  function ignored(path: string, exclude: readonly string[]): boolean {
    let rules = createIgnoreRules(exclude, options.caseInsensitive ?? false);
    const parts = path.split('/');
    if (parts.some((part) => part === '.git' || part === 'node_modules')) return true;
    for (let depth = 0; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      for (const name of ['.gitignore', '.selfwareignore']) {
        const text = textOf(nodes.get(folder === '' ? name : `${folder}/${name}`));
        if (text !== null) rules = rules.with(folder, text);
      }
    }
    return rules.ignoresFile(path);
  }

  function isFolder(path: string): boolean {
    return path === '' || [...nodes.keys()].some((candidate) => candidate.startsWith(`${path}/`));
  }

  function resolveNow(path: string): { readonly path: string; readonly throughLink: boolean } | null {
    if (path.includes('\0') || path.startsWith('/')) return null;
    let depth = 0;
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    for (const part of parts) if ((depth += part === '..' ? -1 : 1) < 0) return null;
    // Paths are absolute from here on, because the target of a link may lead out of the root and back into it.
    let place = rootDir.slice(1).split('/');
    let followed = 0;
    const queue = parts;
    for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
      if (part === '..') place = place.slice(0, -1);
      else {
        const target = links.get(insideRoot([...place, part]) ?? '');
        if (target === undefined) place = [...place, part];
        else {
          followed += 1;
          if (followed > 40) return null;
          if (target.startsWith('/')) place = [];
          queue.unshift(...target.split('/').filter((name) => name !== '' && name !== '.'));
        }
      }
    }
    const inside = insideRoot(place);
    return inside === null ? null : { path: inside, throughLink: followed > 0 };
  }

  function insideRoot(place: readonly string[]): string | null {
    const absolute = `/${place.join('/')}`;
    if (absolute === rootDir) return '';
    return absolute.startsWith(`${rootDir}/`) ? absolute.slice(rootDir.length + 1) : null;
  }
}

function statOf(node: Node): FileStat {
  return { size: node.bytes.length, mtimeMs: node.mtimeMs, mode: node.mode, kind: 'file' };
}

function textOf(node: Node | undefined): string | null {
  return node ? new TextDecoder().decode(node.bytes) : null;
}
