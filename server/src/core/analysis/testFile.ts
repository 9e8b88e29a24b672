// Tells test code (benchmarks too) from product code by its path. It is measured apart and spared the rules about
// shape.

const TEST_FOLDERS =
  /(^|\/)(__tests__|_tests?|__mocks__|e2e|(__)?bench(marks?)?(__)?|(__)?perf(ormance)?[-_]?test(s|ing)?(__)?|cypress|fixtures|__fixtures__|testdata|test-utils)\//i;
/**
 * These may also be what a product is about (`src/report/tests/`), so deep inside sources the file's own name decides.
 */
const TESTS_OR_ABOUT_TESTS =
  /^(?!(.*\/)?(src|lib|app|server|client)\/.+\/([\w.]+[-_])?(tests?|specs?)\/)(.*\/)?([\w.]+[-_])?(tests?|specs?)\//i;
const TEST_NAMES = [
  /[._-](test|tests|spec|specs|e2e|cy|bench)(-d)?\.[cm]?[jt]sx?$/i,
  /(^|\/)test_[^/]*\.py$/,
  /(^|\/)([^/]*_test|conftest)\.py$/,
  /_test\.go$/,
  /(^|\/)[^/]*(Test|Tests|IT)\.java$/,
  /(^|\/)[^/]*_(test|tests|unittest)\.(c|cc|cpp|cxx|h|hpp|rs)$/,
];

const DATA_FOLDERS =
  /(^|\/)(__fixtures__|fixtures?|testdata|__snapshots__|__testfixtures__|test-d|test-tsd|tsd|dtslint|type-?tests?|playgrounds?)\/|(^|\/)(tests?|__tests__)\/(.+\/)?(types?|typings|ts)\/|(^|\/)codemods?\/.*\/examples?\//i;

/** True for files that tests read, or that check types or tools by being written: what is odd in them is meant. */
export function isTestData(path: string): boolean {
  return DATA_FOLDERS.test(path) || /[._-](test|spec|tsd|test-d)-d\.[cm]?tsx?$|\.test-d\.[cm]?tsx?$/.test(path);
}

/** What tests call, wherever it stands: `utils/testing/api.ts`, `src/testHelpers.ts`, `lib/user.mock.ts`. */
const SUPPORT =
  /(^|\/)(testing|fakes?|test-?(utils?|helpers?|support|kit))(\/|\.[cm]?[jt]sx?$)|(^|\/)fake-[^/]+\.[cm]?[jt]sx?$|\.(mock|fake)s?\.[cm]?[jt]sx?$|(^|\/)tests?\.[cm]?[jt]sx?$/i;

/** True for helpers of tests among the sources: a set that is offered, of which one test or another uses a part. */
export function isTestSupport(path: string): boolean {
  return SUPPORT.test(path);
}

/** True for tests, their fixtures and their helpers, judged by the path alone (relative, with `/`). */
export function isTestFile(path: string): boolean {
  return TEST_FOLDERS.test(path) || TESTS_OR_ABOUT_TESTS.test(path) || TEST_NAMES.some((name) => name.test(path));
}
