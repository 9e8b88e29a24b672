// Tells test code (benchmarks too) from product code by its path. It is measured apart and spared the rules about shape.

const TEST_FOLDERS = /(^|\/)(__tests__|__mocks__|e2e|(__)?bench(marks?)?(__)?|cypress|fixtures|__fixtures__|testdata|test-utils)\//i;
/** These may also be what a product is about (`src/report/tests/`), so deep inside sources the file's own name decides. */
const TESTS_OR_ABOUT_TESTS = /^(?!(.*\/)?(src|lib|app|server|client)\/.+\/(tests?|specs?)\/)(.*\/)?(tests?|specs?)\//i;
const TEST_NAMES = [
  /[._-](test|tests|spec|specs|e2e|cy|bench)(-d)?\.[cm]?[jt]sx?$/i,
  /(^|\/)test_[^/]*\.py$/,
  /(^|\/)([^/]*_test|conftest)\.py$/,
  /_test\.go$/,
  /(^|\/)[^/]*(Test|Tests|IT)\.java$/,
  /(^|\/)[^/]*_(test|tests|unittest)\.(c|cc|cpp|cxx|h|hpp|rs)$/,
];

/** True for files that tests read or that check types by being written: what is odd in them is meant. */
export function isTestData(path: string): boolean {
  return /[._-](test|spec|test-d|tsd)-d\.[cm]?tsx?$|\.test-d\.[cm]?tsx?$|(^|\/)(test-d|test-tsd|tsd|dtslint|type-?tests?|fixtures?|testdata|__snapshots__|__testfixtures__)\//i.test(path);
}

/** True for tests, their fixtures and their helpers, judged by the path alone (relative, with `/`). */
export function isTestFile(path: string): boolean {
  return TEST_FOLDERS.test(path) || TESTS_OR_ABOUT_TESTS.test(path) || TEST_NAMES.some((name) => name.test(path));
}
