// Types of events that change nothing in the ledger's own state, because another fold reads them, or none.

/** An effect without effect. */
const nothing = (): void => undefined;

export const FOLDED_ELSEWHERE = {
  // `session/apply/checkingRest.ts` reads these.
  checkedAgain: nothing,
  indexed: nothing,
  notice: nothing,
  remembered: nothing,
  packed: nothing,
  asked: nothing,
  answered: nothing,
  consented: nothing,
  feedbackRecorded: nothing,
  feedbackLooked: nothing,
  ruleSwitched: nothing,
  // `core/run/nights.ts` folds these.
  nightStarted: nothing,
  nightResumed: nothing,
  nightCommitted: nothing,
  nightMissed: nothing,
  nightWish: nothing,
  // `core/learn/recipes/accepted.ts` folds these.
  recipeAccepted: nothing,
  recipeForgotten: nothing,
  // `core/learn/training/trainingState.ts` folds these.
  trainingChecked: nothing,
  trainingStarted: nothing,
  trainingEnded: nothing,
  modelDeployed: nothing,
  modelRolledBack: nothing,
  // `core/run/wishes.ts` folds these.
  wishAdded: nothing,
  wishTested: nothing,
  wishDropped: nothing,
  wishFirst: nothing,
  nightWaiting: nothing,
  nightCanary: nothing,
  nightSearched: nothing,
  nightVariant: nothing,
  nightPaused: nothing,
  nightAnswered: nothing,
  nightMoved: nothing,
  nightEnded: nothing,
  nightTold: nothing,
  nightDecided: nothing,
};
