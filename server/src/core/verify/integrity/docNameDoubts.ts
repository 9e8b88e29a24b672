// Describes the names in new comments that do not exist.

import type { FileEdit } from '../../model.ts';
import { nullIfTimedOut } from '../busyMachine.ts';
import type { VerifyContext } from '../context.ts';
import type { DocName } from './docNames.ts';

/** Maximum number of names in the sentence. */
const MAX_SHOWN = 3;

/**
 * One sentence about the names in new comments that nothing declares; null if there are none, or if there was no time
 * to search for them.
 */
export async function describeUnknownDocNames(
  { findUnknownDocNames }: Pick<VerifyContext, 'findUnknownDocNames'>,
  edits: readonly FileEdit[],
): Promise<string | null> {
  const names = findUnknownDocNames ? ((await nullIfTimedOut(findUnknownDocNames(edits))) ?? []) : [];
  if (names.length === 0) return null;
  const shownNames = names.slice(0, MAX_SHOWN).map(formatDocName).join(', ');
  return `New comments name what does not exist: ${shownNames}${names.length > MAX_SHOWN ? ', …' : ''}.`;
}

/** The sentence as a note after another sentence; empty if there is none. */
export function formatNote(sentence: string | null): string {
  return sentence === null ? '' : ` ${sentence}`;
}

function formatDocName({ path, name, kind }: DocName): string {
  return kind === 'param' ? `the parameter \`${name}\` (${path})` : `\`${name}\` (${path})`;
}
