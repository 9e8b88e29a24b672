// Files that tools load by their name: configuration that is code, and what runs of tests begin with.

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

/** True for configuration: alike from package to package, and nobody's to share. */
export function isConfiguration(path: string): boolean {
  return CONFIGURATION.some((name) => name.test(path));
}
