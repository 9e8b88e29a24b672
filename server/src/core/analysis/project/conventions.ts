// Files that tools load by their name or place: what they export is used, though no file imports it.

/** Configuration of tools that is code, and what their runs begin with. */
const CONFIGURATION = [
  /(^|\/)[^/]+\.(config|conf|setup|workspace|preset)\.[cm]?[jt]sx?$/i,
  /(^|\/)\.?[^/]*rc\.[cm]?[jt]s$/i,
  /(^|\/)(gulpfile|gruntfile|jakefile|karma\.conf|webpack\.[^/]*|rollup\.[^/]*|vite\.[^/]*|metro\.config|plopfile|knexfile|ormconfig|dangerfile)\.[cm]?[jt]s$/i,
  /(^|\/)(vitest|jest|playwright|cypress|karma|mocha|wdio|test)[.-](setup|config|global|teardown)[^/]*\.[cm]?[jt]sx?$/i,
  /(^|\/)(global-?setup|global-?teardown|setup-?(files|tests?|env|vitest|jest)|test-?setup)(-?after-?env)?\.[cm]?[jt]sx?$/i,
  /(^|\/)\.(storybook|vitepress|vuepress|docusaurus|github|husky|changeset|dumi)\//,
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

/** Templates, examples and scripts are copied or run, not imported, and alike on purpose. */
const EXAMPLES = /(^|\/)(templates?|template-[^/]+|examples?|example-[^/]+|playgrounds?|demos?|samples?|sandbox|docs?|website|scripts?|tools?|codemods?|benchmarks?|bench|perf|e2e|smoke-tests?|integration-tests?)\//i;

/** True for code that shows how, rather than being the product. */
export function isExample(path: string): boolean {
  return EXAMPLES.test(path);
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
