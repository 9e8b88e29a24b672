// The error for a caller that needs the branch of a run on which another process works.

import { SelfwareError } from '../../util/typedError.ts';

/** The error `locked`. `action`: a sentence about what the person can do. */
export function inProgressError(action = 'Look at it: `selfware report`. End it: `selfware stop`.'): SelfwareError {
  return new SelfwareError('locked', 'An unattended run is in progress in this repository.', { action });
}
