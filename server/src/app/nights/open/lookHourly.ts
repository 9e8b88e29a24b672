// Analyses the feedback in the repository's ledger each hour during a run. A finding becomes a note of the run and a
// proposal in the inbox.

import { repeat, type StopRepeating } from '../../../util/timing/repeatedly.ts';
import { describeError } from '../../../util/typedError.ts';
import { runInRepository } from './inRepository.ts';
import type { NightRequest } from '../night.ts';
import { HOUR_MS } from '../../../util/timing/durations.ts';

/**
 * Starts the analyses. The first one runs after an hour, because every start of a session also runs one. Returns a
 * function that stops them.
 */
export function analyseFeedbackHourly(request: NightRequest, everyMs = HOUR_MS): StopRepeating {
  return repeat(
    (signal) => analyseFeedbackOnce(request, signal),
    everyMs,
    (error) => request.log.write('warn', `The feedback could not be looked at: ${describeError(error)}`),
  );
}

async function analyseFeedbackOnce(request: NightRequest, signal: AbortSignal): Promise<void> {
  await runInRepository(request, undefined, async (session) => {
    session.subscribe((event) => {
      if (event.type === 'notice') request.onEvent({ type: 'note', text: event.notice.message });
    });
    await session.learned.lookAtFeedback(signal);
  });
}
