// Writes tests that record the current behaviour of a function. They are added to the test file that covers it, in the
// style of that file, or written to a new file next to the other tests.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { wrapInBraces, type Style } from '../fileStyle.ts';
import type { FileEdit } from '../../model.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { isTestLibrary } from '../../paths/runnerImports.ts';
import { isTestFile, findTestSuffix } from '../../paths/tests.ts';
import { parseSource } from '../syntax/parse.ts';
import { findAccess, type Access, type TestFileProgram, type WantedFunction } from './functionAccess.ts';
import { groupTitles, quoteText, type ExpressionOf } from './caseText.ts';
import { createCaseLines, type GuardedFunction } from './caseLines.ts';
import { isNamesake, rateNearness } from './testNearness.ts';
import { createAccessByImport } from './newImport.ts';
import { objectOfSpy, chooseSpy } from './recorders.ts';
import { findRequireCallsOfStatement } from './requireCalls.ts';
import { chooseStem, createSpecifierTo } from './testPlace.ts';
import { detectTestStyle, type TestStyle } from './testStyle.ts';
import { declaresSuite, findEndOfSuite, findSuite } from './uvuSuites.ts';
import { findGroup } from './testGroups.ts';
import { findLastTitledTest, findSubjectOfCases } from './titledTests.ts';

/** The tests that record a function, as an edit of a test file. */
export interface GuardingTest {
  readonly edit: FileEdit;
  /** The added lines. */
  readonly added: string;
  /** True if the test file reached the function before the edit: by a name or a module that it imports. */
  readonly isReached: boolean;
}

/** Matches a statement that reads the assertions from Chai. */
const CHAI_ASSERTIONS_PATTERN = /^(?:const|let|var) (?:expect|assert) = chai\./;
/**
 * Maximum numbers of test files: the first `MAX_READ` are read and rated, and the `MAX_PARSED` nearest to the function
 * are parsed.
 */
const [MAX_READ, MAX_PARSED] = [200, 12];

/**
 * Writes a test that records the current behaviour of the function: in one of `tests` that is about the function,
 * otherwise in a new file. `tests`: paths of test files that reach the function, best first. `runner`: the runner of
 * the test command, if known. Refuses with a sentence if no test can serve as an example, or if the test cannot be
 * written in its style.
 */
export function createGuardingTest(
  guardedFunction: GuardedFunction,
  { tests, runner }: { readonly tests: readonly string[]; readonly runner: string | null },
  tree: SourceTree,
  openFile: (tree: SourceTree, file: string, text: string) => TestFileProgram,
): GuardingTest | { readonly refused: string } {
  const root = tree.rootDir.replaceAll('\\', '/');
  const names = listExportsOfCases(guardedFunction).map(({ name }) => name);
  if (new Set(names).size < names.length) return { refused: 'Two exports that its steps need have the same name.' };
  const ratedTests = tests.slice(0, MAX_READ).flatMap((path) => {
    const text = tree.read(`${root}/${path}`);
    return text === undefined ? [] : [{ path, text, nearness: rateNearness({ path, text }, guardedFunction) }];
  });
  const nearestTests = ratedTests.toSorted((a, b) => b.nearness - a.nearness).slice(0, MAX_PARSED);
  const testFiles = nearestTests.flatMap(({ path, text }): TestFile[] => {
    const file = parseSource(path, text);
    const testStyle = file && detectTestStyle(file, runner);
    return testStyle ? [{ path, text, testStyle: testStyle }] : [];
  });
  const [example] = testFiles;
  let importsOfExample: readonly string[] | null = null;
  for (const testFile of testFiles) {
    const { path, text } = testFile;
    const openedFile = openFile(tree, `${root}/${path}`, text);
    const neededExports = listExportsOfCases(guardedFunction);
    // A test file that is named after the file of the function may get a further import.
    const mayAddImport = isNamesake(path, guardedFunction.path);
    const existingAccesses = neededExports.map((neededExport) => findAccess(neededExport, path, openedFile, tree));
    const accesses = existingAccesses.map(
      (access, index) =>
        access ?? (mayAddImport ? createAccessByImport(neededExports[index]!, path, openedFile) : null),
    );
    const reachedExports = accesses.flatMap((access, index) =>
      access ? [{ wanted: neededExports[index]!, access }] : [],
    );
    if (
      reachedExports.length === neededExports.length &&
      reachedExports.some(({ access }) => isAbout(path, guardedFunction.path, access))
    )
      return addTests(guardedFunction, testFile, reachedExports, !existingAccesses.includes(null));
    if (testFile === example && reachedExports.length === neededExports.length)
      importsOfExample = listImportsByName(reachedExports);
  }
  if (!example)
    return {
      refused:
        'No test that reaches it shows how tests are written here (Vitest, Jest, Mocha, AVA, tape, tap, uvu or node:test).',
    };
  return createTestFile(guardedFunction, example, importsOfExample, tree, root);
}

/**
 * The imports that the test file would get, if each of them names a package or an alias and imports one name. Otherwise
 * null: a new file then imports by relative paths.
 */
function listImportsByName(reachedExports: readonly { readonly access: Access }[]): readonly string[] | null {
  const statements = reachedExports.flatMap(({ access }) => access.insertion?.statement ?? []);
  const specifiers = statements.map((statement) => /['"]([^'"]*)['"]\)?;?$/.exec(statement)?.[1] ?? '.');
  const isByName = statements.length === reachedExports.length && specifiers.every((from) => !from.startsWith('.'));
  return isByName && new Set(specifiers).size === specifiers.length ? statements : null;
}

/** The exports that the cases use, each once. */
function listExportsOfCases({ path, name, exportedAs, cases }: GuardedFunction): readonly WantedFunction[] {
  const neededExports = cases.flatMap(({ steps = [] }) =>
    steps.flatMap(({ imported }) => (imported ? [imported] : [])),
  );
  if (neededExports.length === 0) return [{ path, name, exportedAs }];
  return [...new Map(neededExports.map((wantedExport) => [createExportKey(wantedExport), wantedExport])).values()];
}

function createExportKey({ path, exportedAs }: WantedFunction): string {
  return `${path}\0${exportedAs}`;
}

/**
 * True if the test file already imports the function or is named after its file. If its file is an `index` file, every
 * test file counts. `path`: the file of the function.
 */
function isAbout(test: string, path: string, access: Access): boolean {
  return access.insertion === null || isNamesake(test, path) || /(?:^|\/)index\.\w+$/.test(path);
}

/** A test file with the style of its tests. */
interface TestFile {
  readonly path: string;
  readonly text: string;
  readonly testStyle: TestStyle;
}

/** Adds the tests to a file: to the group of the function, after the last test whose title names it, or at the end. */
function addTests(
  functionInItsFile: GuardedFunction,
  { path, text, testStyle }: TestFile,
  reachedExports: readonly { readonly wanted: WantedFunction; readonly access: Access }[],
  isReached: boolean,
): GuardingTest | { readonly refused: string } {
  const expressionOf: ExpressionOf = (exported) =>
    reachedExports.find(({ wanted }) => createExportKey(wanted) === createExportKey(exported))?.access.expression ??
    exported.name;
  const guardedFunction = nameAsInTests(functionInItsFile, expressionOf(functionInItsFile));
  const { newline } = testStyle.style;
  const file = parseSource(path, text);
  const uvuFile = testStyle.framework === 'uvu' && !testStyle.hasGroups ? file : null;
  const titledSuite = uvuFile && findSuite(groupTitles(guardedFunction.qualifiedName), uvuFile);
  const suite = uvuFile && (titledSuite ?? testStyle.call);
  const subject = findSubjectOfCases(guardedFunction);
  const group = file && !uvuFile ? findGroup(guardedFunction, file, expressionOf(guardedFunction), subject) : null;
  const call = suite || testStyle.call;
  const similarTest = file && !group && !titledSuite ? findLastTitledTest(subject, call, file) : null;
  const lines = group
    ? createCaseLines(guardedFunction, expressionOf, testStyle, {
        isGrouped: true,
        indent: readIndentBefore(text, group.start) + testStyle.style.indent,
        fileText: text,
      })
    : suite || similarTest
      ? createCaseLines(
          guardedFunction,
          expressionOf,
          { ...testStyle, call },
          { isGrouped: titledSuite !== null, titleStart: similarTest?.subject, indent: '', fileText: text },
        )
      : createTestBlock(guardedFunction, expressionOf, testStyle, text);
  if (!lines) return { refused: 'The assertions of its tests have no form for what it does.' };
  const body = lines.join(newline);
  const insertionOffset = group?.end ?? similarTest?.end ?? (suite ? findEndOfSuite(suite, uvuFile) : null);
  const textWithTests =
    insertionOffset !== null
      ? `${text.slice(0, insertionOffset)}${newline}${newline}${body}${text.slice(insertionOffset)}`
      : `${text}${text.endsWith('\n') ? '' : newline}${newline}${body}${newline}`;
  const imports = reachedExports.flatMap(({ access }) => access.insertion ?? []);
  // The imports are inserted from the end to the start, so that the offsets stay valid. Those at one offset keep their
  // order.
  const after = imports
    .toSorted((a, b) => a.offset - b.offset)
    .reduceRight(
      (before, { offset, text: insertion }) => `${before.slice(0, offset)}${insertion}${before.slice(offset)}`,
      textWithTests,
    );
  return {
    edit: { path, before: text, after },
    added: [...imports.map(({ statement }) => statement), ...(imports.length > 0 ? [''] : []), body, ''].join(newline),
    isReached: isReached,
  };
}

/**
 * The function under the name by which the tests import it, if that says more than the name of its file:
 * `interpolateHue` for the default export of `hue.js`. `expression`: how the tests refer to it.
 */
function nameAsInTests(guardedFunction: GuardedFunction, expression: string): GuardedFunction {
  const { name, exportedAs, qualifiedName } = guardedFunction;
  const saysMore = /^[\w$]+$/.test(expression) && expression.toLowerCase().includes(name.toLowerCase());
  if (exportedAs !== 'default' || !saysMore) return guardedFunction;
  return { ...guardedFunction, name: expression, qualifiedName: qualifiedName === name ? expression : qualifiedName };
}

/**
 * Writes the tests as a new file next to the example. `importsRunner`: the import statements of the tested code; null for
 * imports by relative path.
 */
function createTestFile(
  guardedFunction: GuardedFunction,
  { path: example, testStyle: voiceOfExample }: TestFile,
  imports: readonly string[] | null,
  tree: SourceTree,
  root: string,
): GuardingTest | { readonly refused: string } {
  const testStyle = { ...voiceOfExample, spy: chooseSpy(voiceOfExample, guardedFunction.cases) };
  const { style } = testStyle;
  const suffix = findTestSuffix(posix.basename(example));
  const stem = chooseStem(guardedFunction.path, example);
  const folder = posix.dirname(example);
  const path = posix.join(folder, `${stem}${(suffix ?? posix.extname(example)).replace(/x$/, '')}`);
  // On many machines, names that differ only in case denote the same file.
  const existingFile = tree
    .list(folder === '.' ? root : `${root}/${folder}`)
    .find(({ name }) => name.toLowerCase() === posix.basename(path).toLowerCase());
  if (existingFile)
    return { refused: `${posix.join(folder, existingFile.name)} is there already, and does not test it.` };
  if (!isTestFile(path)) return { refused: `${path} would not be recognised as a test.` };
  const exampleFile = parseSource(example, tree.read(`${root}/${example}`) ?? '');
  const importedModules = (exampleFile?.statements ?? []).flatMap((statement) =>
    ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)
      ? [statement.moduleSpecifier.text]
      : [],
  );
  if (testStyle.framework === 'uvu' && testStyle.call.split('.').at(-1) !== 'test')
    return { refused: 'The tests here belong to suites, and none of them is about it.' };
  const lines = createTestBlock(guardedFunction, ({ name }) => name, testStyle, '');
  if (!lines) return { refused: 'The assertions of the tests here have no form for what it does.' };
  if (testStyle.framework === 'uvu' && exampleFile && declaresSuite(testStyle.call, exampleFile))
    return { refused: 'The tests here belong to suites, and none of them is about it.' };
  const semicolon = style.semicolons ? ';' : '';
  const addQuotes = (text: string) => quoteText(text, style.quote);
  const importLines =
    imports ??
    createImportsByPath(
      listExportsOfCases(guardedFunction),
      testStyle.isCommonJs,
      (from) => addQuotes(createSpecifierTo(path, from, importedModules)),
      style,
      semicolon,
    );
  const head = [
    ...createHead(testStyle, exampleFile, addQuotes, semicolon),
    ...(hasBlankBeforeRelativeImports(exampleFile) ? [''] : []),
    ...importLines,
  ];
  const tail = testStyle.framework === 'uvu' ? ['', `${testStyle.call}.run()${semicolon}`] : [];
  const text = [...head, '', ...lines, ...tail, ''].join(style.newline);
  return { edit: { path, before: null, after: text }, added: text, isReached: false };
}

/** Import statements for these exports, one for each module. `specifierOf`: the quoted specifier of a module. */
function createImportsByPath(
  wantedExports: readonly WantedFunction[],
  isCommonJs: boolean,
  specifierOf: (path: string) => string,
  style: Style,
  semicolon: string,
): readonly string[] {
  return [...new Set(wantedExports.map(({ path }) => path))].map((from) => {
    const exportsOfModule = wantedExports.filter(({ path }) => path === from);
    const defaults = exportsOfModule.filter(({ exportedAs }) => exportedAs === 'default').map(({ name }) => name);
    const namedExports = exportsOfModule
      .filter(({ exportedAs }) => exportedAs !== 'default')
      .map(({ name, exportedAs }) => (exportedAs === name ? name : `${exportedAs}${isCommonJs ? ': ' : ' as '}${name}`))
      .toSorted();
    const binding = [
      ...defaults,
      ...(namedExports.length > 0 ? [wrapInBraces(namedExports.join(', '), style)] : []),
    ].join(', ');
    return isCommonJs
      ? `const ${binding} = require(${specifierOf(from)})${semicolon}`
      : `import ${binding} from ${specifierOf(from)}${semicolon}`;
  });
}

/** True if a blank line separates imports of packages from relative imports, as linters that sort imports demand. */
function hasBlankBeforeRelativeImports(example: ts.SourceFile | null): boolean {
  const imports = (example?.statements ?? []).flatMap((statement) =>
    ts.isImportDeclaration(statement) ? [statement] : [],
  );
  const isRelative = ({ moduleSpecifier: from }: ts.ImportDeclaration) =>
    ts.isStringLiteral(from) && from.text[0] === '.';
  return imports.some((importNode, index) => {
    const next = imports[index + 1];
    if (next === undefined || isRelative(importNode) || !isRelative(next)) return false;
    const linesBetween = example!.text.slice(importNode.end, next.getStart(example!)).split('\n');
    return linesBetween.slice(1, -1).some((line) => line.trim() === '');
  });
}

/** Writes the lines that load the runner and the assertions; for many runners, they are copied from the example. */
function createHead(
  testStyle: TestStyle,
  example: ts.SourceFile | null,
  quote: (text: string) => string,
  semicolon: string,
): readonly string[] {
  const hasExpect = testStyle.framework === 'vitest' || testStyle.framework === 'jest';
  if (testStyle.assertion === 'expect' && hasExpect && testStyle.importsRunner && !testStyle.isCommonJs) {
    const spies = testStyle.spy ? [objectOfSpy(testStyle.spy)] : [];
    const names = [...(testStyle.hasGroups ? ['describe'] : []), 'expect', testStyle.call, ...spies].toSorted();
    return [
      `import ${wrapInBraces(names.join(', '), testStyle.style)} ` +
        `from ${quote(testStyle.framework === 'jest' ? '@jest/globals' : testStyle.framework)}${semicolon}`,
    ];
  }
  return (example?.statements ?? [])
    .map((statement) => ({ one: statement, text: statement.getText(example!) }))
    .filter(
      ({ one, text }) =>
        !text.includes('\n') &&
        (loadsTestLibrary(one) ||
          bindsName(one, testStyle.call) ||
          /^["']use strict["']/.test(text) ||
          CHAI_ASSERTIONS_PATTERN.test(text)),
    )
    .map(({ text }) => text);
}

/** True for a `require` that binds this name, such as the `test` of a helper. */
function bindsName(statement: ts.Statement, name: string): boolean {
  return findRequireCallsOfStatement(statement).some(({ names }) => names.some((bound) => bound.name === name));
}

/** True for a statement that imports or requires a test library. */
function loadsTestLibrary(statement: ts.Statement): boolean {
  if (ts.isImportDeclaration(statement))
    return ts.isStringLiteral(statement.moduleSpecifier) && isTestLibrary(statement.moduleSpecifier.text);
  return findRequireCallsOfStatement(statement).some(({ from }) => isTestLibrary(from));
}

/**
 * Writes the lines of a group with all tests, or of the tests without a group. Null if the assertions of the file have
 * no form for a result.
 */
function createTestBlock(
  guardedFunction: GuardedFunction,
  expressionOf: ExpressionOf,
  testStyle: TestStyle,
  fileText: string,
): readonly string[] | null {
  const { style, hasGroups, groupParameters = '()', usesArrows } = testStyle;
  const indent = hasGroups ? style.indent : '';
  const cases = createCaseLines(guardedFunction, expressionOf, testStyle, {
    isGrouped: hasGroups,
    indent,
    fileText: fileText,
  });
  if (!cases || !hasGroups) return cases;
  const end = style.semicolons ? ';' : '';
  const head = usesArrows ? `${groupParameters} => {` : 'function () {';
  return [`describe(${quoteText(guardedFunction.qualifiedName, style.quote)}, ${head}`, ...cases, `})${end}`];
}

/** The white space at the start of the line, directly before `index`. */
function readIndentBefore(text: string, index: number): string {
  return /[ \t]*$/.exec(text.slice(text.lastIndexOf('\n', index - 1) + 1, index))?.[0] ?? '';
}
