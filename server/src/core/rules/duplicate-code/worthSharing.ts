// Decides whether sharing duplicate code is worth the coupling between its files.

import { ANONYMOUS_NAME, type FunctionKind } from '../../analysis/functionUnit.ts';
import {
  areCounterparts,
  areVersions,
  getPathBelow,
  removeModuleFormat,
} from '../../analysis/duplicates/counterparts.ts';
import type { ProjectFile } from '../../analysis/project/projectView.ts';
import { MIN_LINES, type Instance } from './instance.ts';

/**
 * Minimum number of lines of equal code in only two files. Shorter code is not reported, because sharing it would take
 * a new module (docs/noise.md). A third copy makes that worthwhile.
 */
const MIN_LINES_OF_TWO_FILES = 30;

/** Minimum number of lines for counterparts, because shared code couples them. */
const MIN_LINES_OF_COUNTERPARTS = 2 * MIN_LINES;

/**
 * Minimum number of lines for different packages, because sharing between them takes a dependency, and often a new
 * package.
 */
const MIN_LINES_OF_PACKAGES = 3 * MIN_LINES;

/** Kinds of functions whose names are not specific. */
const MEMBER_KINDS: ReadonlySet<string> = new Set<FunctionKind>([
  'method',
  'getter',
  'setter',
  'constructor',
  'staticBlock',
  'fieldInitialiser',
  'topLevel',
]);

/**
 * True if at least one copy is worth sharing. A copy is not worth sharing if it is made on purpose (in another version
 * of an API, another module format, a package that mirrors this one), or if it is too short for its place (in a
 * counterpart, in another package).
 */
export function isWorthSharing(
  [first, ...others]: readonly Instance[],
  packageOf: (path: string) => { readonly dir: string } | null,
  areRelatedFiles: (a: string, b: string) => boolean,
): boolean {
  const packageFolder = packageOf(first!.path)?.dir ?? null;
  if (
    others.filter(({ path }) => path !== first!.path && areRelatedFiles(path, first!.path)).length * 2 >
    others.length
  )
    return false;
  return others.some(({ path, codeLines }) => {
    if (path === first!.path) return true;
    if (
      removeModuleFormat(path) === removeModuleFormat(first!.path) ||
      areVersions(path, first!.path) ||
      areRelatedFiles(path, first!.path)
    )
      return false;
    const otherPackageFolder = packageOf(path)?.dir ?? null;
    if (
      otherPackageFolder !== packageFolder &&
      packageFolder !== null &&
      otherPackageFolder !== null &&
      getPathBelow(path, otherPackageFolder) === getPathBelow(first!.path, packageFolder)
    )
      return false;
    if (otherPackageFolder !== packageFolder) return codeLines >= MIN_LINES_OF_PACKAGES;
    return codeLines >= MIN_LINES_OF_COUNTERPARTS || !areCounterparts(path, first!.path);
  });
}

/**
 * True for equal code of few lines in only two files, unless most of these lines are one copied function with the same
 * name in both.
 */
export function isSmallPair(places: readonly Instance[], fileByPath: ReadonlyMap<string, ProjectFile>): boolean {
  const [first, second] = places as readonly [Instance, Instance];
  if (places.length > 2 || first.path === second.path || first.codeLines >= MIN_LINES_OF_TWO_FILES) return false;
  const copiedNames = new Set(listCopiedFunctions(first, fileByPath));
  return !listCopiedFunctions(second, fileByPath).some((name) => copiedNames.has(name));
}

/**
 * Names of the functions that are in the place and make up at least half of its lines, without the kinds in
 * `MEMBER_KINDS`.
 */
function listCopiedFunctions(
  { path, startLine, endLine }: Instance,
  fileByPath: ReadonlyMap<string, ProjectFile>,
): readonly string[] {
  const functionsInPlace = (fileByPath.get(path)?.functions ?? []).filter(
    ({ line, endLine: lastLine }) =>
      line >= startLine && lastLine <= endLine && 2 * (lastLine - line + 1) >= endLine - startLine + 1,
  );
  return functionsInPlace
    .filter(({ name, kind }) => name !== ANONYMOUS_NAME && !MEMBER_KINDS.has(kind))
    .map(({ name }) => name);
}
