// Reports the reasons why a run works with limited means (is degraded).

import type { Session } from '../../../core/session.ts';
import { describeError } from '../../../util/typedError.ts';
import type { BegunRun } from '../beginRun.ts';
import type { NightContext } from '../night.ts';

/** The parts of a session that are read here. */
type MeansOfRun = {
  readonly questions: Pick<Session['questions'], 'askPause'>;
  readonly changes: Pick<Session['changes'], 'applyPause'>;
  readonly verification: Pick<Session['verification'], 'isConfined'>;
};

/** The reason if commands cannot be isolated. */
const NOT_ISOLATED =
  'Commands cannot be isolated on this machine, so every change waits for you; `selfware doctor` says what was tried.';

/**
 * Creates a function that reports the reasons why the run works with limited means, if they have changed. `trusted`:
 * the proposer, if it is trusted; null if it is not, or if there is none.
 */
export function createDegradationReport(
  { request }: Pick<NightContext, 'request'>,
  { proposer }: Pick<BegunRun, 'proposer'>,
  session: MeansOfRun,
): (trusted: string | null) => Promise<void> {
  let lastReasons: readonly string[] = [];
  return async (trusted) => {
    const reasons = [
      ...(proposer === null ? [] : await explainSilence(proposer, trusted, session)),
      ...((await session.verification.isConfined()) ? [] : [NOT_ISOLATED]),
    ];
    if (reasons.join() === lastReasons.join()) return;
    const isRepeated = removeDigits(reasons) === removeDigits(lastReasons);
    lastReasons = reasons;
    const repeated = isRepeated ? { isRepeated: true as const } : {};
    request.onEvent({ type: 'degraded', cause: 'means', reasons, until: null, ...repeated });
  };
}

/** The reasons without digits, which are times and counts, so that equal causes have equal texts. */
function removeDigits(reasons: readonly string[]): string {
  return reasons.join().replace(/\d+/g, '');
}

/** The reason why the proposer is not asked; empty if it is. */
async function explainSilence(
  proposer: string,
  trusted: string | null,
  { questions, changes }: Pick<MeansOfRun, 'questions' | 'changes'>,
): Promise<readonly string[]> {
  if (trusted === null) return [`${proposer} is not asked, because it is not trusted.`];
  const ratePause = await changes.applyPause(trusted);
  const reason =
    ratePause === null ? ((await questions.askPause(trusted))?.reason ?? null) : describeError(ratePause.error);
  return reason === null ? [] : [`${proposer} is not asked now. ${reason}`];
}
