// Makes the outcome for a person who asked for a change at one place and got no proposal: the reason, and the way to
// try again.

import type { CommandOutcome } from '#protocol/review';
import {
  TURNED_DOWN,
  describeSkippedRequest,
  type SkippedPlace,
  type SkipCause,
} from '../../core/model/skippedPlaces.ts';

/** What the person can do, by the cause for which the place was skipped. */
const ADVICE_BY_CAUSE: Partial<Readonly<Record<SkipCause, string>>> = {
  protected: 'Make the change by hand, or remove the path from your own protected paths.',
  unfinished: 'Finish or undo your work in the file, then ask again.',
  comment: 'Take the comment out of the code, then ask again.',
  declined: 'It is tried again each time you ask: change the code there first.',
  waiting: 'Decide about what waits.',
};

/** The outcome. `hasButtons`: true if the client has a button to try again; otherwise the message names a command. */
export function createNotProposedOutcome(place: SkippedPlace, hasButtons: boolean): CommandOutcome {
  const { by, opportunity } = place;
  const canRetry = TURNED_DOWN.has(by);
  const hint = canRetry
    ? hasButtons
      ? 'Try Again has the same change checked once more.'
      : `\`selfware propose ${opportunity} --again\` has the same change checked once more.`
    : ADVICE_BY_CAUSE[by];
  return {
    ok: false,
    message: `Nothing is proposed ${describeSkippedRequest(place)}${hint === undefined ? '' : ` ${hint}`}`,
    review: null,
    ...(canRetry ? { again: opportunity } : {}),
  };
}
