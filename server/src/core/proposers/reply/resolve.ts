// Applies the edits of a reply to the files. Refuses edits that overlap, or whose place is not clear.

import type { FileEdit } from '../../model.ts';
import { normalisePath } from './pathLine.ts';
import {
  normaliseLineEnds,
  findQuotation,
  EXACTNESS_LEVELS,
  type QuotationPlace,
  type Exactness,
} from './findQuotation.ts';
import type { ReplyRefusal, ReplyEdit } from './reply.ts';
import { findFrequentLineEnd } from '../../../util/values/lineEnds.ts';

/** The end of the refusal of a whole file if the question did not show the existing file. */
const NOT_SHOWN = 'exists already and was not shown; add to it with "append", or name a new file.';
/** The end of the refusal of a whole file if the question showed another text of the file. */
const NOT_THE_SHOWN_TEXT =
  'is given as a whole, but was shown only in part or has changed since it was shown; answer with the places that change.';

/** The edits as whole texts of files. */
export interface ResolvedEdits {
  readonly edits: readonly FileEdit[];
  /** The least exact level at which a place was found; null if no place had to be found. */
  readonly rung: Exactness | null;
}

/**
 * What the question showed of a file: nothing, its current text, or another text. The text differs if only a part was
 * shown, or if the file has changed since then.
 */
export type ShownState = 'nothing' | 'current' | 'other';

/**
 * Applies the edits to the files. `textOf`: returns the current text of a file; null if it does not exist. `shownOf`:
 * returns what the question showed of a file with this text. A file is replaced as a whole only if its current text was
 * shown, because other text of it would be lost unseen.
 */
export function resolveEdits(
  edits: readonly ReplyEdit[],
  textOf: (path: string) => string | null,
  shownOf: (path: string, text: string) => ShownState,
): ResolvedEdits | ReplyRefusal {
  const editsByFile = new Map<string, ReplyEdit[]>();
  for (const edit of edits) {
    const path = normalisePath(edit.file);
    const editsOfFile = editsByFile.get(path);
    if (editsOfFile) editsOfFile.push(edit);
    else editsByFile.set(path, [edit]);
  }
  const resolvedEdits: FileEdit[] = [];
  const places: QuotationPlace[] = [];
  for (const [path, editsOfFile] of editsByFile) {
    if (!staysInRepository(path)) return { refused: `${path} is not a path within the repository.` };
    const before = textOf(path);
    if (before !== null && editsOfFile.some((edit) => edit.kind === 'file' && edit.content !== null)) {
      const shownState = shownOf(path, before);
      if (shownState !== 'current')
        return { refused: `${path} ${shownState === 'nothing' ? NOT_SHOWN : NOT_THE_SHOWN_TEXT}` };
    }
    const outcome = applyReplyEdits(path, before, editsOfFile);
    if ('refused' in outcome) return outcome;
    if (outcome.after === before) return { refused: `The edits of ${path} change nothing.` };
    places.push(...outcome.places);
    resolvedEdits.push({ path, before, after: outcome.after });
  }
  return { edits: resolvedEdits, rung: findLeastExact(places) };
}

/** The new text of a file (null: deleted) and the changed places, or the reason why its edits cannot be applied. */
type Outcome = { readonly after: string | null; readonly places: readonly QuotationPlace[] } | ReplyRefusal;

/**
 * Applies the edits of one file, and returns its text and the changed places. Refuses edits that overlap or find no
 * place, and a whole file together with other edits.
 */
function applyReplyEdits(path: string, before: string | null, edits: readonly ReplyEdit[]): Outcome {
  const fileEdit = edits.find((edit) => edit.kind === 'file');
  if (fileEdit) {
    if (edits.length > 1) return { refused: `${path} is given as a whole, so there can be no other edit of it.` };
    return resolveWholeFile(path, before, fileEdit.content);
  }
  if (before === null) return { refused: `${path} does not exist or cannot be read.` };
  const places: QuotationPlace[] = [];
  for (const edit of edits) {
    if (edit.kind === 'file') continue;
    const place = edit.kind === 'append' ? createPlaceAtEnd(before, edit.text) : findQuotation(before, edit);
    if ('refused' in place) return { refused: `${path}: ${place.refused}` };
    places.push(place);
  }
  places.sort((a, b) => a.start - b.start);
  if (places.some((place, index) => index > 0 && places[index - 1]!.end > place.start))
    return { refused: `Two edits of ${path} overlap.` };
  const after = places.reduceRight(
    (text, { start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
    before,
  );
  return { after, places };
}

/** Replaces a whole file, creates it, or deletes it. Refuses a text that leaves out a part of the file. */
function resolveWholeFile(path: string, before: string | null, content: string | null): Outcome {
  if (content === null) return before === null ? { refused: `${path} does not exist.` } : { after: null, places: [] };
  if (before === null) return { after: content, places: [] };
  if (isAbridged(content) && !isAbridged(before))
    return { refused: `${path} is given as a whole, but the reply leaves out a part of its text.` };
  const lineEnd = findFrequentLineEnd(before);
  const byteOrderMark = before.startsWith('\uFEFF') && !content.startsWith('\uFEFF') ? '\uFEFF' : '';
  return { after: byteOrderMark + normaliseLineEnds(content).replaceAll('\n', lineEnd), places: [] };
}

/** True if a comment replaces omitted code: `// ... rest of the file`. */
function isAbridged(content: string): boolean {
  return content.split('\n').some((line) => {
    const lowerCaseLine = line.trim().toLowerCase();
    const isComment = /^(?:\/\/|#|\/\*|<!--|--|\{\/\*)/.test(lowerCaseLine);
    return (
      isComment &&
      /(?:\.\.\.|\u2026)/.test(lowerCaseLine) &&
      /exist|rest|remain|unchanged|same|previous|other|omit|more/.test(lowerCaseLine)
    );
  });
}

/** The place at the end of the text, with the appended text on lines of its own. */
function createPlaceAtEnd(before: string, text: string): QuotationPlace {
  const lineEnd = findFrequentLineEnd(before);
  const gap = before === '' || before.endsWith('\n') ? '' : lineEnd;
  const addedText = normaliseLineEnds(text).replaceAll('\n', lineEnd);
  return {
    start: before.length,
    end: before.length,
    replacement: gap + (addedText.endsWith('\n') ? addedText : addedText + lineEnd),
    exactness: 'exact',
  };
}

/** True for a relative path without `..` and outside the folder `.git`. */
function staysInRepository(path: string): boolean {
  if (path === '' || path.startsWith('/') || /^[a-z]:/i.test(path) || path.includes('\0')) return false;
  return path.split('/').every((part) => part !== '..' && part !== '' && part !== '.' && part.toLowerCase() !== '.git');
}

/** The least exact level of these places; null if there are none. */
function findLeastExact(places: readonly QuotationPlace[]): Exactness | null {
  return EXACTNESS_LEVELS.findLast((exactness) => places.some((place) => place.exactness === exactness)) ?? null;
}
