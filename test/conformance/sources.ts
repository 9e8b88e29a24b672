// Real sources for comparisons with the peers: what packages ship in a readable form, and our own code.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { looksMinified } from '../../server/src/core/paths/generated.ts';
import { projectFiles, read, root } from '../tidy/sourceFiles.ts';

export interface Source {
  readonly path: string;
  readonly text: string;
}

/**
 * Different hands and styles, written or compiled, CommonJS and modules; the folders that hold what their authors read.
 */
const packages: readonly string[] = [
  '@typescript-eslint/typescript-estree',
  '@vscode/vsce/out',
  'ajv/lib',
  'apache-arrow/src',
  'cockatiel/dist',
  'commander/lib',
  'diff/libesm',
  'entities/src',
  'eslint/lib',
  'minimatch',
  'minisearch/src',
  'mocha/lib',
  'object-inspect',
  'postcss/lib',
  'semver',
  'underscore/modules',
  'vscode-languageclient/lib',
  'web-tree-sitter',
  'yaml/dist',
  'zod/src/v3',
  'zod/src/v4/core',
];
const OWN = /^(server|client|webview)\/src\/|^(scripts|test\/(bench|helpers|conformance))\//;
const SCRIPT = /\.[cm]?[jt]sx?$/;
const DECLARATION = /\.d\.([cm]?ts|[^/]+\.ts)$/;
/** The same code in another form, data, and tests that repeat themselves. */
const BUNDLE = /(^|\/)(dist\/(umd|cjs|node)|locales?|tests)\/|\.(min|umd|iife)\./;
const LARGEST = 200_000;

/** The same in every run on the same installation; no text twice. */
export function realSources(): Source[] {
  const modules = join(root, 'node_modules');
  const shipped = packages.flatMap((folder) =>
    scriptsBelow(join(modules, folder)).map((path) => ({
      path: `${folder}/${path}`,
      text: readFileSync(join(modules, folder, path), 'utf8'),
    })),
  );
  const own = projectFiles('.ts', '.mjs')
    .filter((path) => OWN.test(path))
    .map((path) => ({ path, text: read(path) }));
  const seen = new Set<string>();
  return [...own, ...shipped].filter(({ path, text }) => {
    const kept =
      !DECLARATION.test(path) &&
      !BUNDLE.test(path) &&
      text.length <= LARGEST &&
      !looksMinified(text) &&
      !text.startsWith('\uFEFF') &&
      !seen.has(text);
    seen.add(text);
    return kept;
  });
}

function scriptsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => SCRIPT.test(path) && !path.includes('node_modules'))
    .sort();
}
