// Finds the tests that import a file, in the usual places: beside it, and in the test folders on the way to the root.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { isTestFolder, isTestScript } from '../../paths/tests.ts';
import { parseSource } from '../syntax/parse.ts';
import type { SourceTree } from '../../ports/sources.ts';

export interface ImportingTest {
  readonly path: string;
  readonly sourceFile: ts.SourceFile;
  /** The names of the file's exports in the test. `exported` is `default`, a name, or `*` for the whole module. */
  readonly names: readonly { readonly exported: string; readonly local: string }[];
}

/** Bounds the time in a large repository. */
const MOST_FOLDERS = 300;
const MOST_FILES_READ = 40;
const LARGEST_FILE = 300_000;
const SOURCE = /\.[cm]?[jt]sx?$/;

/** Relative paths; tests with a similar name come first. */
export function testsOf(tree: SourceTree, path: string): ImportingTest[] {
  const root = tree.rootDir.replaceAll('\\', '/');
  const stem = stemOf(path);
  const found: ImportingTest[] = [];
  let read = 0;
  for (const file of candidates(tree, root, path).toSorted(
    (a, b) => likeness(b, stem) - likeness(a, stem) || (a < b ? -1 : 1),
  )) {
    if (read >= MOST_FILES_READ) break;
    read++;
    const text = tree.read(`${root}/${file}`);
    if (text === undefined || text.length > LARGEST_FILE || !text.includes(stem)) continue;
    const sourceFile = parseSource(file, text);
    const names = sourceFile ? namesFrom(sourceFile, file, path) : [];
    if (sourceFile && names.length > 0) found.push({ path: file, sourceFile, names });
  }
  return found;
}

function candidates(tree: SourceTree, root: string, path: string): string[] {
  const files = new Set<string>();
  let folders = 0;
  const walk = (folder: string, all: boolean, depth: number): void => {
    if (folders++ >= MOST_FOLDERS) return;
    for (const { name, kind } of tree.list(folder ? `${root}/${folder}` : root)) {
      const place = folder ? `${folder}/${name}` : name;
      if (kind === 'file' && SOURCE.test(name) && !name.endsWith('.d.ts') && (all || isTestScript(name)))
        files.add(place);
      if (kind === 'folder' && all && depth < 6 && name !== 'node_modules' && !name.startsWith('.'))
        walk(place, true, depth + 1);
    }
  };
  let folder = posix.dirname(path);
  for (;;) {
    const here = folder === '.' ? '' : folder;
    if (folder === posix.dirname(path)) walk(here, false, 0);
    for (const { name, kind } of tree.list(here ? `${root}/${here}` : root))
      if (kind === 'folder' && isTestFolder(name)) walk(here ? `${here}/${name}` : name, true, 0);
    if (here === '') return [...files];
    folder = posix.dirname(folder);
  }
}

function namesFrom(
  sourceFile: ts.SourceFile,
  file: string,
  path: string,
): { readonly exported: string; readonly local: string }[] {
  return sourceFile.statements.flatMap((statement) => {
    if (
      !ts.isImportDeclaration(statement) ||
      !ts.isStringLiteral(statement.moduleSpecifier) ||
      !leadsTo(statement.moduleSpecifier.text, file, path)
    )
      return [];
    const { importClause } = statement;
    if (!importClause || importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return [];
    const { name, namedBindings } = importClause;
    const whole = name ? [{ exported: 'default', local: name.text }] : [];
    if (!namedBindings) return whole;
    if (ts.isNamespaceImport(namedBindings)) return [...whole, { exported: '*', local: namedBindings.name.text }];
    return [
      ...whole,
      ...namedBindings.elements.map((element) => ({
        exported: (element.propertyName ?? element.name).text,
        local: element.name.text,
      })),
    ];
  });
}

/** True for a relative path to the file, and for an alias that ends with the last two parts of its path. */
function leadsTo(specifier: string, file: string, path: string): boolean {
  const target = path.replace(SOURCE, '');
  const wanted = new Set([target, target.replace(/\/index$/, '')]);
  const bare = specifier.replace(SOURCE, '');
  if (specifier.startsWith('.')) return wanted.has(posix.join(posix.dirname(file), bare));
  const tail = target.split('/').slice(-2).join('/');
  return tail.includes('/') && bare.endsWith(`/${tail}`);
}

function stemOf(path: string): string {
  const name = posix.basename(path).replace(SOURCE, '');
  return name === 'index' ? posix.basename(posix.dirname(path)) : name;
}

function likeness(file: string, stem: string): number {
  const name = posix.basename(file).toLowerCase();
  const wanted = stem.toLowerCase();
  return name.startsWith(`${wanted}.`) ? 2 : name.includes(wanted) ? 1 : 0;
}
