// Recognises files that tools load by name: configuration that is code, and set-up files of test runs.

import { createAnyOfPattern } from '../../util/anyOfPattern.ts';

/** Patterns that match configuration that is code, and set-up files of tools. */
const CONFIGURATION_PATTERNS = [
  /(^|\/)[^/]+\.(config|conf|setup|workspace|preset)\.[cm]?[jt]sx?$/i,
  /(^|\/)\.?[^/]*rc\.[cm]?[jt]s$/i,
  new RegExp(
    String.raw`(^|/)(${createAnyOfPattern(String.raw`
    gulpfile gruntfile jakefile karma\.conf webpack\.[^/]* rollup\.[^/]* vite\.[^/]* metro\.config plopfile
    knexfile ormconfig dangerfile typedoc knip lint-?staged commitlint release
  `)})\.[cm]?[jt]s$`,
    'i',
  ),
  /(^|\/)(vitest|jest|playwright|cypress|karma|mocha|wdio|test)[.-](setup|config|global|teardown)[^/]*\.[cm]?[jt]sx?$/i,
  /(^|\/)(global-?setup|global-?teardown|setup-?(files|tests?|env|vitest|jest)|test-?setup)(-?after-?env)?\.[cm]?[jt]sx?$/i,
  // `.storybook/`, `.github/`, `.ng-dev/`: a folder that a tool looks into.
  /(^|\/)\.[^/.][^/]*\//,
];

/**
 * Patterns that match files which tools of Python, Go and Rust load by name: tasks, settings of frameworks, start files
 * of interpreters, build programs.
 */
const TASK_PATTERNS = [
  new RegExp(
    String.raw`(^|/)(${createAnyOfPattern(String.raw`
    manage noxfile fabfile tasks dodo wscript sconstruct sconscript setup conftest sitecustomize
    usercustomize wsgi asgi gunicorn[\w.]* celeryconfig __main__
  `)})\.py$`,
    'i',
  ),
  /(^|\/)(magefile|tools|gen|generate|mage)\.go$|(^|\/)magefiles?\//i,
  /(^|\/)(build\.rs|xtask\/)/,
];
/**
 * Patterns for files that tools of further languages load by name, by the ending of the name and by the place: tasks,
 * files that a framework loads at its start, programs of the build.
 */
const PATTERNS_BY_ENDING: readonly (readonly [ending: RegExp, place: RegExp])[] = [
  [/\.(rake|gemspec|podspec|ru|thor|jbuilder|gradle|kts|sbt|sc|mill|csx|cake)$/i, /^/],
  [/\.rb$/i, /(^|\/)(bin|config|db|exe|script)\//],
  [/(helper|initializer)\.rb$/i, /^/],
  [/\.php$/i, /(^|\/)(config|bin|public|bootstrap)\/|(^|\/)\.[^/]/],
  [/(^|\/)(rector|ecs|bootstrap|autoload|deploy|castor|robofile|preload|server|wp-config|index)\.php$/i, /^/],
  [/\.(config|inc|dist)\.php$/i, /^/],
  [/\.(java|kt|scala|groovy)$/, /(^|\/)(buildSrc|build-logic|project)\//],
  [/\.cs$/, /(^|\/)_?build\//],
  [/(Processor\.(java|kt)|(Analyzer|Generator)\.cs)$/, /^/],
];
/** Matches Go files that a build constraint excludes from their package, or that start a tool. */
const EXCLUDED_PATTERN = /^\/\/(?:go:build|[ ]\+build)[ \t](?:ignore|tools|mage|gen\w*)\b/m;

/** True for source files that a tool loads by their name, even if other code imports them as well. */
export function isLoadedByTool(path: string, text: string): boolean {
  return (
    isConfiguration(path) ||
    TASK_PATTERNS.some((name) => name.test(path)) ||
    PATTERNS_BY_ENDING.some(([ending, place]) => ending.test(path) && place.test(path)) ||
    (path.endsWith('.go') && EXCLUDED_PATTERN.test(text))
  );
}

/**
 * True for configuration that is code, and for set-up files of tools. They are similar in all packages, so copies of
 * them are not worth merging.
 */
export function isConfiguration(path: string): boolean {
  return CONFIGURATION_PATTERNS.some((name) => name.test(path));
}
