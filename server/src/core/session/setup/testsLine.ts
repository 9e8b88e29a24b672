// The line about the repository's own tests: the result of the last set-up, or of the last check of a change.

import type { Proposal } from '../../model.ts';
import type { SetupState } from '../../model/setup.ts';
import { ALREADY_FAILING } from '../../verify/gates/tests/gate.ts';

/** `ran`: nothing was set up, and the tests run all the same. */
interface SetupLine extends Pick<SetupState, 'detail' | 'action'> {
  readonly outcome: SetupState['outcome'] | 'ran';
}

/**
 * The line. Many repositories need no set-up, because their packages are installed: if the newest change whose tests
 * ran has passed them, and none fails without it, the line states this.
 */
export function testsLine(
  { outcome, detail, action }: SetupLine,
  proposals: readonly Pick<Proposal, 'createdAt' | 'verdicts'>[],
): SetupLine {
  if (outcome !== 'none') return { outcome, detail, action };
  const [newest] = proposals
    .flatMap(({ createdAt, verdicts }) =>
      verdicts.flatMap((verdict) =>
        verdict.gate === 'tests' && (verdict.outcome === 'passed' || verdict.outcome === 'failed')
          ? [{ ...verdict, createdAt }]
          : [],
      ),
    )
    .toSorted((a, b) => b.createdAt - a.createdAt);
  return newest?.outcome !== 'passed' || newest.reason.startsWith(ALREADY_FAILING)
    ? { outcome, detail, action }
    : { outcome: 'ran', detail: `${newest.reason.replace(/\.$/, '')} when a change was checked`, action: null };
}
