// Tries a learned recipe everywhere: files one proposal for all places. If the checks refuse it, files one for each
// half of its files, and so on.

import type { Author } from '../../model/authors.ts';
import type { Proposal } from '../../model.ts';
import type { Session } from '../../session.ts';
import type { Operation } from '../../operation.ts';
import type { FiledRecipe } from './recipeTypes.ts';

/** Maximum number of verifications in one trial, because each may run all tests. */
const MAX_VERIFICATIONS = 12;

/** The result of trying a recipe. */
export interface TriedRecipe {
  /** Proposals that wait for a decision. */
  readonly waiting: readonly Proposal[];
  /**
   * Proposals that the checks refused. Each is for a single file, or for several files if the limit of verifications
   * was reached.
   */
  readonly refused: readonly Proposal[];
  /** Files without a change, each with the reason. */
  readonly leftOut: FiledRecipe['leftOut'];
}

/**
 * Tries the recipe. Without `verify`, the proposal is only filed. `by`: the author. `again`: true to include changes
 * that were turned down before. Throws `locked` while another process tries a recipe, and the errors of `file` and
 * `verify`.
 */
export function tryRecipe(session: TrialSession, id: string, options: TryOptions): Promise<TriedRecipe> {
  return session.recipes.alone(() => tryPlaces(session, id, options));
}

/** The sections of a session that a trial needs. */
type TrialSession = Pick<Session, 'recipes' | 'verification'>;
type TryOptions = Operation & { readonly verify: boolean; readonly by?: Author; readonly again?: boolean };

/** Tries the recipe on its places, and on parts of them if they do not pass together. */
async function tryPlaces(
  session: TrialSession,
  id: string,
  { verify, by = 'person', again = false, ...operation }: TryOptions,
): Promise<TriedRecipe> {
  const waitingProposals: Proposal[] = [];
  const refusedProposals: Proposal[] = [];
  const skipped: FiledRecipe['leftOut'][number][] = [];
  const queue: (readonly string[] | undefined)[] = [undefined];
  for (let tries = 0; queue.length > 0; tries++) {
    const filedPart = await session.recipes.file(id, operation, { paths: queue.shift(), by, again });
    skipped.push(...filedPart.leftOut);
    if (!filedPart.proposal) continue;
    const judgedProposal = verify
      ? await session.verification.verify(filedPart.proposal.id, operation, { atOnce: true })
      : filedPart.proposal;
    const paths = judgedProposal.edits.map(({ path }) => path);
    if (judgedProposal.status !== 'refused') waitingProposals.push(judgedProposal);
    else if (paths.length === 1 || tries + queue.length + 2 > MAX_VERIFICATIONS) refusedProposals.push(judgedProposal);
    else queue.push(paths.slice(0, paths.length >> 1), paths.slice(paths.length >> 1));
  }
  return { waiting: waitingProposals, refused: refusedProposals, leftOut: skipped };
}
