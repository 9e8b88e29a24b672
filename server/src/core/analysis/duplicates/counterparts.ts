// Recognises, by their paths, files that are similar on purpose: versions, module formats, mirrored packages, and
// corresponding parts of similar modules.

/**
 * Minimum number of files with the same name in sibling folders for which the folders count as plug-ins or pages,
 * which are written alike but developed independently.
 */
const MIN_SIMILAR_PATHS = 8;

/** Matches file names by which frameworks find pages and routes. Such files are similar. */
const FRAMEWORK_FILES = /^(\+?(route|page|layout|server|loading|error)|\+(page|layout)\.server)\.[jt]sx?$/;

/** Matches the folder of a version of an API or a product, or of its old code. */
const VERSION_FOLDER = /(^|\/)(v\d+|legacy)\//i;

/**
 * The path below `folder` (which contains it), without the module format: `index.ts` for `packages/loader/index.mts`.
 */
export function getPathBelow(path: string, folder: string): string {
  return removeModuleFormat(folder === '' ? path : path.slice(folder.length + 1));
}

/**
 * True for corresponding parts of two similar modules, such as `types/float/view.tsx` and `types/integer/view.tsx`,
 * which are kept separate so that each can change independently. Also true for any two pages or routes of a framework
 * with the same file name.
 */
export function areCounterparts(path: string, otherPath: string): boolean {
  const parts = removeModuleFormat(path).split('/');
  const otherParts = removeModuleFormat(otherPath).split('/');
  if (parts.at(-1) !== otherParts.at(-1)) return false;
  return (
    FRAMEWORK_FILES.test(parts.at(-1)!) ||
    (parts.length === otherParts.length && parts.filter((part, index) => part !== otherParts[index]).length === 1)
  );
}

/**
 * True for two versions of one file: `graphql/v/3.ts` and `graphql/v/4.ts`, `icons-v5.js` and `icons-v6.js`,
 * `src/legacy/parse.ts` and `src/parse.ts`. Also true for any two files in the folders of different versions:
 * `src/v3/parse.ts` and `src/v4/lexer.ts`, or `src/legacy/lexer.ts`.
 */
export function areVersions(path: string, otherPath: string): boolean {
  const [version, otherVersion] = [findVersion(path), findVersion(otherPath)];
  if (version !== null && otherVersion !== null && version !== otherVersion) return true;
  return removeVersion(path) === removeVersion(otherPath);
}

/** The version in a path: `v3` for `src/v3/parse.ts`, `legacy` for `src/legacy/parse.ts`, null for `src/parse.ts`. */
function findVersion(path: string): string | null {
  return VERSION_FOLDER.exec(path)?.[2] ?? null;
}

/** The path without the folder of its version, and with `#` for each number that is a version. */
function removeVersion(path: string): string {
  return path.replace(VERSION_FOLDER, '$1').replace(/(?<=\/v?|^v?|[-_.]v)\d+(\.\d+)*(?=[./])/gi, '#');
}

/** The path without its module format: `index.cts` and `index.mts` are one file for two module loaders. */
export function removeModuleFormat(path: string): string {
  return path.replace(/\.[cm]?([jt]sx?)$/, '.$1');
}

/**
 * Returns a function that is true for two files whose paths differ in at most two folders, if at least `MIN_SIMILAR_PATHS` of
 * `paths` have the same other parts: `apps/one/auth/verify.js`, `apps/two/auth/verify.js` ….
 */
export function createPluginTest(paths: readonly string[]): (path: string, otherPath: string) => boolean {
  const partsByDepthAndName = new Map<string, (readonly string[])[]>();
  for (const knownPath of paths) {
    const parts = knownPath.split('/');
    const key = `${parts.length} ${parts.at(-1)}`;
    const group = partsByDepthAndName.get(key);
    if (group) group.push(parts);
    else partsByDepthAndName.set(key, [parts]);
  }
  return (path, otherPath) => {
    const parts = path.split('/');
    const otherParts = otherPath.split('/');
    if (parts.length !== otherParts.length || parts.at(-1) !== otherParts.at(-1)) return false;
    const samePositions = parts.flatMap((part, index) => (part === otherParts[index] ? [index] : []));
    if (parts.length - samePositions.length > 2) return false;
    return (
      (partsByDepthAndName.get(`${parts.length} ${parts.at(-1)}`) ?? []).filter((candidate) =>
        samePositions.every((index) => candidate[index] === parts[index]),
      ).length >= MIN_SIMILAR_PATHS
    );
  };
}
