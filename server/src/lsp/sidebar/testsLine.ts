// The line about the repository's own tests: what the last set-up says, or the last check of a change.

import type { SetupLine } from '#protocol/state';
import type { Proposal } from '../../core/model.ts';

/**
 * The line. Many repositories need no set-up, because their packages are installed: once the tests of a change have
 * passed, the line says so.
 */
export function testsLine(
  { outcome, detail, action }: SetupLine,
  proposals: readonly Pick<Proposal, 'createdAt' | 'verdicts'>[],
): SetupLine {
  if (outcome !== 'none') return { outcome, detail, action };
  const [newest] = proposals
    .flatMap(({ createdAt, verdicts }) =>
      verdicts.flatMap((verdict) =>
        verdict.gate === 'tests' && verdict.outcome === 'passed' ? [{ createdAt, reason: verdict.reason }] : [],
      ),
    )
    .toSorted((one, other) => other.createdAt - one.createdAt);
  return newest === undefined
    ? { outcome, detail, action }
    : { outcome: 'ran', detail: `${newest.reason.replace(/\.$/, '')} in the last check that ran them`, action: null };
}
