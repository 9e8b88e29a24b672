// Files that tools load by their name or place: what they export is used, though no file imports it.

import { isTestData } from '../testFile.ts';

/** Configuration of tools that is code, and what their runs begin with. */
const CONFIGURATION = [
  /(^|\/)[^/]+\.(config|conf|setup|workspace|preset)\.[cm]?[jt]sx?$/i,
  /(^|\/)\.?[^/]*rc\.[cm]?[jt]s$/i,
  /(^|\/)(gulpfile|gruntfile|jakefile|karma\.conf|webpack\.[^/]*|rollup\.[^/]*|vite\.[^/]*|metro\.config|plopfile|knexfile|ormconfig|dangerfile|typedoc|knip|lint-?staged|commitlint|release)\.[cm]?[jt]s$/i,
  /(^|\/)(vitest|jest|playwright|cypress|karma|mocha|wdio|test)[.-](setup|config|global|teardown)[^/]*\.[cm]?[jt]sx?$/i,
  /(^|\/)(global-?setup|global-?teardown|setup-?(files|tests?|env|vitest|jest)|test-?setup)(-?after-?env)?\.[cm]?[jt]sx?$/i,
  // `.storybook/`, `.github/`, `.ng-dev/`: a folder that a tool looks into.
  /(^|\/)\.[^/.][^/]*\//,
];

const NAMES = [
  // Stories, documentation in code, migrations, generators of code.
  /\.(stories|story|docs|fixture|mdx)\.[cm]?[jt]sx?$/i,
  /(^|\/)(migrations?|seeds?|seeders)\/[^/]+\.[cm]?[jt]s$/i,
  // Routes and special files of Next.js, Remix, SvelteKit, Nuxt, Astro, Gatsby, SolidStart, Expo, TanStack Start.
  /(^|\/)(pages|routes|app)\/(.*\/)?[^/]+\.[cm]?[jt]sx?$/,
  /^((apps|packages|sites|services)\/[^/]+\/)?(src\/|app\/)?(middleware|instrumentation(-client)?|proxy|entry[.-](client|server|ssr)|root|service-?worker|sw|hooks\.(client|server)|gatsby-(node|browser|ssr|config)|mdx-components)\.[cm]?[jt]sx?$/,
  /(^|\/)\+(page|layout|server|error)(\.server)?\.[cm]?[jt]s$/,
  /(^|\/)server\/(api|routes|middleware|plugins|tasks)\//,
  /(^|\/)(netlify\/functions|lambdas?|edge-functions)\/[^/]+\.[cm]?[jt]s$/,
];

const ALONE =
  /(^|\/)(bin|cli|commands?|scripts?|tools?|build|codegen|examples?)\/|(^|\/)(cli|bin|build|setup|install)\.[cm]?[jt]sx?$|\.config\.[cm]?[jt]s$|(^|\/)\.[^/]+\.[cm]?js$/i;

/** Templates, examples and scripts are copied or run, not imported, and alike on purpose. */
const EXAMPLES =
  /(^|\/)(templates?|template-[^/]+|examples?|example-[^/]+|playgrounds?|demos?|samples?|[^/]+[-_](examples?|playgrounds?|demos?|samples?)|sandbox|docs?|website|scripts?|tools?|codemods?|benchmarks?|bench|perf|e2e|smoke-tests?|integration-tests?)\//i;

/** True for code that shows how, rather than being the product. */
export function isExample(path: string): boolean {
  return EXAMPLES.test(path);
}

/**
 * What a reader is shown: how it is done, in the fewest words. In the sources of a product it is a feature about
 * examples.
 */
const SHOWN =
  /^(?!(.*\/)?(src|lib|app|server|client)\/(.+\/)?(examples?|example-[^/]+|demos?|samples?|starters?|templates|[^/]+[-_](examples?|playgrounds?|demos?|samples?))\/)(.*\/)?(examples?|example-[^/]+|demos?|samples?|starters?|templates|[^/]+[-_](examples?|playgrounds?|demos?|samples?))\//i;
/** Steps of a database that have run: changing one changes nothing, and what they share stays as it was that day. */
const FROZEN = /(^|\/)(migrations?([-_]\w+)?|upgrades?|alterations?)\/(.*\/)?(v|version)?[-_]?\d[^/]*(\/.*)?$/i;

/**
 * What others gave to a project and keep there themselves. Deeper in the tree it is a part of the product that is
 * called so.
 */
const GIVEN = /^contrib\//i;

/** True for what nobody tidies up: examples, what others contributed, and migrations with a number or a date. */
export function isLeftAlone(path: string): boolean {
  return SHOWN.test(path) || GIVEN.test(path) || FROZEN.test(path);
}

/**
 * True for what is alike by nature: the same texts and numbers in one language after the other, and what tests read.
 */
export function isParallelData(path: string): boolean {
  return /(^|\/)(locales?|i18n|l10n|translations?)\//i.test(path) || isTestData(path) || FROZEN.test(path);
}

/** True for programs that serve nobody while they work: what they cost is not worth a second look. */
export function isRunAlone(path: string): boolean {
  return ALONE.test(path) || isConfiguration(path);
}

/** True for configuration: alike from package to package, and nobody's to share. */
export function isConfiguration(path: string): boolean {
  return CONFIGURATION.some((name) => name.test(path));
}

/** True for files that need no importer. */
export function isLoadedByConvention(path: string): boolean {
  return isExample(path) || isConfiguration(path) || NAMES.some((name) => name.test(path));
}

/** Declarations describe code that is elsewhere. */
export function isDeclarationPath(path: string): boolean {
  return /\.d\.([cm]?ts|[^/]+\.ts)$/.test(path);
}
