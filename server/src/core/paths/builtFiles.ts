// Finds the possible sources of a built file by the usual names of folders.

/** Matches names of folders for build output. */
const BUILT_FOLDER_PATTERN =
  /^(dist|build|lib|out|output|esm|cjs|umd|es|es6|es5|esnext|types|typings|_esm|_cjs|dist-.*|.*-dist|lib-.*)$/i;
/** Matches names of folders within build output that separate kinds of built files, such as module formats. */
const FILE_KIND_PATTERN = /^(esm|cjs|umd|es|es6|es5|esnext|types|typings|node|browser|_esm|_cjs|commonjs|module)$/i;
/** Matches the mark of a kind of build in the name of a file. */
const BUILD_MARK_PATTERN = /\.(esm|cjs|umd|min|prod|production|development|legacy|browser)(?=\.|$)/g;
/** Folders that usually contain sources, the most likely first; '' is the package itself. */
export const SOURCE_FOLDERS = ['src', 'source', 'lib', ''] as const;

/** True for a path, relative to the package, whose first folder is one of build output. */
export function isBuilt(path: string): boolean {
  const [first = '', ...others] = path.replace(/^\.\//, '').split('/');
  return others.length > 0 && BUILT_FOLDER_PATTERN.test(first);
}

/**
 * The paths, without extension, of files from which a build may make the target, the most likely ones first: `src/a`
 * for `dist/esm/a.min.js`. A folder of build output counts as its index file. All paths are relative to the package.
 */
export function findSourcesOfBuilt(target: string): readonly string[] {
  const segments = target
    .replace(/(\.d)?\.[cm]?[jt]sx?$/, '')
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => segment.replace(BUILD_MARK_PATTERN, ''));
  const tails = new Set<string>([segments.join('/')]);
  if (BUILT_FOLDER_PATTERN.test(segments[0] ?? '')) {
    let remainingSegments = segments.length > 1 ? segments.slice(1) : ['index'];
    tails.add(remainingSegments.join('/'));
    // As in dist/esm/a.js and dist/types/src/a.d.ts.
    while (
      remainingSegments.length > 1 &&
      (FILE_KIND_PATTERN.test(remainingSegments[0]!) || remainingSegments[0] === 'src')
    ) {
      remainingSegments = remainingSegments.slice(1);
      tails.add(remainingSegments.join('/'));
    }
  }
  return [...tails].flatMap((tail) => SOURCE_FOLDERS.map((folder) => (folder === '' ? tail : `${folder}/${tail}`)));
}
