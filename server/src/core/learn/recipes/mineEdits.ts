// Reads small edits out of two versions of a file.

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

/** Number of trees that are remembered: those of both versions of a file, and the next older one. */
const REMEMBERED = 3;

/**
 * Remembers the last trees: of two commits that change a file one after the other, the older version in one is the newer
 * version in the other.
 */
export function rememberTrees(parse: Parse): Parse {
  let remembered: readonly { readonly path: string; readonly text: string; readonly tree: ts.SourceFile | null }[] = [];
  return (path, text) => {
    const rememberedEntry = remembered.find((entry) => entry.path === path && entry.text === text);
    const entry = rememberedEntry ?? { path, text, tree: parse(path, text) };
    remembered = [entry, ...remembered.filter((other) => other !== entry)].slice(0, REMEMBERED);
    return entry.tree;
  };
}
