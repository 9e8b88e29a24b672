// Finds names in new documentation comments that exist nowhere in the repository.

import type { FileEdit } from '../../model.ts';
import type { DocName } from '../../verify/integrity/docNames.ts';
import type { SessionContext } from '../context.ts';
import { readTextOrNull } from '../search/packing.ts';

/**
 * The names in new comments that occur neither as the name nor in the text of any file of the repository. Names of
 * parameters are compared only with their own function. If no files of the repository are known, the result has no
 * entries of the kind `name`.
 */
export async function findUnknownDocNames(
  context: SessionContext,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<readonly DocName[]> {
  const { ports, state } = context;
  const candidates = await ports.jobs.run('docNames', { edits }, signal);
  const unknownNames = new Set(candidates.flatMap(({ name, kind }) => (kind === 'name' ? [name] : [])));
  const paths = [...new Set([...state.records.keys(), ...state.analyses.keys()])];
  const removeKnownNames = (text: string) => {
    if (![...unknownNames].some((name) => text.includes(name))) return;
    for (const word of text.match(/[\w$]+/g) ?? []) unknownNames.delete(word);
  };
  for (const path of paths) removeKnownNames(path);
  for (const path of paths) {
    if (unknownNames.size === 0) break;
    removeKnownNames((await readTextOrNull(context, path)) ?? '');
  }
  return candidates.filter(({ name, kind }) => kind === 'param' || (paths.length > 0 && unknownNames.has(name)));
}
