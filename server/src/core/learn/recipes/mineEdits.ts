// Extracts small edits of expressions from two versions of a file, as templates from which recipes are induced.

import type { ts } from 'ts-morph';
import type { RecipeExample } from '../../model/learnedRecipes.ts';
import { createOriginLookup } from '../../syntax/nameOrigins.ts';
import { findDifferences } from './differences.ts';
import { createTemplate, type Template } from './template.ts';

/** Two versions of a file, and the commit that changed it. */
export interface FileVersions extends Pick<RecipeExample, 'commit' | 'subject' | 'path'> {
  readonly before: string;
  readonly after: string;
}

/** A small edit as a template, with the place that it comes from. `line`: 1-based, in the new version. */
export interface MinedEdit extends Template, Pick<RecipeExample, 'commit' | 'subject' | 'path' | 'line'> {}

/** Parses a text; null for a file that is not a script or does not parse. */
type Parse = (path: string, text: string) => ts.SourceFile | null;

/** Maximum number of edits in one file. With more, the file was rewritten. */
const MAX_EDITS = 100;

/**
 * The edits in a file; empty if it was rewritten, or if `parse` returns null for one of the versions, as it does for a
 * file that is not a script or does not parse.
 */
export function mineEdits({ commit, subject, path, before, after }: FileVersions, parse: Parse): readonly MinedEdit[] {
  const [oldFile, newFile] = [parse(path, before), parse(path, after)];
  if (!oldFile || !newFile) return [];
  const differences = findDifferences(oldFile, newFile);
  if (differences.length > MAX_EDITS) return [];
  const origins = { before: createOriginLookup(path, oldFile), after: createOriginLookup(path, newFile) };
  return differences.flatMap((difference) => {
    const template = createTemplate(difference, origins);
    if (!template) return [];
    const { line } = newFile.getLineAndCharacterOfPosition(difference.after.getStart(newFile));
    return [{ ...template, commit, subject, path, line: line + 1 }];
  });
}

/** Number of cached trees: those of both versions of a file, and the next older version. */
const CACHED_TREE_COUNT = 3;

/**
 * Returns `parse` with a cache of the last trees. If two consecutive commits change a file, the older version of the
 * newer commit is the newer version of the older commit, so it is parsed only once.
 */
export function cacheTrees(parse: Parse): Parse {
  let cachedTrees: readonly { readonly path: string; readonly text: string; readonly tree: ts.SourceFile | null }[] =
    [];
  return (path, text) => {
    const cachedEntry = cachedTrees.find((entry) => entry.path === path && entry.text === text);
    const entry = cachedEntry ?? { path, text, tree: parse(path, text) };
    cachedTrees = [entry, ...cachedTrees.filter((other) => other !== entry)].slice(0, CACHED_TREE_COUNT);
    return entry.tree;
  };
}
