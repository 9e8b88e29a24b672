// Merges the ignore files of all folders into one list of patterns relative to the root.

import ignore, { type Ignore } from 'ignore';

/**
 * Decides whether paths relative to the root are ignored. Patterns of deeper folders take precedence over those above,
 * as in gitignore(5).
 */
export interface IgnoreRules {
  ignoresFile(path: string): boolean;
  ignoresFolder(path: string): boolean;
  /** Returns these rules together with the rules of an ignore file in `folder`, which is empty for the root. */
  with(folder: string, text: string): IgnoreRules;
}

/** Creates rules with these patterns, which are relative to the root. */
export function createIgnoreRules(patterns: readonly string[], isCaseInsensitive: boolean): IgnoreRules {
  const options = { ignorecase: isCaseInsensitive, allowRelativePaths: true };
  return wrapIgnoreRules(ignore(options).add([...patterns]));

  function wrapIgnoreRules(patterns: Ignore): IgnoreRules {
    return {
      ignoresFile: (path) => patterns.ignores(path),
      ignoresFolder: (path) => patterns.ignores(`${path}/`),
      with: (folder, text) =>
        wrapIgnoreRules(ignore(options).add(patterns).add(makePatternsRelativeToRoot(folder, text))),
    };
  }
}

/**
 * The patterns of a folder's ignore file, relative to the root. A pattern with a slash before its end is bound to the
 * folder; any other pattern matches at every depth below it.
 */
function makePatternsRelativeToRoot(folder: string, text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (folder === '') return lines;
  const folderPattern = `/${folder.replace(/[\\*?[\]!# ]/g, '\\$&')}/`;
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const isNegated = line.startsWith('!');
      const pattern = isNegated ? line.slice(1) : line;
      const isBound = /\/./.test(pattern);
      return `${isNegated ? '!' : ''}${folderPattern}${isBound ? '' : '**/'}${pattern.replace(/^\//, '')}`;
    });
}
