// Compares the modules that tests import before and after a change.

import { posix } from 'node:path';
import type { FileEdit } from '../../../model.ts';
import { isTestLibrary } from '../../../paths/runnerImports.ts';
import { isTestFile } from '../../../paths/tests.ts';

/** Matches modules that consist mainly of assertions. */
const ASSERTION_LIBRARY =
  /^(?:should|power-assert|earl|unexpected|expect\.js|must|pytest|unittest|hypothesis)$|(?:^|[/:@])assert(?:@[^/]*)?(?:\/|$)/;
/** Matches a module that is identified by its location in the repository. */
const LOCAL_PATTERN = /^(?:\.|@\/|~|#|\/)/;
/** Matches the names that stand for the whole content of a module, in one of its forms. */
export const WHOLE_MODULE = /^(?:default|\*|strict|assert|expect|chai)$/;
const EXTENSION_PATTERN = /\.(?:[cm]?[jt]sx?|py)$/;

/** Returns the specifier without the prefix `node:`, and without the extension of a file of the repository. */
export function normaliseModule(specifier: string): string {
  const plain = specifier.replace(/^node:/, '');
  return LOCAL_PATTERN.test(plain) ? plain.replace(EXTENSION_PATTERN, '').replace(/\/index$/, '') : plain;
}

/**
 * Returns the Python module as a path: `/lib/core` for `lib.core`, `../a` for `..a`. Returns only the package of a test
 * library.
 */
export function toPythonModulePath(name: string): string {
  const [root = ''] = name.split('.');
  if (/^(?:pytest|unittest|hypothesis)$/.test(root)) return root;
  const [, dots = '', path = ''] = /^(\.*)(.*)$/.exec(name) ?? [];
  const folder = dots === '' ? '/' : dots === '.' ? './' : '../'.repeat(dots.length - 1);
  return `${folder}${path.replaceAll('.', '/')}`;
}

/** True for a module that runs tests or compares values. */
export function isLibrary(module: string): boolean {
  return !LOCAL_PATTERN.test(module) && (isTestLibrary(module) || ASSERTION_LIBRARY.test(module));
}

/** True for a module of the repository. */
export function isLocal(module: string): boolean {
  return LOCAL_PATTERN.test(module);
}

/** True for a module of the repository that is test code. `from`: the path of the file that imports it. */
export function isTestModule(module: string, from: string, edits: readonly FileEdit[]): boolean {
  const path = findEdit(module, from, edits)?.path ?? `${resolve(module, from) ?? module.replace(/^\//, '')}.js`;
  return isTestFile(path);
}

/** The edit of a module of the repository; undefined if the change does not touch it. */
export function findEdit(module: string, from: string, edits: readonly FileEdit[]): FileEdit | undefined {
  const path = resolve(module, from);
  return edits.find((edit) => {
    const name = edit.path.replace(EXTENSION_PATTERN, '').replace(/\/(?:index|__init__)$/, '');
    return path === null ? `/${name}`.endsWith(`/${module.replace(/^[@~#]?\/?/, '')}`) : name === path;
  });
}

/** True if both specifiers refer to the same module. Each is relative to the path of the file that imports it. */
export function isSameModule(module: string, from: string, other: string, otherFrom: string): boolean {
  if (!isLocal(module) || !isLocal(other)) return module === other;
  const [path, otherPath] = [resolve(module, from), resolve(other, otherFrom)].map(removeIndex);
  const [plain, otherPlain] = [module, other].map((name) => removeIndex(name.replace(/^[@~#]?\//, ''))!);
  if (path && otherPath) return path === otherPath;
  // A specifier that is not a relative path may begin in any folder.
  if (path) return `/${path}`.endsWith(`/${otherPlain}`);
  return otherPath ? `/${otherPath}`.endsWith(`/${plain}`) : plain === otherPlain;
}

function removeIndex(path: string | null): string | undefined {
  return path?.replace(/\/(?:index|__init__)?$/, '');
}

/** The path of a relative module without its extension; null for other modules. */
function resolve(module: string, from: string): string | null {
  return module.startsWith('.') ? posix.join(posix.dirname(from), module) : null;
}
