// Files that tools load by name or place: their exports are used, although no file imports them.

import { isDocumentation, isExample, isShown } from '../../paths/others.ts';
import { isConfiguration } from '../../paths/tools.ts';
import { isBenchmarkCode, isSystemTest, isTestData } from '../../paths/tests.ts';

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
  /(^|\/)(bin|cli|commands?|scripts?|tools?|build|codegen)\/|(^|\/)(cli|bin|build|setup|install)\.[cm]?[jt]sx?$|\.config\.[cm]?[jt]s$|(^|\/)\.[^/]+\.[cm]?js$/i;

/** Scripts and pages are run or read, not imported, and alike on purpose. */
const RUN = /(^|\/)(sandbox|website|scripts?|tools?|codemods?|perf)\//i;

/** True for code that shows how, or is run by itself, rather than being the product. */
export function isBeside(path: string): boolean {
  return isExample(path) || isDocumentation(path) || isBenchmarkCode(path) || isSystemTest(path) || RUN.test(path);
}

/** Steps of a database that have run: changing one changes nothing, and what they share stays as it was that day. */
const FROZEN = /(^|\/)(migrations?([-_]\w+)?|upgrades?|alterations?)\/(.*\/)?(v|version)?[-_]?\d[^/]*(\/.*)?$/i;

/**
 * What others gave to a project and keep there themselves. Deeper in the tree it is a part of the product that is
 * called so.
 */
const GIVEN = /^contrib\//i;

/** True for what nobody tidies up: examples, what others contributed, and migrations with a number or a date. */
export function isLeftAlone(path: string): boolean {
  return isShown(path) || GIVEN.test(path) || FROZEN.test(path);
}

/**
 * True for what is alike by nature: the same texts and numbers in one language after the other, and what tests read.
 */
export function isParallelData(path: string): boolean {
  return /(^|\/)(locales?|i18n|l10n|translations?)\//i.test(path) || isTestData(path) || FROZEN.test(path);
}

/** True for programs that serve nobody while they work: what they cost is not worth a second look. */
export function isRunAlone(path: string): boolean {
  return ALONE.test(path) || isExample(path) || isConfiguration(path);
}

/** True for files that need no importer. */
export function isLoadedByConvention(path: string): boolean {
  return isBeside(path) || isConfiguration(path) || isStartedByPlace(path);
}

/** True for routes, migrations and the like: what a framework starts because of the place where it lies. */
export function isStartedByPlace(path: string): boolean {
  return NAMES.some((name) => name.test(path));
}

/** Declarations describe code that is elsewhere. */
export function isDeclarationPath(path: string): boolean {
  return /\.d\.([cm]?ts|[^/]+\.ts)$/.test(path);
}
