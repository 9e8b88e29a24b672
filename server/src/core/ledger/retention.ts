// Decides which stored texts to keep: all that are still needed, and up to the limit further ones. Texts of kept
// changes come before those of other proposals, and newer texts before older ones.

import type { LedgerState } from './folds.ts';
import { isSettled } from './proposalLife.ts';
import type { StoredProposal } from './events.ts';

/**
 * Returns the hashes of the texts to keep and, as `forgottenIds`, the ids of the proposals whose texts are dropped:
 * - Texts of proposals that may still be applied, of changes in probation or in conflict, and of changes that can be
 * rolled back are always kept.
 * - The texts of kept changes follow, and after them those of all other proposals, newest first. A proposal whose texts
 * do not fit into `maxBytes` loses them.
 * - The texts that a base or a receipt names are kept with it. `readText` returns a stored text by its hash.
 * `sizes`: bytes of each stored text by its hash.
 */
export async function selectTexts(
  state: Pick<LedgerState, 'proposals' | 'checkpoints' | 'bases' | 'textless'>,
  sizes: ReadonlyMap<string, number>,
  maxBytes: number,
  readText: (hash: string) => Promise<string | null>,
): Promise<{ readonly keep: ReadonlySet<string>; readonly forget: readonly string[] }> {
  const keptHashes = new Set<string>();
  const forgottenIds: string[] = [];
  let size = 0;
  const keepTexts = (hashes: readonly string[]): void => {
    for (const hash of hashes) {
      if (!keptHashes.has(hash)) size += sizes.get(hash) ?? 0;
      keptHashes.add(hash);
    }
  };
  const proposals = [...state.proposals.values()].filter(({ id }) => !state.textless.has(id));
  const unneededProposals: StoredProposal[] = [];
  for (const proposal of proposals) {
    if (isNeeded(state, proposal)) keepTexts(await collectHashes(state, proposal, readText));
    else unneededProposals.push(proposal);
  }
  // Newest first, kept changes before all others.
  for (const proposal of unneededProposals
    .toReversed()
    .toSorted((a, b) => Number(b.status === 'kept') - Number(a.status === 'kept'))) {
    const hashes = await collectHashes(state, proposal, readText);
    const addedSize = [...new Set(hashes)]
      .filter((hash) => !keptHashes.has(hash))
      .reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0);
    if (size + addedSize <= maxBytes) keepTexts(hashes);
    else forgottenIds.push(proposal.id);
  }
  return { keep: keptHashes, forget: forgottenIds };
}

/** True for a proposal that may still be applied, is in probation or in conflict, or can be rolled back. */
function isNeeded({ checkpoints }: Pick<LedgerState, 'checkpoints'>, { status, checkpoint }: StoredProposal): boolean {
  if (!isSettled(status) || status === 'applied' || status === 'conflicted') return true;
  const rollbackPoint = checkpoint === null ? undefined : checkpoints.get(checkpoint);
  return rollbackPoint !== undefined && rollbackPoint.rolledBackAt === null;
}

/**
 * Hashes of the texts of a proposal: its edits, its receipt and its base, and the texts to which the receipt and the
 * base refer.
 */
async function collectHashes(
  { bases }: Pick<LedgerState, 'bases'>,
  { id, edits, receipt }: StoredProposal,
  read: (hash: string) => Promise<string | null>,
): Promise<string[]> {
  const hashes = edits.flatMap(({ before, after }) => [before, after]).filter((hash) => hash !== null);
  for (const referencingHash of [bases.get(id), receipt]) {
    if (!referencingHash) continue;
    hashes.push(referencingHash);
    // Everything that looks like a hash is kept, because an unneeded text does no harm.
    hashes.push(...((await read(referencingHash))?.match(/\b[0-9a-f]{64}\b/g) ?? []));
  }
  return hashes;
}
