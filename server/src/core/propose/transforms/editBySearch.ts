// Makes edits by search and replace, or of whole files. Each search text must occur exactly once in its file, and the
// declared files must be exactly the edited ones.

import { posix } from 'node:path';
import type { FileEdit } from '../../model.ts';
import type { AppliedRecipe } from '../applyRecipe.ts';
import { parseSource, listSyntaxErrors } from '../syntax/parse.ts';
import { isPlainRelativePath } from './isInRepository.ts';
import type { SearchReplace, TransformRequest, WholeFile } from './request.ts';
import type { SourceTree } from '../../ports/sources.ts';
import { shortenToFirstLine } from '../../../util/values/lineEnds.ts';

/**
 * Creates the edits of a request. All edits of one file refer to its current text, and must not overlap. Refuses if the
 * description is empty, if a path is outside the repository or not declared, if a file is not valid UTF-8, if a search
 * text does not occur exactly once, if an edit changes nothing, or if a file that parses would no longer parse.
 */
export function editBySearch(
  { description, files, edits }: Extract<TransformRequest, { kind: 'edit' }>,
  tree: SourceTree,
): AppliedRecipe {
  if (description.trim() === '') return { refused: 'An edit must say in its description what it is for.' };
  if (edits.length === 0) return { refused: 'There is nothing to change.' };
  const editedPaths = [...new Set(edits.map(({ file }) => file))];
  const outsidePath = editedPaths.find((file) => !isPlainRelativePath(file));
  if (outsidePath !== undefined) return { refused: `${outsidePath} is not a path within the repository.` };
  const mismatchedPath =
    files && (editedPaths.find((file) => !files.includes(file)) ?? files.find((file) => !editedPaths.includes(file)));
  if (mismatchedPath !== undefined)
    return {
      refused: `${mismatchedPath} is ${editedPaths.includes(mismatchedPath) ? 'edited, but not declared' : 'declared, but not edited'}.`,
    };

  const fileEdits: FileEdit[] = [];
  for (const file of editedPaths) {
    const before = tree.read(posix.join(tree.rootDir.replaceAll('\\', '/'), file)) ?? null;
    if (before?.includes('\uFFFD')) return { refused: `${file} is not valid UTF-8, so its bytes could not be kept.` };
    const outcome = applyEdits(
      file,
      before,
      edits.filter((edit) => edit.file === file),
    );
    if ('refused' in outcome) return outcome;
    const { after } = outcome;
    if (after === before) return { refused: `The edits of ${file} change nothing.` };
    const [parsedAfter, parsedBefore] = [
      after === null ? null : parseSource(file, after),
      parseSource(file, before ?? ''),
    ];
    const [error] =
      parsedAfter && parsedBefore && listSyntaxErrors(parsedBefore).length === 0 ? listSyntaxErrors(parsedAfter) : [];
    if (error) return { refused: `${file} would not parse: ${error}` };
    fileEdits.push({ path: file, before, after });
  }
  return { edits: fileEdits, title: description.trim().split('\n')[0]!, rationale: description.trim() };
}

/**
 * Applies the edits of one file. Returns its new text (null: the file is deleted), or the reason why an edit cannot be
 * applied.
 */
function applyEdits(
  file: string,
  before: string | null,
  edits: readonly (SearchReplace | WholeFile)[],
): { readonly after: string | null } | { readonly refused: string } {
  const wholeFileEdit = edits.find((edit) => 'content' in edit);
  if (wholeFileEdit) {
    if (edits.length > 1) return { refused: `${file} is given as a whole, so there can be no other edit of it.` };
    return before === null && wholeFileEdit.content === null
      ? { refused: `${file} does not exist or cannot be read.` }
      : { after: wholeFileEdit.content };
  }
  if (before === null) return { refused: `${file} does not exist or cannot be read.` };
  const replacements: { start: number; end: number; text: string }[] = [];
  for (const { search, replace } of edits as readonly SearchReplace[]) {
    if (search === '') return { refused: `A search text in ${file} is empty.` };
    if (search === replace) return { refused: `An edit of ${file} changes nothing.` };
    const start = before.indexOf(search);
    if (start < 0) return { refused: `A search text is not in ${file}: ${shortenToFirstLine(search)}` };
    if (before.indexOf(search, start + 1) >= 0)
      return { refused: `A search text is in ${file} more than once: ${shortenToFirstLine(search)}` };
    replacements.push({ start, end: start + search.length, text: replace });
  }
  replacements.sort((a, b) => a.start - b.start);
  if (replacements.some((place, index) => index > 0 && replacements[index - 1]!.end > place.start))
    return { refused: `Two edits of ${file} overlap.` };
  return {
    after: replacements.reduceRight(
      (text, { start, end, text: replacementText }) => text.slice(0, start) + replacementText + text.slice(end),
      before,
    ),
  };
}
