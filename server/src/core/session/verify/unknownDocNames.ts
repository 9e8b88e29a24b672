// Finds names in new documentation comments that exist nowhere in the repository.

import { replaceCommentsAndStrings } from '../../../util/sourceTokens.ts';
import type { FileEdit } from '../../model.ts';
import type { DocName } from '../../verify/integrity/docNames.ts';
import type { SessionContext } from '../context.ts';
import { readTextOrNull } from '../search/packing.ts';

/** Matches the start of a comment or string, for `replaceCommentsAndStrings`. */
const QUOTED_PATTERN = /\/\*|\/\/[^\n]*|['"]/g;
const SCRIPT_PATTERN = /\.[cm]?[jt]sx?$/;

/**
 * The names in new comments that no code declares. `name` entries are searched for in the index, and then in the text of
 * all scripts; parameters belong to their function alone. Empty if no file of the repository is known.
 */
export async function findUnknownDocNames(
  context: SessionContext,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<readonly DocName[]> {
  const { ports, state } = context;
  const candidates = await ports.jobs.run('docNames', { edits }, signal);
  const unknown = new Set(candidates.flatMap(({ name, kind }) => (kind === 'name' ? [name] : [])));
  for (const { symbols } of unknown.size === 0 ? [] : state.records.values())
    for (const { name } of symbols) unknown.delete(name);
  const paths = [...new Set([...state.records.keys(), ...state.analyses.keys()])];
  for (const path of paths.filter((candidate) => SCRIPT_PATTERN.test(candidate))) {
    if (unknown.size === 0) break;
    const text = await readTextOrNull(context, path);
    if (text === null || ![...unknown].some((name) => text.includes(name))) continue;
    for (const word of withoutComments(text).match(/[\w$]+/g) ?? []) unknown.delete(word);
  }
  return candidates.filter(({ name, kind }) => kind === 'param' || (paths.length > 0 && unknown.has(name)));
}

function withoutComments(text: string): string {
  return replaceCommentsAndStrings(text, QUOTED_PATTERN, (token) => (token.startsWith('/') ? ' ' : token));
}
