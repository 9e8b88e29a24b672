// Decides whether a CommonJS entry file re-exports what another file exports.

import { posix } from 'node:path';
import type { SourceTree } from '../../ports/sources.ts';
import { parseSource } from '../syntax/parse.ts';
import { findMainFile, resolveRelative, resolvesTo } from './modulePaths.ts';
import { findRequireCalls } from './requireCalls.ts';

/**
 * True if a test that requires this specifier gets the wanted export through a CommonJS entry file that does not
 * replace this export. Such a file consists of `module.exports = require('./lib/glob')`, or copies the members by
 * `Object.assign`. `testPath`: the path of the test file.
 */
export function isReexportedBy(
  specifier: string,
  testPath: string,
  { path, exportedAs }: { readonly path: string; readonly exportedAs: string },
  tree: SourceTree,
): boolean {
  const entry = specifier.startsWith('.') ? findEntryAt(resolveRelative(specifier, testPath), tree) : null;
  const file = entry && parseSource(entry.path, entry.text);
  if (!entry || !file || entry.path === path) return false;
  const isReplaced = new RegExp(String.raw`\.${exportedAs.replaceAll('$', '\\$')}\s*=[^=]`).test(entry.text);
  const directSpecifier = /^module\.exports = require\((['"])([^'"\n]+)\1\);?$/m.exec(entry.text)?.[2];
  if (directSpecifier !== undefined && resolvesTo(directSpecifier, entry.path, path, tree)) return !isReplaced;
  const names = findRequireCalls(file)
    .filter(({ from }) => resolvesTo(from, entry.path, path, tree))
    .flatMap((requireCall) =>
      requireCall.names.flatMap(({ name, imported }) => (imported === 'default' ? [name] : [])),
    );
  const exportedName = /^module\.exports = ([\w$]+);?$/m.exec(entry.text)?.[1];
  if (exportedName !== undefined && names.includes(exportedName)) return !isReplaced;
  const copyCalls = [...entry.text.matchAll(/\bObject\.assign\(([\w$.]+), ([\w$]+)\)/g)];
  return (
    exportedAs !== 'default' &&
    !isReplaced &&
    copyCalls.some(
      ([, to = '', from = '']) => names.includes(from) && (to === exportedName || /^(?:module\.)?exports$/.test(to)),
    )
  );
}

/**
 * Finds the JavaScript file that a resolved specifier names: the file itself, the file with an extension added, or the
 * main file or the index of the folder. Null if there is none.
 */
function findEntryAt(absolutePath: string, tree: SourceTree): { readonly path: string; readonly text: string } | null {
  const root = tree.rootDir.replaceAll('\\', '/');
  const mainFile = findMainFile(absolutePath, tree);
  const candidatePaths = [
    ...(/\.c?js$/.test(absolutePath) ? [absolutePath] : []),
    ...(absolutePath === '' ? [] : [`${absolutePath}.js`, `${absolutePath}.cjs`]),
    ...(mainFile === null ? [] : [mainFile, `${mainFile}.js`].map((candidate) => posix.join(absolutePath, candidate))),
    posix.join(absolutePath, 'index.js'),
  ];
  for (const path of candidatePaths) {
    const text = tree.fileExists(`${root}/${path}`) ? tree.read(`${root}/${path}`) : undefined;
    if (text !== undefined) return { path, text };
  }
  return null;
}
