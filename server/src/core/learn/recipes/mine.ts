// Reads small edits out of two versions of a file.

import type { ts } from 'ts-morph';
import type { RecipeExample } from '../../model/learnedRecipes.ts';
import { originsOf } from '../../syntax/origins.ts';
import { differencesOf } from './differences.ts';
import { templateOf, type Template } from './template.ts';

/** Two versions of a file, and where they come from. */
export interface FileVersions extends Pick<RecipeExample, 'commit' | 'subject' | 'path'> {
  readonly before: string;
  readonly after: string;
}

export interface MinedEdit extends Template, Pick<RecipeExample, 'commit' | 'subject' | 'path' | 'line'> {}

/** More edits in one file are a rewriting. */
const MOST_EDITS = 100;

/** `parse`: null for a file that is no script. Files that do not parse have no edits. */
export function mineEdits(
  { commit, subject, path, before, after }: FileVersions,
  parse: (path: string, text: string) => ts.SourceFile | null,
): readonly MinedEdit[] {
  const [old, fresh] = [parse(path, before), parse(path, after)];
  if (!old || !fresh) return [];
  const differences = differencesOf(old, fresh);
  if (differences.length > MOST_EDITS) return [];
  const origins = { before: originsOf(path, old), after: originsOf(path, fresh) };
  return differences.flatMap((difference) => {
    const template = templateOf(difference, origins);
    if (!template) return [];
    const { line } = fresh.getLineAndCharacterOfPosition(difference.after.getStart(fresh));
    return [{ ...template, commit, subject, path, line: line + 1 }];
  });
}
