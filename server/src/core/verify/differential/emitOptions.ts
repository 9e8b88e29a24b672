// Extracts the compiler options of the repository that affect the running code, as plain data for the harness.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { EmitOptions } from './plan.ts';

const BOOLEAN_OPTIONS = [
  'experimentalDecorators',
  'emitDecoratorMetadata',
  'useDefineForClassFields',
  'esModuleInterop',
  'allowSyntheticDefaultImports',
] as const;
const STRING_OPTIONS = ['jsxImportSource', 'jsxFactory', 'jsxFragmentFactory'] as const;
const JSX_NAMES: Readonly<Record<number, string>> = {
  [ts.JsxEmit.React]: 'react',
  [ts.JsxEmit.ReactJSX]: 'react-jsx',
  [ts.JsxEmit.ReactJSXDev]: 'react-jsx',
};

/**
 * The options that the harness needs. `root`: absolute path of the repository, with forward slashes. Paths outside of
 * the root are omitted.
 */
export function extractEmitOptions(options: ts.CompilerOptions, root: string): EmitOptions {
  const compiler: Record<string, string | boolean> = {};
  for (const name of BOOLEAN_OPTIONS) if (typeof options[name] === 'boolean') compiler[name] = options[name];
  for (const name of STRING_OPTIONS) if (typeof options[name] === 'string') compiler[name] = options[name];
  compiler['jsx'] = JSX_NAMES[options.jsx ?? ts.JsxEmit.ReactJSX] ?? 'react-jsx';
  const relativeToRoot = (path: string): string | null =>
    path === root ? '' : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null;
  const baseUrl = options.baseUrl === undefined ? null : relativeToRoot(options.baseUrl.replaceAll('\\', '/'));
  const pathsBase = (
    options.baseUrl ??
    (options as { readonly pathsBasePath?: string }).pathsBasePath ??
    root
  ).replaceAll('\\', '/');
  const paths = Object.fromEntries(
    Object.entries(options.paths ?? {}).map(([pattern, targets]) => [
      pattern,
      targets.flatMap((index) => relativeToRoot(posix.resolve(pathsBase, index)) ?? []),
    ]),
  );
  return { compiler, paths, baseUrl };
}
