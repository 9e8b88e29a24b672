// Tables of names and places of tests, by language. A new path of a row is also added to
// `test/fixtures/paths/kinds.json`.

import type { Row } from './rows.ts';

/** Extensions of scripts, separated by blanks. */
export const SCRIPTS = 'ts tsx mts cts js jsx mjs cjs';
const NATIVE = 'c cc cpp cxx c++ h hh hpp hxx ipp m mm cu';
const DOTNET = 'cs csx fs fsx vb razor';
const JVM = 'java kt kts scala sc groovy';

/**
 * Languages in which a folder `tests` may be a feature of the product (`src/report/tests/`): there the file name
 * decides. In other languages it is always a folder of tests.
 */
export const ABOUT_TESTS = new Set(`${SCRIPTS} vue svelte rb ex exs erl lua sh bash json yaml yml`.split(' '));

/** Folders of tests beside or above the sources. */
export const TEST_FOLDERS: readonly RegExp[] = [
  /(^|\/)(__tests__|_tests?|e2e|cypress|test-utils|testsuite|testthat)\//i,
  /(^|\/)(__)?perf(ormance)?[-_]?test(s|ing)?(__)?\//i,
  // Source sets of Gradle, sbt and Maven, Kotlin's for several platforms among them.
  /(^|\/)src\/(\w+Test|tests?|testFixtures|it|jmh)\//,
  // Projects of .NET (`MyApp.Tests/`, `MyApp.UnitTests/`) and targets of Xcode and SwiftPM (`MyAppUITests/`).
  /(^|\/)[\w-]+(\.[\w-]+)*\.\w*(Tests?|Specs?)\//,
  /(^|\/)[A-Z]\w*[a-z\dI](UI)?Tests\/([^/]+\/)*[^/]+\.(swift|mm?|cs|fs|vb|plist|xctestplan)$/,
];

/** Folders that may also be a feature of the product. */
export const NAMED_TESTS = /(^|\/)([\w.]+[-_])?(tests?|specs?)\//i;
export const BELOW_SOURCES = /(^|\/)(src|lib|app|server|client)\/.+\/([\w.]+[-_])?(tests?|specs?)\//i;

/** Names of tests, by language. */
export const TEST_NAMES: readonly Row[] = [
  { language: 'any', endings: 'feature robot bats t phpt', patterns: [/./] },
  {
    language: 'TypeScript, JavaScript',
    endings: SCRIPTS,
    patterns: [/[._-](test|tests|spec|specs|e2e|cy)(-d)?\.[^./]+$/i],
  },
  {
    language: 'Python',
    endings: 'py pyi',
    patterns: [/(^|\/)(test_[^/]*|[^/]*_test|conftest|tests)\.pyi?$/, /^test\.py$/],
  },
  { language: 'Go', endings: 'go', patterns: [/_test\.go$/] },
  { language: 'Rust', endings: 'rs', patterns: [/(^|\/)([^/]*_)?tests?\.rs$/, /_unittest\.rs$/] },
  {
    language: 'Java, Kotlin, Scala, Groovy',
    endings: JVM,
    patterns: [/(Tests?|TestCase|IT|ITCase)\.\w+$/, /(^|\/)Test[A-Z]\w*\.\w+$/, /(Spec|Suite)\.(scala|groovy)$/],
  },
  { language: 'C#, F#, Visual Basic', endings: DOTNET, patterns: [/(Tests?|TestCases?|TestFixture|TestBase)\.\w+$/] },
  {
    language: 'C, C++, Objective-C',
    endings: NATIVE,
    patterns: [
      /_(test|tests|unittest|unittests)\.[^./]+$/,
      /(^|\/)test_[^/]*$/,
      /[a-z\d]Tests?\.[^./]+$/,
      /[.-]tests?\.[^./]+$/,
    ],
  },
  { language: 'PHP', endings: 'php', patterns: [/(Test|TestCase|Cest|Cept)\.php$/, /[._-]test\.php$/] },
  {
    language: 'Ruby, Crystal',
    endings: 'rb cr',
    patterns: [/_(spec|test)\.\w+$/, /(^|\/)(test_[^/]*|(spec|test|rails)_helper)\.rb$/],
  },
  { language: 'Swift', endings: 'swift', patterns: [/(Tests?|Specs?|TestCase)\.swift$/] },
  { language: 'Dart', endings: 'dart', patterns: [/_test\.dart$/, /(^|\/)test_driver\//] },
  { language: 'Elixir', endings: 'ex exs', patterns: [/_test\.exs?$/, /(^|\/)test_helper\.exs$/] },
  { language: 'Erlang', endings: 'erl', patterns: [/_(SUITE|tests?)\.erl$/] },
  { language: 'Haskell', endings: 'hs lhs', patterns: [/(Spec|Tests?)\.l?hs$/] },
  { language: 'OCaml', endings: 'ml mli', patterns: [/(^|\/)tests?_[^/]*$/, /_tests?\.mli?$/] },
  { language: 'Lua', endings: 'lua luau', patterns: [/[._-](spec|test)\.luau?$/] },
  // A file that ends with `.bash` is a library: a test runner may have a `test_functions.bash`.
  {
    language: 'Shell',
    endings: 'sh bash zsh',
    patterns: [/(^|\/)test[_-][^/]*\.z?sh$/, /[._-](test|tests|spec)\.\w+$/],
  },
  { language: 'PowerShell', endings: 'ps1', patterns: [/\.Tests\.ps1$/i] },
  { language: 'Perl', endings: 'pl pm', patterns: [/(^|\/)x?t\//] },
  { language: 'R', endings: 'r', patterns: [/(^|\/)test[-_.][^/]*$/i] },
  { language: 'Julia', endings: 'jl', patterns: [/(^|\/)(run)?tests?\.jl$/, /_tests?\.jl$/] },
  { language: 'Clojure', endings: 'clj cljs cljc', patterns: [/_test\.clj[cs]?$/] },
  { language: 'Zig, Nim', endings: 'zig nim', patterns: [/(^|\/)([^/]*_)?tests?\.\w+$/] },
  { language: 'Solidity', endings: 'sol', patterns: [/\.t\.sol$/] },
  { language: 'Terraform', endings: 'hcl tf', patterns: [/\.tftest\.hcl$/] },
];

/** Files that tests read, or by which they check types: odd things in them are intended. */
export const TEST_DATA: readonly Row[] = [
  {
    language: 'any',
    endings: null,
    patterns: [
      /(^|\/)(__fixtures__|fixtures?|testdata|__snapshots__|__testfixtures__|test-d|test-tsd|tsd|dtslint|type-?tests?|playgrounds?)\//i,
      /(^|\/)(tests?|__tests__)\/(.+\/)?(types?|typings|ts)\/|(^|\/)codemods?\/.*\/examples?\//i,
      /[._-](test|spec|tsd|test-d)-d\.[cm]?tsx?$|\.test-d\.[cm]?tsx?$/,
    ],
  },
];

/** Recorded results with which tests compare. */
export const SNAPSHOTS: readonly Row[] = [
  {
    language: 'any',
    endings: null,
    patterns: [
      /\.(snap|snapshot|golden)$|\.(approved|verified)\.\w+$/i,
      /(^|\/)(__(image_)?snapshots__|__image_snapshots__|goldens?)\//i,
    ],
  },
];

/** Data of tests that counts as test code, too. */
export const MOCKED = /(^|\/)(__mocks__|fixtures|__fixtures__|testdata)\//i;

/** Folders of tests of a whole system. */
export const SYSTEM_TESTS = /(^|\/)(e2e|smoke-tests?|integration-tests?)\//i;

/** Files that exist only to be measured. */
export const BENCHMARKS: readonly Row[] = [
  { language: 'any', endings: null, patterns: [/(^|\/)(__)?bench(marks?)?(__)?\//i] },
  { language: 'TypeScript, JavaScript', endings: SCRIPTS, patterns: [/[._-]bench\.[^./]+$/i] },
];

/** Test helpers anywhere: `utils/testing/api.ts`, `src/testHelpers.ts`, `lib/user.mock.ts`. */
export const TEST_SUPPORT: readonly RegExp[] = [
  /(^|\/)(testing|fakes?|test-?(utils?|helpers?|support|kit))(\/|\.[cm]?[jt]sx?$)/i,
  /(^|\/)fake-[^/]+\.[cm]?[jt]sx?$|\.(mock|fake)s?\.[cm]?[jt]sx?$|(^|\/)tests?\.[cm]?[jt]sx?$/i,
];

/** Cases and stubs among tests. */
export const TEST_CASES =
  /(^|\/)(tests?|spec|specs|__tests__)\/(.+\/)?(\w*cases|stubs?|inputs?|corpus|samples?|specimens?|data|resources|assets|snapshots?|format)\/(?!.*[._-](test|spec)s?\.\w+$)/i;
