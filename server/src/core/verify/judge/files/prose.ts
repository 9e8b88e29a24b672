// Distinguishes texts for people from data with the same extensions: a template or a table of cases may be Markdown.

import type { TreeChange } from '../../../model/judgement.ts';
import { isAboutFolder, isInDocs, isProse, liesInSources } from '../../../paths/nonSourcePaths.ts';
import { isSnapshot, isTestData, isTestFile } from '../../../paths/tests.ts';

/** Matches pictures, recordings and printed documents. */
const PICTURE_PATTERN = /\.(?:png|jpe?g|gif|webp|avif|ico|pdf|mp4|webm)$/i;

type ChangedTexts = Pick<TreeChange, 'edits' | 'bytes' | 'left' | 'named'>;

/** True if the file is a text for people or a picture by its name, in any folder. */
export function isProseOrPicture(path: string): boolean {
  return isProse(path) || PICTURE_PATTERN.test(path);
}

/** True if the file lies among tests or sources, which may read it. */
function liesNextToReaders(path: string): boolean {
  if (isTestFile(path) || isTestData(path) || isSnapshot(path)) return true;
  return liesInSources(path) && !isAboutFolder(path);
}

/**
 * The changed texts and pictures that programs or tests may read, because of their place or because code mentions them.
 */
export function listReadTexts(change: ChangedTexts): readonly string[] {
  const mentionedPaths = new Set(change.named);
  return listChangedPaths(change).filter(
    (path) => isProseOrPicture(path) && (mentionedPaths.has(path) || liesNextToReaders(path)),
  );
}

/** True if the change edits only texts for people and pictures that no program and no test reads. */
export function changesOnlyProse(change: ChangedTexts): boolean {
  return listChangedPaths(change).every(isProseOrPicture) && listReadTexts(change).length === 0;
}

/** True if the change edits only texts and pictures, including those that are data. */
export function changesOnlyTexts(change: ChangedTexts): boolean {
  return listChangedPaths(change).every(isProseOrPicture);
}

/** True for a text or picture that is for people by its place, such as a `README.md`, even if code mentions it. */
export function isForPeople(path: string): boolean {
  return isProseOrPicture(path) && !liesNextToReaders(path) && (isAboutFolder(path) || isInDocs(path));
}

function listChangedPaths({ edits, bytes, left }: ChangedTexts): readonly string[] {
  return [...new Set([...edits, ...bytes, ...left].map(({ path }) => path))];
}

/** The notes for a person about texts that programs or tests may read, as sentences. */
export function createReadTextNotes(change: ChangedTexts): readonly string[] {
  const paths = listReadTexts(change);
  if (paths.length === 0) return [];
  const pathList = `${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`;
  return [`Programs or tests may read ${pathList}, so ${paths.length === 1 ? 'it counts' : 'they count'} as data.`];
}
