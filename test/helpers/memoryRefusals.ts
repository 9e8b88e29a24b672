// The functions that the small session of `memorySession.ts` does not support.

import { SelfwareError } from '../../server/src/util/typedError.ts';

const nobodyIsAsked = () => Promise.reject(new SelfwareError('unavailable', 'Nobody is asked here.'));
const nothingIsBrought = () => Promise.reject(new SelfwareError('unavailable', 'Nothing is brought here.'));

/** The questions and the edits from outside of the section `proposals`. */
export const asksNobody = {
  ask: nobodyIsAsked,
  askNext: nobodyIsAsked,
  acceptanceTest: nobodyIsAsked,
  canary: nobodyIsAsked,
  applyPause: async () => null,
  askPause: async () => null,
  proposeEdits: nothingIsBrought,
  proposeTransform: nothingIsBrought,
};
