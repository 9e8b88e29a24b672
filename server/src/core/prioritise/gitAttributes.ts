// Finds files that the repository marks as generated or vendored, by `linguist-generated` and `linguist-vendored` in
// .gitattributes.

import ignore from 'ignore';

/** A .gitattributes file. */
export interface AttributesFile {
  /** The folder of the file; '' is the root. */
  readonly folder: string;
  readonly text: string;
}

/** A line of a .gitattributes file. */
interface AttributeLine {
  /** The folder of the file with `/` at the end; '' for the root. */
  readonly folder: string;
  /** True if the pattern of the line matches a path relative to `folder`. */
  readonly matches: (path: string) => boolean;
  /** The value of each attribute; null if it is reset to unspecified. */
  readonly values: ReadonlyMap<string, boolean | null>;
}

/** The relevant attributes. */
const ATTRIBUTES = ['linguist-generated', 'linguist-vendored'];

/**
 * Returns a function that is true for the path of a file that people do not edit. As in gitattributes(5), later lines
 * take precedence, and so do files in deeper folders. Unlike in git, a pattern that matches a folder applies to all
 * files in it, because people mean it that way.
 */
export function createForeignFileTest(files: readonly AttributesFile[]): (path: string) => boolean {
  const lines = [...files].sort((a, b) => depthOf(a.folder) - depthOf(b.folder)).flatMap(collectLines);
  if (lines.length === 0) return () => false;
  const cache = new Map<string, boolean>();
  return (path) => {
    const cachedAnswer = cache.get(path);
    if (cachedAnswer !== undefined) return cachedAnswer;
    const answer = ATTRIBUTES.some((attribute) => isSet(lines, attribute, path));
    cache.set(path, answer);
    return answer;
  };
}

/** The value that the last matching line gives the attribute for this path; false if no line does. */
function isSet(lines: readonly AttributeLine[], attribute: string, path: string): boolean {
  const lastMatch = lines.findLast(
    ({ folder, matches, values }) =>
      values.has(attribute) && path.startsWith(folder) && matches(path.slice(folder.length)),
  );
  return lastMatch?.values.get(attribute) ?? false;
}

/** The lines that have a relevant attribute and a pattern that can match files, in the order of the file. */
function collectLines({ folder, text }: AttributesFile): AttributeLine[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .flatMap((line): AttributeLine[] => {
      const [, quoted, unquoted, words = ''] =
        /^\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"#[][^\s]*|\[(?!attr\])[^\s]*))\s+(.*)$/.exec(line) ?? [];
      const pattern = quoted?.replace(/\\(["\\])/g, '$1') ?? unquoted;
      const values = new Map(words.split(/\s+/).flatMap(readAttribute));
      // A pattern with a slash at the end never matches a file, and negated patterns are not allowed.
      if (pattern === undefined || values.size === 0 || pattern.endsWith('/') || pattern.startsWith('!')) return [];
      const patternMatcher = ignore({ allowRelativePaths: true }).add(pattern);
      return [{ folder: folder === '' ? '' : `${folder}/`, matches: (path) => patternMatcher.ignores(path), values }];
    });
}

/**
 * The name and the value of a relevant attribute in a word of a line. The value is null if the word resets it. Empty
 * for other words.
 */
function readAttribute(word: string): [string, boolean | null][] {
  const [, sign = '', name = '', value] = /^([-!]?)([\w.-]+)(?:=(.*))?$/.exec(word) ?? [];
  if (!ATTRIBUTES.includes(name)) return [];
  return [[name, sign === '!' ? null : sign === '' && value !== 'false']];
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}
