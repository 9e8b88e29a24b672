// Writes tests that record the current behaviour of a function. They are added to the test file that covers it, in the
// style of that file, or written to a new file next to the other tests.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { wrapInBraces, type Style } from '../fileStyle.ts';
import type { FileEdit } from '../../model.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { isTestLibrary } from '../../paths/runnerImports.ts';
import { isTestFile, testSuffix } from '../../paths/tests.ts';
import { parseSource } from '../syntax/parse.ts';
import { findAccess, type Access, type TestFileProgram, type WantedFunction } from './functionAccess.ts';
import { groupTitles, quoteText, type ExpressionOf } from './caseText.ts';
import { findCases, type GuardedFunction } from './caseLines.ts';
import { isNamesake, rateNearness } from './testNearness.ts';
import { addAccess } from './newImport.ts';
import { objectOfSpy, chooseSpy } from './recorders.ts';
import { findRequireCallsOfStatement } from './requireCalls.ts';
import { chooseStem, createSpecifierTo } from './testPlace.ts';
import { detectTestVoice, type TestStyle } from './testStyle.ts';
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
const OF_CHAI = /^(?:const|let|var) (?:expect|assert) = chai\./;
/** Maximum number of test files that are read, and of those that are parsed: the ones nearest to the function. */
const [MAX_READ, MAX_FILES] = [200, 12];

/**
 * Writes a test that records the current behaviour of the function: in one of `tests` that is about the function,
 * otherwise in a new file. `tests`: paths of test files that reach the function, best first. `runner`: the runner of
 * the test command, if known. Refuses with a sentence if no test can serve as an example, or if the test cannot be
 * written in its style.
 */
export function writeGuardingTest(
  guarded: GuardedFunction,
  { tests, runner }: { readonly tests: readonly string[]; readonly runner: string | null },
  tree: SourceTree,
  openFile: (tree: SourceTree, file: string, text: string) => TestFileProgram,
): GuardingTest | { readonly refused: string } {
  const root = tree.rootDir.replaceAll('\\', '/');
  const names = listExportsOfCases(guarded).map(({ name }) => name);
  if (new Set(names).size < names.length) return { refused: 'Two exports that its steps need have the same name.' };
  const readTests = tests.slice(0, MAX_READ).flatMap((path) => {
    const text = tree.read(`${root}/${path}`);
    return text === undefined ? [] : [{ path, text, near: rateNearness({ path, text }, guarded) }];
  });
  const nearest = readTests.toSorted((a, b) => b.near - a.near).slice(0, MAX_FILES);
  const testFiles = nearest.flatMap(({ path, text }): TestFile[] => {
    const file = parseSource(path, text);
    const voice = file && detectTestVoice(file, runner);
    return voice ? [{ path, text, voice }] : [];
  });
  const [example] = testFiles;
  let importsOfExample: readonly string[] | null = null;
  for (const testFile of testFiles) {
    const { path, text } = testFile;
    const openedFile = openFile(tree, `${root}/${path}`, text);
    const neededExports = listExportsOfCases(guarded);
    // A test file that is named after the file of the function may get a further import.
    const mayAddImport = isNamesake(path, guarded.path);
    const ownAccesses = neededExports.map((neededExport) => findAccess(neededExport, path, openedFile, tree));
    const accesses = ownAccesses.map(
      (access, index) => access ?? (mayAddImport ? addAccess(neededExports[index]!, path, openedFile) : null),
    );
    const reached = accesses.flatMap((access, index) => (access ? [{ wanted: neededExports[index]!, access }] : []));
    if (reached.length === neededExports.length && reached.some(({ access }) => isAbout(path, guarded.path, access)))
      return appendTests(guarded, testFile, reached, !ownAccesses.includes(null));
    if (testFile === example && reached.length === neededExports.length) importsOfExample = listImportsByName(reached);
  }
  if (!example)
    return {
      refused:
        'No test that reaches it shows how tests are written here (Vitest, Jest, Mocha, AVA, tape, tap, uvu or node:test).',
    };
  return createTestFile(guarded, example, importsOfExample, tree, root);
}

/**
 * The imports that the test file would get, if each of them names a package or an alias and imports one name. Otherwise
 * null: a new file then imports by relative paths.
 */
function listImportsByName(reached: readonly { readonly access: Access }[]): readonly string[] | null {
  const statements = reached.flatMap(({ access }) => access.insertion?.statement ?? []);
  const froms = statements.map((statement) => /['"]([^'"]*)['"]\)?;?$/.exec(statement)?.[1] ?? '.');
  const isByName = statements.length === reached.length && froms.every((from) => !from.startsWith('.'));
  return isByName && new Set(froms).size === froms.length ? statements : null;
}

/** The exports that the cases use, each once. */
function listExportsOfCases({ path, name, exportedAs, cases }: GuardedFunction): readonly WantedFunction[] {
  const needed = cases.flatMap(({ steps = [] }) => steps.flatMap(({ imported }) => (imported ? [imported] : [])));
  if (needed.length === 0) return [{ path, name, exportedAs }];
  return [...new Map(needed.map((wantedExport) => [exportKey(wantedExport), wantedExport])).values()];
}

function exportKey({ path, exportedAs }: WantedFunction): string {
  return `${path}\0${exportedAs}`;
}

/**
 * True for a test file that already uses the function or is named after its file, and for all if its file is an index.
 */
function isAbout(test: string, path: string, access: Access): boolean {
  return access.insertion === null || isNamesake(test, path) || /(?:^|\/)index\.\w+$/.test(path);
}

/** A test file with the style of its tests. */
interface TestFile {
  readonly path: string;
  readonly text: string;
  readonly voice: TestStyle;
}

/** Adds the tests to a file: to the group of the function, after the last test whose title names it, or at the end. */
function appendTests(
  guarded: GuardedFunction,
  { path, text, voice }: TestFile,
  reached: readonly { readonly wanted: WantedFunction; readonly access: Access }[],
  isReached: boolean,
): GuardingTest | { readonly refused: string } {
  const expressionOf: ExpressionOf = (exported) =>
    reached.find(({ wanted }) => exportKey(wanted) === exportKey(exported))?.access.expression ?? exported.name;
  const { newline } = voice.style;
  const file = parseSource(path, text);
  const ofUvu = voice.framework === 'uvu' && !voice.groups ? file : null;
  const titled = ofUvu && findSuite(groupTitles(guarded.about), ofUvu);
  const suite = ofUvu && (titled ?? voice.call);
  const group = file && !ofUvu ? findGroup(guarded, file, expressionOf(guarded)) : null;
  const call = suite || voice.call;
  const alike = file && !group && !titled ? findLastTitledTest(findSubjectOfCases(guarded), call, file) : null;
  const lines = group
    ? findCases(guarded, expressionOf, voice, {
        isGrouped: true,
        indent: blanksBefore(text, group.at) + voice.style.indent,
        before: text,
      })
    : suite || alike
      ? findCases(
          guarded,
          expressionOf,
          { ...voice, call },
          { isGrouped: titled !== null, subject: alike?.subject, indent: '', before: text },
        )
      : findBlock(guarded, expressionOf, voice, text);
  if (!lines) return { refused: 'The assertions of its tests have no form for what it does.' };
  const body = lines.join(newline);
  const end = group?.end ?? alike?.end ?? (suite ? findEndOfSuite(suite, ofUvu) : null);
  const withTests =
    end !== null
      ? `${text.slice(0, end)}${newline}${newline}${body}${text.slice(end)}`
      : `${text}${text.endsWith('\n') ? '' : newline}${newline}${body}${newline}`;
  const imports = reached.flatMap(({ access }) => access.insertion ?? []);
  // The imports are inserted from the end to the start, so that the offsets stay valid. Those at one offset keep their
  // order.
  const after = imports
    .toSorted((a, b) => a.at - b.at)
    .reduceRight(
      (before, { at, text: insertion }) => `${before.slice(0, at)}${insertion}${before.slice(at)}`,
      withTests,
    );
  return {
    edit: { path, before: text, after },
    added: [...imports.map(({ statement }) => statement), ...(imports.length > 0 ? [''] : []), body, ''].join(newline),
    isReached,
  };
}

/**
 * Writes the tests as a new file next to the example. `imports`: the import statements of the tested code; null for
 * imports by relative path.
 */
function createTestFile(
  guarded: GuardedFunction,
  { path: example, voice: voiceOfExample }: TestFile,
  imports: readonly string[] | null,
  tree: SourceTree,
  root: string,
): GuardingTest | { readonly refused: string } {
  const voice = { ...voiceOfExample, spy: chooseSpy(voiceOfExample, guarded.cases) };
  const { style } = voice;
  const suffix = testSuffix(posix.basename(example));
  const stem = chooseStem(guarded.path, example);
  const folder = posix.dirname(example);
  const path = posix.join(folder, `${stem}${(suffix ?? posix.extname(example)).replace(/x$/, '')}`);
  // On many machines, names that differ only in case denote the same file.
  const there = tree
    .list(folder === '.' ? root : `${root}/${folder}`)
    .find(({ name }) => name.toLowerCase() === posix.basename(path).toLowerCase());
  if (there) return { refused: `${posix.join(folder, there.name)} is there already, and does not test it.` };
  if (!isTestFile(path)) return { refused: `${path} would not be recognised as a test.` };
  const exampleFile = parseSource(example, tree.read(`${root}/${example}`) ?? '');
  const importedModules = (exampleFile?.statements ?? []).flatMap((statement) =>
    ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)
      ? [statement.moduleSpecifier.text]
      : [],
  );
  if (voice.framework === 'uvu' && voice.call.split('.').at(-1) !== 'test')
    return { refused: 'The tests here belong to suites, and none of them is about it.' };
  const lines = findBlock(guarded, ({ name }) => name, voice, '');
  if (!lines) return { refused: 'The assertions of the tests here have no form for what it does.' };
  if (voice.framework === 'uvu' && exampleFile && declaresSuite(voice.call, exampleFile))
    return { refused: 'The tests here belong to suites, and none of them is about it.' };
  const end = style.semicolons ? ';' : '';
  const quote = (text: string) => quoteText(text, style.quote);
  const importLines =
    imports ??
    createOwnImports(
      listExportsOfCases(guarded),
      voice.isCommonJs,
      (from) => quote(createSpecifierTo(path, from, importedModules)),
      style,
      end,
    );
  const head = [
    ...createHead(voice, exampleFile, quote, end),
    ...(separatesOwn(exampleFile) ? [''] : []),
    ...importLines,
  ];
  const tail = voice.framework === 'uvu' ? ['', `${voice.call}.run()${end}`] : [];
  const text = [...head, '', ...lines, ...tail, ''].join(style.newline);
  return { edit: { path, before: null, after: text }, added: text, isReached: false };
}

/** Import statements for these exports, one for each module. `specifierOf`: the quoted specifier of a module. */
function createOwnImports(
  wanted: readonly WantedFunction[],
  isCommonJs: boolean,
  specifierOf: (path: string) => string,
  style: Style,
  end: string,
): readonly string[] {
  return [...new Set(wanted.map(({ path }) => path))].map((from) => {
    const exportsOfModule = wanted.filter(({ path }) => path === from);
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
      ? `const ${binding} = require(${specifierOf(from)})${end}`
      : `import ${binding} from ${specifierOf(from)}${end}`;
  });
}

/** True if a blank line separates imports of packages from relative imports, as linters that sort imports demand. */
function separatesOwn(example: ts.SourceFile | null): boolean {
  const imports = (example?.statements ?? []).flatMap((statement) =>
    ts.isImportDeclaration(statement) ? [statement] : [],
  );
  const isRelative = ({ moduleSpecifier: from }: ts.ImportDeclaration) =>
    ts.isStringLiteral(from) && from.text[0] === '.';
  return imports.some((importNode, index) => {
    const next = imports[index + 1];
    if (next === undefined || isRelative(importNode) || !isRelative(next)) return false;
    const between = example!.text.slice(importNode.end, next.getStart(example!)).split('\n');
    return between.slice(1, -1).some((line) => line.trim() === '');
  });
}

/** Writes the lines that load the runner and the assertions; for many runners, they are copied from the example. */
function createHead(
  voice: TestStyle,
  example: ts.SourceFile | null,
  quote: (text: string) => string,
  end: string,
): readonly string[] {
  const hasExpect = voice.framework === 'vitest' || voice.framework === 'jest';
  if (voice.assertion === 'expect' && hasExpect && voice.imports && !voice.isCommonJs) {
    const spies = voice.spy ? [objectOfSpy(voice.spy)] : [];
    const names = [...(voice.groups ? ['describe'] : []), 'expect', voice.call, ...spies].toSorted();
    return [
      `import ${wrapInBraces(names.join(', '), voice.style)} ` +
        `from ${quote(voice.framework === 'jest' ? '@jest/globals' : voice.framework)}${end}`,
    ];
  }
  return (example?.statements ?? [])
    .map((statement) => ({ one: statement, text: statement.getText(example!) }))
    .filter(
      ({ one, text }) =>
        !text.includes('\n') &&
        (loadsTestLibrary(one) || bindsName(one, voice.call) || /^["']use strict["']/.test(text) || OF_CHAI.test(text)),
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

/** Writes the lines of a group with all tests, or of the tests without a group; null as in `findCases`. */
function findBlock(
  guarded: GuardedFunction,
  expressionOf: ExpressionOf,
  voice: TestStyle,
  before: string,
): readonly string[] | null {
  const { style, groups, groupParameters = '()', arrows } = voice;
  const indent = groups ? style.indent : '';
  const cases = findCases(guarded, expressionOf, voice, { isGrouped: groups, indent, before });
  if (!cases || !groups) return cases;
  const end = style.semicolons ? ';' : '';
  const head = arrows ? `${groupParameters} => {` : 'function () {';
  return [`describe(${quoteText(guarded.about, style.quote)}, ${head}`, ...cases, `})${end}`];
}

/** The white space at the start of the line, directly before `index`. */
function blanksBefore(text: string, index: number): string {
  return /[ \t]*$/.exec(text.slice(text.lastIndexOf('\n', index - 1) + 1, index))?.[0] ?? '';
}
