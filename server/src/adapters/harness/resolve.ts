// Resolves an import of the repository's own code as its compiler or bundler would.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';
import type { EmitOptions } from '../../core/verify/differential/plan.ts';

/** Matches the path of a JavaScript or TypeScript file, except type declarations, which contain no code. */
export const SCRIPT_PATTERN = /(?<!\.d)\.[cm]?[jt]sx?$/;
/** Extensions that are tried for a path without one, in this order. */
const CODE_EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
/** Extensions of TypeScript files that an import with the extension of JavaScript may mean. */
const SOURCE_EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.jsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

/** The path below `rootDir`, with `/`; null for a file outside of it or in an installed package. */
export function findPathInRoot(rootDir: string, file: string): string | null {
  const path = relative(rootDir, file).split(sep).join('/');
  return path.startsWith('../') || path.split('/').includes('node_modules') ? null : path;
}

/**
 * The absolute path of the file to which a specifier resolves; null if Node has to resolve it. `importer`: absolute
 * path of the importing file.
 */
export function resolveImport(specifier: string, importer: string, emit: EmitOptions, rootDir: string): string | null {
  if (specifier.startsWith('.')) return findFileAt(join(dirname(importer), specifier));
  return specifier.startsWith('/') ? findFileAt(specifier) : findConfiguredFile(specifier, emit, rootDir);
}

/**
 * The module format of a file, by its extension if that decides. Otherwise it is `module` if the nearest package.json
 * says so, if the text has syntax that is allowed in ES modules only, or if it is JavaScript that imports or exports.
 * All other files are CommonJS.
 */
export function detectModuleFormat(file: string, text: string): 'module' | 'commonjs' {
  if (/\.m[jt]s$/.test(file)) return 'module';
  if (/\.c[jt]s$/.test(file)) return 'commonjs';
  if (readNearestType(dirname(file)) === 'module') return 'module';
  if (/\bimport\.meta\b|^await\b|^(const|let|var)[^;\n]*=\s*await\b/m.test(text)) return 'module';
  return /\.tsx?$/.test(file) || !/^\s*(import|export)\b/m.test(text) ? 'commonjs' : 'module';
}

function findFileAt(path: string): string | null {
  const end = extname(path);
  const candidates = [
    path,
    ...(SOURCE_EXTENSIONS[end] ?? []).map((extension) => path.slice(0, -end.length) + extension),
    ...CODE_EXTENSIONS.map((extension) => path + extension),
    ...CODE_EXTENSIONS.map((extension) => join(path, `index${extension}`)),
  ];
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile()) ?? null;
}

/** The file to which `paths` or `baseUrl` of tsconfig.json lead for a specifier; null if there is none. */
function findConfiguredFile(specifier: string, { paths, baseUrl }: EmitOptions, rootDir: string): string | null {
  for (const [pattern, targets] of Object.entries(paths)) {
    const [start = '', end] = pattern.split('*');
    const isMatch =
      end === undefined
        ? specifier === pattern
        : specifier.startsWith(start) && specifier.endsWith(end) && specifier.length >= start.length + end.length;
    if (!isMatch) continue;
    const middle = end === undefined ? '' : specifier.slice(start.length, specifier.length - end.length);
    for (const target of targets) {
      const resolvedFile = findFileAt(join(rootDir, target.replace('*', middle)));
      if (resolvedFile) return resolvedFile;
    }
  }
  return baseUrl === null || specifier.startsWith('node:') ? null : findFileAt(join(rootDir, baseUrl, specifier));
}

/** The value of `type` in the nearest package.json; null if that file has none, or if there is no such file. */
function readNearestType(folder: string): string | null {
  for (let currentFolder = folder; ; currentFolder = dirname(currentFolder)) {
    const file = join(currentFolder, 'package.json');
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { readonly type?: string }).type ?? null;
    if (dirname(currentFolder) === currentFolder) return null;
  }
}
