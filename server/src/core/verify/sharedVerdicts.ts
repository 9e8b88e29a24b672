// Shares verdicts about a whole tree among several proposals: types and tests run once, on the tree with all of them.

import type { FileEdit, Proposal, Verdict } from '../model.ts';
import type { GateName } from '../model/gates.ts';
import { TOGETHER_KEY, type CheckedTogether } from './checkedTogether.ts';
import type { VerifyContext } from './context.ts';

/** The gates that look at the whole tree, so that one run can answer for several proposals. */
export const TREE_GATES: readonly GateName[] = ['types', 'tests'];

/**
 * One proposal with the edits of all, which must be in different files. Everything else is copied from the first
 * proposal.
 */
export function combineProposals(proposals: readonly [Proposal, ...Proposal[]]): Proposal {
  return { ...proposals[0], edits: proposals.flatMap(({ edits }) => edits) };
}

/**
 * The shared verdict as a verdict on one proposal. Its evidence shows how far the tests reach the edits of this
 * proposal.
 */
export async function createVerdictForOne(
  shared: Verdict,
  { proposals, reach }: Pick<CheckedTogether, 'proposals' | 'reach'>,
  { id, edits }: Pick<Proposal, 'id' | 'edits'>,
  context: Pick<VerifyContext, 'placesReached' | 'reachingTests'>,
): Promise<Verdict> {
  const otherProposals = proposals.filter((proposal) => proposal !== id);
  return {
    ...shared,
    reason:
      `${shared.reason} Checked once, together with ${otherProposals.length} ` +
      `other ${otherProposals.length === 1 ? 'change' : 'changes'}.`,
    evidence: {
      ...(shared.gate === 'tests' ? await findOwnReach(shared.evidence, reach, edits, context) : shared.evidence),
      [TOGETHER_KEY]: otherProposals.join(' '),
    },
  };
}

/** The shared evidence of the tests, with the reach of these edits in place of that of all proposals. */
async function findOwnReach(
  shared: Verdict['evidence'],
  reach: CheckedTogether['reach'],
  edits: readonly FileEdit[],
  context: Pick<VerifyContext, 'placesReached' | 'reachingTests'>,
): Promise<Verdict['evidence']> {
  const { reachingFiles, touchedPlaces, reachedPlaces, reachingSeconds, reachingPassed, ...otherEvidence } = shared;
  const reachingPaths = new Set(await context.reachingTests(edits.map(({ path }) => path)));
  const files = reach?.filter(({ path }) => reachingPaths.has(path)) ?? null;
  const places = await context.placesReached(edits);
  const passed = files?.map((file) => file.passed) ?? [];
  return {
    ...otherEvidence,
    ...(files === null ? {} : { reachingFiles: files.length }),
    ...(passed.length === 0 || passed.includes(null)
      ? {}
      : { reachingPassed: passed.reduce<number>((sum, count) => sum + (count ?? 0), 0) }),
    ...(places === null ? {} : { touchedPlaces: places.touched, reachedPlaces: places.reached }),
  };
}
