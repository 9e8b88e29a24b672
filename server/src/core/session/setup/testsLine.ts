// Creates the line about the repository's own tests, from the last set-up or from the last check of a change.

import type { Proposal } from '../../model.ts';
import type { SetupState } from '../../model/setup.ts';
import { ALREADY_FAILING } from '../../verify/gates/tests/gate.ts';

/** The line about the tests. `ran`: nothing was set up, but the tests run nevertheless. */
interface SetupLine extends Pick<SetupState, 'detail' | 'action'> {
  readonly outcome: SetupState['outcome'] | 'ran';
}

/** The advice if tests fail without any change. */
const MISSING_PACKAGES_ADVICE = 'If packages or services are missing, run `selfware setup`.';

/**
 * The line about the tests. Many repositories need no set-up, because their packages are installed. This shows if the
 * tests ran for the newest checked change. If tests also fail without that change, something may be missing.
 */
export function createTestsLine(
  { outcome, detail, action }: SetupLine,
  proposals: readonly Pick<Proposal, 'createdAt' | 'verdicts'>[],
): SetupLine {
  if (outcome !== 'none') return { outcome, detail, action };
  const [newestVerdict] = proposals
    .flatMap(({ createdAt, verdicts }) =>
      verdicts.flatMap((verdict) =>
        verdict.gate === 'tests' && (verdict.outcome === 'passed' || verdict.outcome === 'failed')
          ? [{ ...verdict, createdAt }]
          : [],
      ),
    )
    .toSorted((a, b) => b.createdAt - a.createdAt);
  if (newestVerdict === undefined) return { outcome, detail, action };
  if (newestVerdict.outcome === 'failed')
    return { outcome: 'ran', detail: 'they run here; the last change that was checked failed some', action: null };
  const isFailing = newestVerdict.reason.startsWith(ALREADY_FAILING);
  const result = newestVerdict.reason.slice(isFailing ? ALREADY_FAILING.length + 2 : 0).replace(/\.$/, '');
  return isFailing
    ? { outcome: 'degraded', detail: result, action: MISSING_PACKAGES_ADVICE }
    : { outcome: 'ran', detail: `${result} when a change was checked`, action: null };
}
