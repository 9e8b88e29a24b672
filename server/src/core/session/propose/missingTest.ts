// Proposes a test for a mistake that no test notices.

import type { Proposal } from '../../model.ts';
import type { Session } from '../../session.ts';
import type { UnguardedFunction } from '../../verify/guard/unguarded.ts';
import type { UnguardedReport } from '../analyse/analysisTypes.ts';
import { createUnguardedOpportunity } from '../analyse/unguarded/unguardedMistakes.ts';
import { proposeBest, type BestOptions } from './bestProposal.ts';

/** The result of the search for a missing test. */
export interface MissingTest {
  /** The verified proposal with the new tests; null if none passed. */
  readonly verified: Proposal | null;
  readonly refused: readonly Proposal[];
  /** The functions with mistakes that no test notices, for which no test could be written. */
  readonly unwritten: readonly UnguardedFunction[];
  /** Number of mistakes that no test notices and for which tests could be written. */
  readonly withTest: number;
  readonly search: Pick<UnguardedReport, 'files' | 'mutants' | 'survivors' | 'undone' | 'advice'>;
}

/**
 * Searches the whole repository for `seconds`, and verifies the tests for one function after the other, the best ranked
 * first, until one proposal passes. A preview stops searching once it has found something. Throws the errors of
 * `unguarded`, `propose` and `verify`.
 */
export async function proposeMissingTest(
  session: Pick<Session, 'analysis' | 'opportunities' | 'proposals' | 'verification'>,
  seconds: number,
  options: BestOptions,
): Promise<MissingTest> {
  const { signal, report, isPreview } = options;
  const quick = isPreview ? { quick: true, untilFound: true } : {};
  const { found, ...search } = await session.analysis.unguarded({ paths: [], seconds, signal, report, ...quick });
  const functionsWithTest = found.filter(({ test }) => !('refused' in test));
  const wantedIds = new Set(functionsWithTest.map((unguarded) => createUnguardedOpportunity(unguarded).id));
  const rankedIds = (await session.opportunities.shown()).map(({ id }) => id).filter((id) => wantedIds.has(id));
  const { verified, refused } = await proposeBest(session, [...new Set([...rankedIds, ...wantedIds])], options);
  return {
    ...{ verified, refused, search },
    unwritten: found.filter(({ test }) => 'refused' in test),
    withTest: functionsWithTest.reduce((sum, { mistakes }) => sum + mistakes.length, 0),
  };
}
