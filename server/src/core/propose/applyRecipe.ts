// Runs the recipe of an opportunity on the current text of its file, and checks the result.

import { posix } from 'node:path';
import type { FileEdit, Opportunity } from '../model.ts';
import type { RecipeContext, RecipeOutcome } from './recipe.ts';
import { recipes } from './recipes.ts';
import { rewritesTooMuch } from './rewriting.ts';
import { detectStyle } from './fileStyle.ts';
import { parseManifestTable } from '../model/removedDependency.ts';
import { isFlow, parseJson, parseSource, listSyntaxErrors } from './syntax/parse.ts';
import { createTitle } from './titles.ts';
import type { SourceTree } from '../ports/sources.ts';

/** The edits of a change with their title, or the reason why there is no change. */
export type AppliedRecipe =
  | { readonly edits: readonly FileEdit[]; readonly title: string; readonly rationale: string }
  | { readonly refused: string };

/** The refusal of a change that is too long to read. */
const TOO_LONG =
  'It would rewrite a large part of the file, which nobody reads unless they asked for it. To get it anyway, name this opportunity.';
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Runs the recipe that the opportunity names. It is synchronous and has no side effects: the same input gives the same
 * edits. Every expected failure is a refusal: the construct is gone, the change is unsafe, nothing would change, or the
 * change rewrites too much of a file. `isRequested`: true if a person has requested this opportunity, which allows long
 * changes. An exception means that the recipe has a bug.
 */
export function applyRecipe(
  opportunity: Opportunity,
  tree: SourceTree,
  { asked: isRequested = false } = {},
): AppliedRecipe {
  const recipe = recipes.find(({ id }) => id === opportunity.recipe);
  if (!recipe)
    return {
      refused:
        opportunity.recipe === null
          ? 'No recipe makes a change for this opportunity.'
          : `There is no recipe ${opportunity.recipe}.`,
    };
  const openedFile = openFile(
    opportunity.path,
    tree,
    recipe.editsManifest ? 'json' : recipe.editsPython ? 'python' : 'code',
  );
  if ('refused' in openedFile) return openedFile;
  const outcome = recipe.apply({ ...openedFile, opportunity, isRequested: isRequested });
  if ('refused' in outcome) return outcome;
  const applied = createCheckedEdits(openedFile, { ...outcome, title: createTitle(opportunity, outcome) }, tree);
  return isRequested || 'refused' in applied || !applied.edits.some(isTooLong) ? applied : { refused: TOO_LONG };
}

/** True if the edit rewrites too much of its file. */
function isTooLong({ before, after }: FileEdit): boolean {
  return before !== null && after !== null && rewritesTooMuch(before, after);
}

/**
 * A file that is opened for a change: the parsed file, its text without a byte-order mark (`text`), and its exact text
 * on disk (`before`).
 */
export type OpenedFile = Omit<RecipeContext, 'opportunity' | 'isRequested'> & { readonly before: string };

/**
 * Reads and parses a file as code or as JSON; Python is not parsed. Refuses if it is missing, too large or not valid
 * UTF-8, or if it does not parse. Refuses code that is not a script, is written for Flow, or only contains
 * declarations.
 */
export function openFile(
  path: string,
  tree: SourceTree,
  kind: 'code' | 'json' | 'python' = 'code',
): OpenedFile | { readonly refused: string } {
  const absolutePath = posix.join(tree.rootDir.replaceAll('\\', '/'), path);
  const before = tree.read(absolutePath);
  if (before === undefined) return { refused: 'The file no longer exists, or it is too large.' };
  if (before.includes('\uFFFD')) return { refused: 'The file is not valid UTF-8, so its bytes could not be kept.' };
  const text = before.startsWith(BYTE_ORDER_MARK) ? before.slice(BYTE_ORDER_MARK.length) : before;
  const sourceFile =
    kind === 'json' ? parseJson(path, text) : kind === 'python' ? parseJson(path, '{}') : parseSource(path, text);
  if (!sourceFile) return { refused: 'Recipes work on TypeScript and JavaScript only.' };
  // Flow's types resemble TypeScript's but differ, so the parser would misread them.
  if (isFlow(sourceFile)) return { refused: 'The file is written for Flow.' };
  if (sourceFile.isDeclarationFile) return { refused: 'A declaration file describes code that is elsewhere.' };
  if (kind === 'json' && parseManifestTable(text) === null) return { refused: 'The file does not parse as JSON.' };
  if (listSyntaxErrors(sourceFile).length > 0) return { refused: 'The file does not parse as it is.' };
  return { path, absolutePath, before, text, sourceFile, style: detectStyle(text), tree };
}

/**
 * Creates the edits of an outcome after the checks that apply to every recipe: the bytes of each file can be kept,
 * something changes, and the result parses.
 */
export function createCheckedEdits(
  { path, before, text }: OpenedFile,
  outcome: RecipeOutcome,
  tree: SourceTree,
): AppliedRecipe {
  if ('refused' in outcome) return outcome;
  const byteOrderMark = before.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const edits: FileEdit[] = outcome.text === text ? [] : [{ path, before, after: byteOrderMark + outcome.text }];
  for (const otherFile of outcome.otherFiles ?? []) {
    const edit = createEdit(otherFile, tree);
    if ('refused' in edit) return edit;
    if (edit.before !== edit.after) edits.push(edit);
  }
  if (edits.length === 0) return { refused: 'There is nothing to change.' };
  for (const { path: editedPath, after } of edits) {
    const result =
      after === null ? null : parseSource(editedPath, after.startsWith(BYTE_ORDER_MARK) ? after.slice(1) : after);
    const [error] = result ? listSyntaxErrors(result) : [];
    if (error) return { refused: `The result would not parse: ${error}` };
  }
  return { edits, title: outcome.title, rationale: outcome.rationale };
}

/**
 * Creates the edit of another file; `null` as `text` deletes it. `text` has no byte-order mark; if the file has one,
 * the edit keeps it.
 */
function createEdit(
  { path, text }: { readonly path: string; readonly text: string | null },
  tree: SourceTree,
): FileEdit | { readonly refused: string } {
  const absolutePath = posix.join(tree.rootDir.replaceAll('\\', '/'), path);
  const before = tree.read(absolutePath) ?? null;
  if (before === null && tree.fileExists(absolutePath)) return { refused: `${path} is there, but cannot be read.` };
  if (before?.includes('\uFFFD')) return { refused: `${path} is not valid UTF-8, so its bytes could not be kept.` };
  return { path, before, after: text !== null && before?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text };
}
