// Resolves the real place on disk of a path in the tree, and detects paths that lead through links or out of the root.

import { lstat, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, relative, sep } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';

/** The real place of a path. */
export interface ResolvedPath {
  /** Relative to the root, free of links. */
  readonly path: string;
  /** True if the requested path leads through a link. */
  readonly throughLink: boolean;
}

/** Maximum number of links in one path. More of them count as a loop. Linux allows 40, too. */
const MAX_LINKS = 40;

/**
 * Follows a path component by component, as the operating system would: links first, then `..`. The file itself and
 * folders above it need not exist. Null for absolute paths, NUL bytes, `..` above the root, loops, and every path that
 * ends outside. `rootDir` is absolute and free of links. Throws `unreadable` if a folder on the way cannot be read.
 */
export async function resolveInside(rootDir: string, path: string): Promise<ResolvedPath | null> {
  const segments = splitRelativePath(path);
  if (segments === null) return null;
  const queue = [...segments];
  let absolutePath = rootDir;
  let linkCount = 0;
  for (let segment = queue.shift(); segment !== undefined; segment = queue.shift()) {
    if (segment === '..') {
      absolutePath = dirname(absolutePath);
      continue;
    }
    const nextPlace = join(absolutePath, segment);
    const target = await readLinkTarget(nextPlace, path);
    if (target === null) {
      absolutePath = nextPlace;
      continue;
    }
    linkCount += 1;
    if (linkCount > MAX_LINKS) return null;
    if (isAbsolute(target)) absolutePath = parse(target).root;
    queue.unshift(
      ...target
        .slice(isAbsolute(target) ? absolutePath.length : 0)
        .split(sep)
        .filter((part) => part !== '' && part !== '.'),
    );
  }
  const relativePath = findPathInside(rootDir, absolutePath);
  return relativePath === null ? null : { path: relativePath, throughLink: linkCount > 0 };
}

/** Error codes of the system for a path at which nothing exists. */
export const MISSING_PATH_CODES: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/**
 * The path relative to the root, with `/`. Empty for the root itself; null if `absolutePath` (free of links) is not
 * inside the root.
 */
export function findPathInside(rootDir: string, absolutePath: string): string | null {
  const path = relative(rootDir, absolutePath);
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return null;
  return sep === '/' ? path : path.split(sep).join('/');
}

/**
 * Components of a relative path. Null if the path is absolute, contains a NUL byte (on Windows also a colon) or leads
 * above the root.
 */
export function splitRelativePath(path: string): readonly string[] | null {
  const slashPath = sep === '\\' ? path.replaceAll('\\', '/') : path;
  // A colon on Windows names a drive or a hidden stream of a file.
  if (slashPath.includes('\0') || slashPath.startsWith('/') || (sep === '\\' && slashPath.includes(':'))) return null;
  const segments = slashPath.split('/').filter((part) => part !== '' && part !== '.');
  let depth = 0;
  for (const segment of segments) {
    depth += segment === '..' ? -1 : 1;
    if (depth < 0) return null;
  }
  return segments;
}

/** The target of a link; null if the path is not a link or does not exist. Throws `unreadable`. */
async function readLinkTarget(absolutePath: string, path: string): Promise<string | null> {
  try {
    return (await lstat(absolutePath)).isSymbolicLink() ? await readlink(absolutePath) : null;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new SelfwareError('unreadable', `${path} cannot be inspected (${code}).`, { cause: error });
  }
}
