// Recognises files that tools load by name or folder: their exports are used although no file imports them.

import { isDocumentation, isExample, isDemonstration } from '../../paths/nonSourcePaths.ts';
import { isConfiguration } from '../../paths/tools.ts';
import { isBenchmarkCode, isSystemTest, isTestData } from '../../paths/tests.ts';

/** Patterns for the paths of files that a tool or framework starts because of their name or folder. */
const STARTED_FILE_PATTERNS = [
  // Stories, documentation in code, migrations, code generators.
  /\.(stories|story|docs|fixture|mdx)\.[cm]?[jt]sx?$/i,
  /(^|\/)(migrations?|seeds?|seeders)\/[^/]+\.[cm]?[jt]s$/i,
  // Routes and special files of Next.js, Remix, SvelteKit, Nuxt, Astro, Gatsby, SolidStart, Expo, TanStack Start.
  /(^|\/)(pages|routes|app)\/(.*\/)?[^/]+\.[cm]?[jt]sx?$/,
  /^((apps|packages|sites|services)\/[^/]+\/)?(src\/|app\/)?(middleware|instrumentation(-client)?|proxy|entry[.-](client|server|ssr)|root|service-?worker|sw|hooks\.(client|server)|gatsby-(node|browser|ssr|config)|mdx-components)\.[cm]?[jt]sx?$/,
  /(^|\/)\+(page|layout|server|error)(\.server)?\.[cm]?[jt]s$/,
  /(^|\/)server\/(api|routes|middleware|plugins|tasks)\//,
  /(^|\/)(netlify\/functions|lambdas?|edge-functions)\/[^/]+\.[cm]?[jt]s$/,
];

/** Matches paths of programs that developers run, and of their configuration. */
const DEVELOPER_TOOL_PATTERN =
  /(^|\/)(bin|cli|commands?|scripts?|tools?|build|codegen)\/|(^|\/)(cli|bin|build|setup|install)\.[cm]?[jt]sx?$|\.config\.[cm]?[jt]s$|(^|\/)\.[^/]+\.[cm]?js$/i;

/** Matches paths of scripts and pages, which are run or read instead of imported, and which are similar on purpose. */
const SCRIPT_OR_PAGE_PATTERN = /(^|\/)(sandbox|website|scripts?|tools?|codemods?|perf)\//i;

/** True for files outside of the product: examples, documentation, benchmarks, system tests, scripts, websites. */
export function isOutsideProduct(path: string): boolean {
  return (
    isExample(path) ||
    isDocumentation(path) ||
    isBenchmarkCode(path) ||
    isSystemTest(path) ||
    SCRIPT_OR_PAGE_PATTERN.test(path)
  );
}

/**
 * Matches paths of database migrations with a number or a date. They have probably run: editing one has no effect, and
 * the code that they share must not change.
 */
const FROZEN_PATTERN =
  /(^|[/_-])(migrations?([-_]\w+)?|upgrades?|alterations?)\/(.*\/)?(v|version)?[-_]?\d[^/]*(\/.*)?$/i;

/**
 * Matches paths of code that others contributed and maintain themselves. Deeper in the tree, a folder of this name is
 * part of the product.
 */
const CONTRIBUTED_PATTERN = /^contrib\//i;

/** Matches paths of code at the top level with experiments of developers, who leave it as it is. */
const PLAYGROUND_PATTERN = /^(dev|playgrounds?|scratch)\//i;

/** True for code that is left as it is: examples, playgrounds, contributed code, numbered or dated migrations. */
export function isLeftAlone(path: string): boolean {
  return (
    isDemonstration(path) ||
    PLAYGROUND_PATTERN.test(path) ||
    CONTRIBUTED_PATTERN.test(path) ||
    FROZEN_PATTERN.test(path)
  );
}

/** True for files that are similar by nature: translations, data that tests read, numbered or dated migrations. */
export function isParallelData(path: string): boolean {
  return /(^|\/)(locales?|i18n|l10n|translations?)\//i.test(path) || isTestData(path) || FROZEN_PATTERN.test(path);
}

/** True for tools of developers, examples and configuration: no user waits for them, so their speed does not matter. */
export function isDeveloperTool(path: string): boolean {
  return DEVELOPER_TOOL_PATTERN.test(path) || isExample(path) || isConfiguration(path);
}

/**
 * True for files whose exports count as used without an importer: files outside of the product, configuration, and
 * files that a framework starts.
 */
export function isLoadedByConvention(path: string): boolean {
  return isOutsideProduct(path) || isConfiguration(path) || isStartedByFolder(path);
}

/** True for routes, migrations and similar files, which a framework starts because of their folder. */
export function isStartedByFolder(path: string): boolean {
  return STARTED_FILE_PATTERNS.some((name) => name.test(path));
}

/** True for a declaration file: it describes code that is elsewhere. */
export function isDeclarationPath(path: string): boolean {
  return /\.d\.([cm]?ts|[^/]+\.ts)$/.test(path);
}
