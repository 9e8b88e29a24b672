// Tells test code (benchmarks too) from product code by its path. It is measured apart and spared the rules about shape.

const TEST_FOLDERS = /(^|\/)(tests?|__tests__|__mocks__|specs?|e2e|(__)?bench(marks?)?(__)?|cypress|fixtures|__fixtures__|testdata|test-utils)\//i;
const TEST_NAMES = [
  /[._-](test|tests|spec|specs|e2e|cy|bench)(-d)?\.[cm]?[jt]sx?$/i,
  /(^|\/)test_[^/]*\.py$/,
  /(^|\/)([^/]*_test|conftest)\.py$/,
  /_test\.go$/,
  /(^|\/)[^/]*(Test|Tests|IT)\.java$/,
  /(^|\/)[^/]*_(test|tests|unittest)\.(c|cc|cpp|cxx|h|hpp|rs)$/,
];

/** True for tests, their fixtures and their helpers, judged by the path alone (relative, with `/`). */
export function isTestFile(path: string): boolean {
  return TEST_FOLDERS.test(path) || TEST_NAMES.some((name) => name.test(path));
}
