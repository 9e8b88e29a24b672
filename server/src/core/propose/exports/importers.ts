// Reads from the texts of scripts and pages which files import which; changes of the exports of a file depend on this.
// Files in `SKIPPED_FOLDERS` and in folders of build output are not read.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { parseJsonOrNull } from '../../../util/parseJson.ts';
import { isHistory, isOutputFolder, isProse } from '../../paths/nonSourcePaths.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { parseSource } from '../syntax/parse.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { appendTo } from '../../../util/values/appendTo.ts';

/** An import of a file by another file. */
export interface ImportingFile {
  /** Path relative to the root. */
  readonly path: string;
  readonly specifier: string;
  /**
   * False for a specifier that is not a relative path. Then only its last part is known to match the name of the file.
   */
  readonly isRelative: boolean;
}

/** The imports between the files of a tree. */
export interface Importers {
  /**
   * The files that import the file by a relative path, and those that may import it by another specifier with the same
   * last part.
   */
  of(path: string): readonly ImportingFile[];
  /** The files that import the package of the file by the name in its package.json, or a subpath of it. */
  ofPackage(path: string): readonly ImportingFile[];
  /** The parsed file, parsed again at every call. Null for pages and components, which the parser cannot read. */
  sourceFile(path: string): ts.SourceFile | null;
  /** The text of a file; empty if it was not read. */
  text(path: string): string;
  /** Paths of the scripts that were read. */
  scripts(): readonly string[];
  /** Paths of the pages and components that were read. */
  pages(): readonly string[];
  /** Paths of the documentation that was read. */
  documents(): readonly string[];
}

/** Matches the extensions of pages and components that may contain scripts. */
const PAGE_PATTERN = /\.(vue|svelte|astro|mdx|html?)$/;
/**
 * Folders that are not read: folders of version control and of installed packages. `isOutputFolder` recognises folders
 * of build output.
 */
const SKIPPED_FOLDERS = new Set(['.git', '.hg', '.svn', '.yarn', 'node_modules', 'vendor']);
/** Maximum number of files. In a larger tree, reading stops, because missing importers would prove nothing. */
const MAX_FILES = 20_000;
/** Matches the specifier of an import, of a call that loads a module, or of a mock. */
const SPECIFIER_PATTERN =
  /(?:\bfrom|\bimport|\brequire|\bimport\s*\(|\brequire\s*\(|\brequire\.resolve\s*\(|\b(?:require|import)Actual\s*\(|\bmock\s*\()\s*\(?\s*(?:\/\*+[^*]{0,200}\*\/\s*)?(['"`])([^'"`\n]+)\1/g;

/**
 * Reads the importers of all files. Null if the tree is too large, or if a script in it cannot be read, because the
 * importers are unknown then. It takes about a second for some thousand files.
 */
export function readImporters(tree: SourceTree): Importers | null {
  const texts = readTexts(tree);
  if (!texts) return null;
  const importersByTarget = new Map<string, ImportingFile[]>();
  const importersByLastPart = new Map<string, ImportingFile[]>();
  const importersByPackage = new Map<string, ImportingFile[]>();
  for (const [path, text] of texts) {
    if (isDocument(path)) continue;
    for (const [, , specifier = ''] of text.matchAll(SPECIFIER_PATTERN)) {
      const isRelative = specifier.startsWith('.');
      const importer = { path, specifier, isRelative };
      if (isRelative)
        appendTo(importersByTarget, normaliseModulePath(posix.join(posix.dirname(path), specifier)), importer);
      else {
        appendTo(importersByLastPart, normaliseModulePath(specifier).split('/').at(-1) ?? '', importer);
        appendTo(importersByPackage, readPackageName(specifier), importer);
      }
    }
  }
  return {
    of(path) {
      const target = normaliseModulePath(path);
      return [
        ...(importersByTarget.get(target) ?? []),
        ...(importersByLastPart.get(target.split('/').at(-1) ?? '') ?? []),
      ];
    },
    ofPackage: (path) => importersByPackage.get(findPackageName(path, tree) ?? '') ?? [],
    sourceFile: (path) =>
      SCRIPT_PATTERN.test(path) ? parseSource(path, (texts.get(path) ?? '').replace(/^\uFEFF/, '')) : null,
    text: (path) => texts.get(path) ?? '',
    scripts: () => [...texts.keys()].filter((path) => SCRIPT_PATTERN.test(path)),
    pages: () => [...texts.keys()].filter((path) => PAGE_PATTERN.test(path)),
    documents: () => [...texts.keys()].filter(isDocument),
  };
}

/** The name of the package in a specifier, such as `@scope/name` in `@scope/name/file`. */
function readPackageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Finds the name of the package to which a file belongs; null if no `package.json` above it has a name. */
function findPackageName(path: string, { rootDir, read }: SourceTree): string | null {
  for (let folder = path; folder !== '.'; ) {
    folder = posix.dirname(folder);
    const text = read(posix.join(rootDir.replaceAll('\\', '/'), folder, 'package.json')) ?? '';
    const { name } = (parseJsonOrNull(text) ?? {}) as { readonly name?: unknown };
    if (typeof name === 'string') return name;
  }
  return null;
}

/**
 * Reads the texts of scripts, pages and documentation by path; null if there are too many, or if a script cannot be
 * read.
 */
function readTexts(tree: SourceTree): ReadonlyMap<string, string> | null {
  const root = tree.rootDir.replaceAll('\\', '/');
  const texts = new Map<string, string>();
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name, kind } of tree.list(folder === '' ? root : `${root}/${folder}`)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'folder') {
        if (!SKIPPED_FOLDERS.has(name) && !isOutputFolder(name)) folders.push(path);
        continue;
      }
      if (!SCRIPT_PATTERN.test(name) && !PAGE_PATTERN.test(name) && !isDocument(name)) continue;
      const text = tree.read(`${root}/${path}`);
      if (text === undefined && SCRIPT_PATTERN.test(name)) return null;
      if (text === undefined) continue;
      if (texts.size >= MAX_FILES) return null;
      texts.set(path, text);
    }
  }
  return texts;
}

/** True for documentation, except changelogs, because they describe earlier versions. */
function isDocument(path: string): boolean {
  const name = posix.basename(path);
  return isProse(name) && !isHistory(name);
}

/**
 * Finds the parents of all strings in the file that equal the specifier: imports, exports and calls, but also any other
 * node with such a string.
 */
export function findSpecifierParents(
  sourceFile: ts.SourceFile,
  specifier: string,
): (ts.ImportDeclaration | ts.ExportDeclaration | ts.Node)[] {
  return collectDescendants(sourceFile).flatMap((node) =>
    ts.isStringLiteralLike(node) && node.text === specifier ? [node.parent] : [],
  );
}

/** The path without its extension and without `/index`, for comparing files with specifiers. */
export function normaliseModulePath(path: string): string {
  return path
    .replace(/(\.d)?\.([cm]?[jt]sx?|json)$/, '')
    .replace(/(^|\/)index$/, '')
    .replace(/\/$/, '')
    .replace(/^\.$/, '');
}
