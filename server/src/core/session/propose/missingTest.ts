// Proposes a test for a mistake that no test notices: the remaining offer if no recipe has anything to change.

import { counted } from '../../../util/counted.ts';
import { thousands } from '../../../util/thousands.ts';
import type { Proposal } from '../../model.ts';
import type { Session } from '../../session.ts';
import type { UnguardedReport } from '../look/lookTypes.ts';
import { unguardedOpportunity } from '../look/unguarded/kept.ts';
import { proposeBestOf, type BestOptions } from './bestProposal.ts';

export interface MissingTest {
  /** The verified proposal with the new tests; null if none passed. */
  readonly verified: Proposal | null;
  readonly refused: readonly Proposal[];
  readonly search: Pick<UnguardedReport, 'files' | 'mutants' | 'survivors' | 'undone' | 'advice'>;
}

/**
 * Searches the whole repository for `seconds`, and verifies the tests for one function after the other, the best ranked
 * first, until one proposal passes. Throws the errors of the search: `SelfwareError` if the tests cannot be run.
 */
export async function proposeMissingTest(
  session: Pick<Session, 'analysis' | 'opportunities' | 'proposals' | 'verification'>,
  seconds: number,
  options: BestOptions,
): Promise<MissingTest> {
  const { signal, report } = options;
  const { found, ...search } = await session.analysis.unguarded({ paths: [], seconds, signal, report });
  const wantedIds = new Set(
    found.flatMap((unguarded) => ('refused' in unguarded.test ? [] : [unguardedOpportunity(unguarded).id])),
  );
  const ranked = (await session.opportunities.shown()).map(({ id }) => id).filter((id) => wantedIds.has(id));
  const { verified, refused } = await proposeBestOf(session, [...new Set([...ranked, ...wantedIds])], options);
  return { verified, refused, search };
}

/** What was searched and what came of it, where no test is proposed. */
export function searchedSentence({ search: { files, mutants, survivors, undone }, refused }: MissingTest): string {
  const searchText =
    `Looked for missing tests: ${counted(mutants, 'mistake')} in ${counted(files, 'file')} tried, ${thousands(survivors)} ` +
    `not noticed by any test`;
  const rest = undone > 0 ? ` There was no time for ${counted(undone, 'file')}.` : '';
  const tests = refused.length > 0 ? ` ${counted(refused.length, 'proposed change')} with tests did not pass.` : '';
  return `${searchText}.${tests}${rest}`;
}
