// Finds the possible sources of a built file by the usual names of folders.

/** Matches names of folders for build output. */
const BUILT_FOLDER =
  /^(dist|build|lib|out|output|esm|cjs|umd|es|es6|es5|esnext|types|typings|_esm|_cjs|dist-.*|.*-dist|lib-.*)$/i;
/** Matches names of folders within build output that separate kinds of built files, such as module formats. */
const FILE_KINDS = /^(esm|cjs|umd|es|es6|es5|esnext|types|typings|node|browser|_esm|_cjs|commonjs|module)$/i;
/** Matches the mark of a kind of build in the name of a file. */
const BUILD_MARK = /\.(esm|cjs|umd|min|prod|production|development|legacy|browser)(?=\.|$)/g;
/** Folders that usually contain sources, the most likely first; '' is the package itself. */
const SOURCE_FOLDERS = ['src', 'source', 'lib', ''] as const;

/**
 * The paths, without extension, of files from which a build may make the target, the most likely ones first: `src/a`
 * for `dist/esm/a.min.js`. A folder of build output counts as its index file. All paths are relative to the package.
 */
export function findSourcesOfBuilt(target: string): readonly string[] {
  const segments = target
    .replace(/(\.d)?\.[cm]?[jt]sx?$/, '')
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => segment.replace(BUILD_MARK, ''));
  const tails = new Set<string>([segments.join('/')]);
  if (BUILT_FOLDER.test(segments[0] ?? '')) {
    let remaining = segments.length > 1 ? segments.slice(1) : ['index'];
    tails.add(remaining.join('/'));
    // As in dist/esm/a.js and dist/types/src/a.d.ts.
    while (remaining.length > 1 && (FILE_KINDS.test(remaining[0]!) || remaining[0] === 'src')) {
      remaining = remaining.slice(1);
      tails.add(remaining.join('/'));
    }
  }
  return [...tails].flatMap((tail) => SOURCE_FOLDERS.map((folder) => (folder === '' ? tail : `${folder}/${tail}`)));
}
