// Remembers the current attempt of a run and its progress, so that the end of the run can name the last step.

import type { Progress } from '../../../core/operation.ts';
import type { NightRequest } from '../night.ts';

/** A request whose events are remembered. */
export interface RememberedSteps {
  readonly request: NightRequest;
  /** A sentence about the current attempt, with its last step, or about the step between two attempts; null if unknown. */
  step(): string | null;
}

/** Creates a request that remembers its events and progress, and passes them on. */
export function rememberSteps(request: NightRequest): RememberedSteps {
  let title: string | null = null;
  let progress: Progress | null = null;
  return {
    request: {
      ...request,
      report(next) {
        progress = next;
        request.report?.(next);
      },
      onEvent(event) {
        if (event.type === 'trying') [title, progress] = [event.title, null];
        else if (event.type !== 'note') [title, progress] = [null, null];
        request.onEvent(event);
      },
    },
    step() {
      const message = progress?.message ?? '';
      if (title === null) return message === '' ? null : `It was at “${message}”.`;
      return `It was at “${title}”${message === '' ? '' : ` (${message})`}.`;
    },
  };
}
