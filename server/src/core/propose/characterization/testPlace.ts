// Decides by the tests of neighbouring files where a new test of a file belongs and how it is written.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { isTestFolder, findTestSuffix } from '../../paths/tests.ts';
import { detectStyle, type Style } from '../fileStyle.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { parseSource } from '../syntax/parse.ts';
import type { SourceTree } from '../../ports/sources.ts';

/** The place and the style of a test. */
export interface TestPlace {
  /** Path of the new test file, relative to the root. */
  readonly path: string;
  /** Path of the test that serves as an example. */
  readonly example: string;
  readonly runner: 'vitest' | 'jest' | 'node';
  /** True if the functions of the test runner are imported, false if they are globals. */
  readonly importsRunner: boolean;
  /** Module specifier of the tested file. */
  readonly specifier: string;
  /** The function that defines a test: the one that the example uses more often. */
  readonly testFunction: 'it' | 'test';
  readonly style: Style;
}

/** Maximum number of folders that are searched for a test. */
const MAX_FOLDERS = 200;

/**
 * Chooses the place for a new test. Refuses if no neighbouring file has a readable test, if the runner is unknown, or
 * if the test file already exists.
 */
export function chooseTestPlace(tree: SourceTree, path: string): TestPlace | { readonly refused: string } {
  const place = chooseTestPlaceNextTo(tree, path);
  if (!('refused' in place) && tree.fileExists(`${tree.rootDir.replaceAll('\\', '/')}/${place.path}`))
    return { refused: `${place.path} is there already.` };
  return place;
}

/**
 * Chooses the place for a test, even if the test file already exists, because the test can be added to it. Refuses if
 * no neighbouring file has a readable test, or if the runner is unknown.
 */
export function chooseTestPlaceNextTo(tree: SourceTree, path: string): TestPlace | { readonly refused: string } {
  const root = tree.rootDir.replaceAll('\\', '/');
  const example = findNeighbourTest(tree, root, path);
  if (!example) return { refused: 'No test of a file beside it shows where a test of it belongs.' };
  const text = tree.read(`${root}/${example}`) ?? '';
  const sourceFile = parseSource(example, text);
  const suffix = findTestSuffix(posix.basename(example));
  if (!sourceFile || !suffix) return { refused: 'The test of a file beside it cannot be read.' };
  const stem = chooseStem(path, example);
  const testPath = posix.join(posix.dirname(example), `${stem}${suffix.replace(/x$/, '')}`);
  const importedModules = sourceFile.statements.flatMap((statement) =>
    ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)
      ? [statement.moduleSpecifier.text]
      : [],
  );
  const runner = findRunner(tree, root, example, importedModules);
  if (!runner) return { refused: 'It is not known what runs the tests beside it.' };
  const calls = collectDescendants(sourceFile).flatMap((node) =>
    ts.isCallExpression(node) && ts.isIdentifier(node.expression) ? [node.expression.text] : [],
  );
  const countCalls = (name: string) => calls.filter((call) => call === name).length;
  return {
    path: testPath,
    example,
    runner,
    importsRunner: importedModules.some((name) => /^(vitest|@jest\/globals|node:test)$/.test(name)),
    specifier: createSpecifierTo(testPath, path, importedModules),
    testFunction: countCalls('it') > countCalls('test') ? 'it' : 'test',
    style: detectStyle(text),
  };
}

/**
 * Chooses the name of the test file without its suffix: the name of the source file. For an `index` file that is tested
 * in another folder, it is the name of its folder, unless that is as unspecific as `src`.
 */
export function chooseStem(path: string, example: string): string {
  const stem = posix.basename(path).replace(SCRIPT_PATTERN, '');
  const folder = posix.dirname(path);
  const isInSameFolder = [folder, posix.join(folder, '__tests__')].includes(posix.dirname(example));
  const folderName = posix.basename(folder);
  return stem !== 'index' || isInSameFolder || /^(?:\.|src|lib|source)$/.test(folderName) ? stem : folderName;
}

/**
 * Finds the path of an example for the new test: a test in the same folder or in its `__tests__`, otherwise a test that
 * imports a file of the same folder, in a folder of tests here or in a parent folder. Null if there is none.
 */
function findNeighbourTest(tree: SourceTree, root: string, path: string): string | null {
  const folder = posix.dirname(path);
  for (const testFolder of [folder, posix.join(folder, '__tests__')]) {
    const name = listTests(tree, root, testFolder).at(0);
    if (name) return name;
  }
  let searchedCount = 0;
  const search = (searchedFolder: string): string | null => {
    if (searchedCount++ >= MAX_FOLDERS) return null;
    for (const testPath of listTests(tree, root, searchedFolder))
      if (importsFrom(tree.read(`${root}/${testPath}`) ?? '', testPath, folder)) return testPath;
    for (const { name, kind } of tree.list(`${root}/${searchedFolder}`)) {
      if (kind !== 'folder' || name === 'node_modules' || name.startsWith('.')) continue;
      const testFile = search(`${searchedFolder}/${name}`);
      if (testFile) return testFile;
    }
    return null;
  };
  for (let ancestor = folder; ; ancestor = posix.dirname(ancestor)) {
    const folderPrefix = ancestor === '.' ? '' : `${ancestor}/`;
    for (const { name, kind } of tree.list(ancestor === '.' ? root : `${root}/${ancestor}`)) {
      const testFile = kind === 'folder' && isTestFolder(name) ? search(`${folderPrefix}${name}`) : null;
      if (testFile) return testFile;
    }
    if (ancestor === '.') return null;
  }
}

/** The paths of the test files that lie directly in the folder, sorted. */
function listTests(tree: SourceTree, root: string, folder: string): string[] {
  return tree
    .list(folder === '.' ? root : `${root}/${folder}`)
    .filter(({ name, kind }) => kind === 'file' && findTestSuffix(name) !== null)
    .map(({ name }) => posix.join(folder, name))
    .sort();
}

/** True if the text imports a file of the folder by a relative specifier. `testPath`: the path of the text. */
function importsFrom(text: string, testPath: string, folder: string): boolean {
  return [...text.matchAll(/from\s+['"](\.[^'"]*)['"]/g)].some(
    ([, specifier = '']) => posix.dirname(posix.join(posix.dirname(testPath), specifier)) === folder,
  );
}

/**
 * Finds the runner that the example imports, otherwise the one that the nearest `package.json` above it names; null if
 * there is none.
 */
function findRunner(
  tree: SourceTree,
  root: string,
  example: string,
  importedModules: readonly string[],
): TestPlace['runner'] | null {
  if (importedModules.includes('vitest')) return 'vitest';
  if (importedModules.includes('@jest/globals')) return 'jest';
  if (importedModules.includes('node:test')) return 'node';
  for (let folder = posix.dirname(example); ; folder = posix.dirname(folder)) {
    const manifest = tree.read(`${root}/${folder === '.' ? '' : `${folder}/`}package.json`);
    const namedRunner = manifest && /"(vitest|jest)"\s*:/.exec(manifest)?.[1];
    if (namedRunner) return namedRunner as 'vitest' | 'jest';
    if (folder === '.') return null;
  }
}

/**
 * Creates the specifier of the tested file. It gets an extension if the neighbouring test writes extensions: that of
 * the file, or `.js` if the test writes `.js` for `.ts`. `importedModules`: the specifiers in the neighbouring test.
 */
export function createSpecifierTo(testPath: string, path: string, importedModules: readonly string[]): string {
  const withoutExtension = posix.relative(posix.dirname(testPath), path).replace(SCRIPT_PATTERN, '');
  const fileExtension = posix.extname(path);
  const endings = importedModules
    .filter((name) => name.startsWith('.'))
    .map((name) => SCRIPT_PATTERN.exec(name)?.[0] ?? '');
  const extension = endings.some((writtenExtension) => writtenExtension === fileExtension)
    ? fileExtension
    : endings.some((writtenExtension) => /^\.[cm]?jsx?$/.test(writtenExtension))
      ? fileExtension.replace('t', 'j')
      : '';
  return `${withoutExtension.startsWith('.') ? withoutExtension : `./${withoutExtension}`}${extension}`;
}
