// Distinguishes test code (including benchmarks) from product code by its path, with the table of its language. Tests
// are measured separately, and rules about the shape of code do not apply to them.

import { posix } from 'node:path';
import { endingOf, matcher } from './table/rows.ts';
import * as table from './table/tests.ts';

const hasTestName = matcher(table.TEST_NAMES);
const hasDataPath = matcher(table.TEST_DATA);
const hasSnapshotPath = matcher(table.SNAPSHOTS);
const hasBenchmarkPath = matcher(table.BENCHMARKS);
/** Matches a test in the root whose name is only `test` or `tests`. */
const ROOT_TEST = /^tests?\.([cm]?[jt]sx?)$/;
const SCRIPT_EXTENSIONS = new Set(table.SCRIPTS.split(' '));

/** True for files that tests read, or whose content checks types or tools. Unusual code in them is intended. */
export function isTestData(path: string): boolean {
  return hasDataPath(path);
}

/** True for recorded results with which tests compare. */
export function isSnapshot(path: string): boolean {
  return hasSnapshotPath(path);
}

/**
 * True for test helpers among the sources. They may seem unused, because different tests use different parts of them.
 */
export function isTestSupport(path: string): boolean {
  return table.TEST_SUPPORT.some((pattern) => pattern.test(path));
}

/** True for files in folders of benchmarks, and for files with a name of benchmarks. */
export function isBenchmarkCode(path: string): boolean {
  return hasBenchmarkPath(path);
}

/** True for mocks, fixtures and other data of tests, judged by their folder. */
export function isMocked(path: string): boolean {
  return table.MOCKED.test(path);
}

/** True for cases, stubs and other data among the tests. */
export function isTestCase(path: string): boolean {
  return table.TEST_CASES.test(path);
}

/** True for tests and their helpers, but neither for benchmarks nor for data of tests. */
export function isTest(path: string): boolean {
  return table.TEST_FOLDERS.some((folder) => folder.test(path)) || isInTests(path) || hasTestName(path);
}

/** True for tests, benchmarks, their fixtures and their helpers, judged only by the path (relative, with `/`). */
export function isTestFile(path: string): boolean {
  return isTest(path) || isMocked(path) || isBenchmarkCode(path);
}

/** True for a script with a name that test runners search for. */
export function isTestScript(path: string): boolean {
  return SCRIPT_EXTENSIONS.has(endingOf(path)) && hasTestName(path);
}

/** True for a file with a name that test runners search for, in any language. */
export function isNamedTest(path: string): boolean {
  return hasTestName(path);
}

/** True for a test that only the type checker reads: `cart.test-d.ts`. */
export function isTypeTest(path: string): boolean {
  return /\.(?:test|spec)-d\.[cm]?tsx?$/.test(path);
}

/**
 * True for a script in the root that is called `test` or `tests`, such as `test.js`. `isTestFile` is false for it,
 * because the frozen ruler depends on that function.
 */
export function isRootTest(path: string): boolean {
  return ROOT_TEST.test(path);
}

/**
 * The path under which the cases and assertions of a file are counted. For a script of `isRootTest`, it is the path of
 * a test; any other path is unchanged.
 */
export function toCountedPath(path: string): string {
  return path.replace(ROOT_TEST, 'index.test.$1');
}

/** True for tests of a complete system, which have a runner of their own. */
export function isSystemTest(path: string): boolean {
  return table.SYSTEM_TESTS.test(path);
}

/** True for the name of a folder in which tests of scripts usually are. */
export function isTestFolder(name: string): boolean {
  return /^(__tests__|tests?|specs?)$/.test(name);
}

/** The part of a name that marks it as a test: `.test.ts` in `cart.test.ts`; null if there is none. */
export function findTestSuffix(name: string): string | null {
  return /^.+?([._-](?:test|spec)\.[cm]?[jt]sx?)$/.exec(name)?.[1] ?? null;
}

/** The possible paths of the test of a script: beside it, or with its name in a folder of tests. */
export function listTestPaths(path: string): readonly string[] {
  const { dir, name, ext } = posix.parse(path);
  const mirroredFolders = ['test', 'tests'].map((folder) => dir.replace(/^(src|lib)(?=\/|$)/, folder));
  const testFolders = ['__tests__', 'test', 'tests'].map((folder) => `${dir}/${folder}`);
  const folders = [dir, ...testFolders, 'test', 'tests', '__tests__', ...mirroredFolders, 'test/unit'];
  const names = ['.test', '.spec', ''].flatMap((mark) =>
    [...new Set([ext, '.ts', '.js', '.mjs'])].map((end) => `${name}${mark}${end}`),
  );
  return [...new Set(folders.flatMap((folder) => names.map((name) => posix.join(folder, name))))];
}

/** True for a path in a folder of tests, unless it is a text or data about tests among the sources. */
function isInTests(path: string): boolean {
  return table.NAMED_TESTS.test(path) && !(table.ABOUT_TESTS.has(endingOf(path)) && table.BELOW_SOURCES.test(path));
}
