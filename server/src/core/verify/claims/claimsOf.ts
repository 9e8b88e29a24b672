// Decides which claims a proposal may make, and in which order they are tried.

import { diffLines } from 'diff';
import type { FileEdit, Proposal } from '../../model.ts';
import type { ClaimKind } from '../../model/claims.ts';
import { isTestEdit } from '../../paths/testEdits.ts';

/** The claims to try, in order; the first that holds counts. Never empty. */
export type ClaimsOf = (
  proposal: Pick<Proposal, 'recipe' | 'claimed'>,
  edits: readonly FileEdit[],
) => readonly ClaimKind[];

/**
 * The claims that fit the form of the edits. Edits of tests alone claim `tests` if they only add lines, else `points`.
 * Edits of code may claim `types`, then `points`; those of code and tests may claim `fix` before that.
 */
export function claimsByForm(edits: readonly FileEdit[]): readonly ClaimKind[] {
  const [tests, code] = [edits.filter(isTestEdit), edits.filter((edit) => !isTestEdit(edit))];
  if (code.length === 0) return tests.every(addsOnly) && tests.length > 0 ? ['tests'] : ['points'];
  return tests.length > 0 ? ['fix', 'types', 'points'] : ['types', 'points'];
}

/** True for a new file, and for one that lost no line; false for a deleted file. */
export function addsOnly({ before, after }: FileEdit): boolean {
  if (after === null) return false;
  return (
    before === null || diffLines(withFinalNewline(before), withFinalNewline(after)).every(({ removed }) => !removed)
  );
}

function withFinalNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
