// Recognises uses of an exported function without an import. In Nuxt, and with some plugins of bundlers, names that are
// not declared are imported automatically.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { Importers } from '../exports/importers.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { collectDescendants } from '../syntax/locate.ts';

/** Matches a package.json that depends on a package for automatic imports. */
const MANIFEST_PATTERN = /"(?:nuxt|nuxt3|nuxt-nightly|unimport|unplugin-auto-import)"\s*:/;

/**
 * The reason why a file may use one of these names, which the file `from` declares, by an automatic import; null if no
 * file uses one of them without a declaration. Such a use could pass the function on, or call it with too many
 * arguments.
 */
export function explainAutomaticUse(
  names: readonly string[],
  from: string,
  importers: Importers,
  tree: SourceTree,
): string | null {
  const files = [...importers.pages(), ...importers.scripts()].filter((path) => path !== from);
  const searchedNames = [...new Set(names)].filter((name) => name !== 'default');
  const pattern = new RegExp(
    `(?<![\\w$.-])(?:${searchedNames.map((word) => word.replaceAll('$', '\\$')).join('|')})(?![\\w$])`,
  );
  const importingFile = files.find((path) => {
    if (!pattern.test(importers.text(path)) || !importsAutomatically(path, tree)) return false;
    const sourceFile = importers.sourceFile(path);
    return sourceFile === null || searchedNames.some((word) => isUndeclared(sourceFile, word));
  });
  return importingFile === undefined
    ? null
    : `${importingFile} may use it by an automatic import, which shows no caller.`;
}

/** True if the package of the file, or a package around it, has automatic imports. */
function importsAutomatically(path: string, { rootDir, read }: SourceTree): boolean {
  for (let folder = path; folder !== '.'; ) {
    folder = posix.dirname(folder);
    if (MANIFEST_PATTERN.test(read(posix.join(rootDir.replaceAll('\\', '/'), folder, 'package.json')) ?? ''))
      return true;
  }
  return false;
}

/** True if the file uses this name, and neither declares nor imports it. */
function isUndeclared(sourceFile: ts.SourceFile, name: string): boolean {
  const references = collectDescendants(sourceFile).filter(
    (node) => ts.isIdentifier(node) && node.text === name && !isMember(node),
  );
  return references.length > 0 && !references.some((node) => (node.parent as ts.NamedDeclaration).name === node);
}

/** True for the name of a member, as in `module.name` and `{ name: … }`. */
function isMember(node: ts.Node): boolean {
  const { parent } = node;
  const isName = (parent as ts.NamedDeclaration).name === node;
  return isName && (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent));
}
