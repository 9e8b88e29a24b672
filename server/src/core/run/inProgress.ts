// Creates the messages about a run on which another process works.

import { SelfwareError } from '../../util/typedError.ts';

/** The error `locked`. `action`: a sentence about what the person can do. */
export function createInProgressError(
  action = 'Look at it: `selfware report`. End it: `selfware night stop`.',
): SelfwareError {
  return new SelfwareError('locked', 'An unattended run is in progress in this repository.', { action });
}

/** The error `notFound` for a caller that needs a run in progress. */
export function createNotInProgressError(): SelfwareError {
  return new SelfwareError('notFound', 'No unattended run is in progress here.', { action: 'Run `selfware report`.' });
}

/** A sentence for a person about a run that was asked to end. */
export function endingRunSentence(branch: string): string {
  return `The run on ${branch} ends after its current step. At once: \`selfware stop\`.`;
}
