// The line about the repository's own tests: the result of the last set-up, or of the last check of a change.

import type { Proposal } from '../../model.ts';
import type { SetupState } from '../../model/setup.ts';
import { ALREADY_FAILING } from '../../verify/gates/tests/gate.ts';

/** `ran`: nothing was set up, but the tests run nevertheless. */
interface SetupLine extends Pick<SetupState, 'detail' | 'action'> {
  readonly outcome: SetupState['outcome'] | 'ran';
}

/** The advice if tests fail without any change. */
const MAYBE_MISSING = 'If packages or services are missing, run `selfware setup`.';

/**
 * The line about the tests. Many repositories need no set-up, because their packages are installed; the newest change
 * whose tests ran shows this. If tests fail without that change too, something may be missing.
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
  if (newest === undefined) return { outcome, detail, action };
  if (newest.outcome === 'failed')
    return { outcome: 'ran', detail: 'they run here; the last change that was checked failed some', action: null };
  const isFailing = newest.reason.startsWith(ALREADY_FAILING);
  const result = newest.reason.slice(isFailing ? ALREADY_FAILING.length + 2 : 0).replace(/\.$/, '');
  return isFailing
    ? { outcome: 'degraded', detail: result, action: MAYBE_MISSING }
    : { outcome: 'ran', detail: `${result} when a change was checked`, action: null };
}
