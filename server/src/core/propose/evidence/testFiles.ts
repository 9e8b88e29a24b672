// Finds the tests that import a file, in the usual places: next to it, and in the test folders on the way to the root.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { isTestFolder, isTestScript } from '../../paths/tests.ts';
import { parseSource } from '../syntax/parse.ts';
import type { SourceTree } from '../../ports/sources.ts';

/** A test that imports the file. */
export interface ImportingTest {
  readonly path: string;
  readonly sourceFile: ts.SourceFile;
  /**
   * The names under which the test imports the exports of the file. `exported` is `default`, a name, or `*` for the
   * whole module.
   */
  readonly names: readonly { readonly exported: string; readonly local: string }[];
}

/** Maximum number of folders that are searched, because large repositories have too many. */
const MAX_FOLDERS = 300;
/** Maximum number of test files that are read. */
const MAX_FILES_READ = 40;
/** Maximum number of characters of a test file; longer ones are skipped. */
const MAX_FILE_LENGTH = 300_000;

/** Finds the tests that import a file; those with a similar name come first. `path` is relative to the root. */
export function findImportingTests(tree: SourceTree, path: string): ImportingTest[] {
  const root = tree.rootDir.replaceAll('\\', '/');
  const stem = readModuleStem(path);
  const importingTests: ImportingTest[] = [];
  let readCount = 0;
  for (const file of findCandidates(tree, root, path).toSorted(
    (a, b) => rateSimilarity(b, stem) - rateSimilarity(a, stem) || (a < b ? -1 : 1),
  )) {
    if (readCount >= MAX_FILES_READ) break;
    readCount++;
    const text = tree.read(`${root}/${file}`);
    if (text === undefined || text.length > MAX_FILE_LENGTH || !text.includes(stem)) continue;
    const sourceFile = parseSource(file, text);
    const names = sourceFile ? listNamesFrom(sourceFile, file, path) : [];
    if (sourceFile && names.length > 0) importingTests.push({ path: file, sourceFile, names });
  }
  return importingTests;
}

/** Finds the paths of the scripts that may be tests of the file. */
function findCandidates(tree: SourceTree, root: string, path: string): string[] {
  const files = new Set<string>();
  let folderCount = 0;
  const walk = (folder: string, isInTests: boolean, depth: number): void => {
    if (folderCount++ >= MAX_FOLDERS) return;
    for (const { name, kind } of tree.list(folder ? `${root}/${folder}` : root)) {
      const testPath = folder ? `${folder}/${name}` : name;
      if (kind === 'file' && SCRIPT_PATTERN.test(name) && !name.endsWith('.d.ts') && (isInTests || isTestScript(name)))
        files.add(testPath);
      if (kind === 'folder' && isInTests && depth < 6 && name !== 'node_modules' && !name.startsWith('.'))
        walk(testPath, true, depth + 1);
    }
  };
  let folder = posix.dirname(path);
  for (;;) {
    const folderPath = folder === '.' ? '' : folder;
    if (folder === posix.dirname(path)) walk(folderPath, false, 0);
    for (const { name, kind } of tree.list(folderPath ? `${root}/${folderPath}` : root))
      if (kind === 'folder' && isTestFolder(name)) walk(folderPath ? `${folderPath}/${name}` : name, true, 0);
    if (folderPath === '') return [...files];
    folder = posix.dirname(folder);
  }
}

/** The names that a test imports from the file. */
function listNamesFrom(
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
    const defaultImport = name ? [{ exported: 'default', local: name.text }] : [];
    if (!namedBindings) return defaultImport;
    if (ts.isNamespaceImport(namedBindings))
      return [...defaultImport, { exported: '*', local: namedBindings.name.text }];
    return [
      ...defaultImport,
      ...namedBindings.elements.map((element) => ({
        exported: (element.propertyName ?? element.name).text,
        local: element.name.text,
      })),
    ];
  });
}

/** True for a relative specifier of the file, and for an alias that ends with the last two parts of its path. */
function leadsTo(specifier: string, file: string, path: string): boolean {
  const target = path.replace(SCRIPT_PATTERN, '');
  const targets = new Set([target, target.replace(/\/index$/, '')]);
  const withoutExtension = specifier.replace(SCRIPT_PATTERN, '');
  if (specifier.startsWith('.')) return targets.has(posix.join(posix.dirname(file), withoutExtension));
  const pathEnd = target.split('/').slice(-2).join('/');
  return pathEnd.includes('/') && withoutExtension.endsWith(`/${pathEnd}`);
}

/** The name of the file without its extension; for an `index` file, the name of its folder. */
function readModuleStem(path: string): string {
  const name = posix.basename(path).replace(SCRIPT_PATTERN, '');
  return name === 'index' ? posix.basename(posix.dirname(path)) : name;
}

/** Rates the name of a test file: 2 if it begins with the stem and a dot, 1 if it contains the stem, otherwise 0. */
function rateSimilarity(file: string, stem: string): number {
  const name = posix.basename(file).toLowerCase();
  const wantedStem = stem.toLowerCase();
  return name.startsWith(`${wantedStem}.`) ? 2 : name.includes(wantedStem) ? 1 : 0;
}
