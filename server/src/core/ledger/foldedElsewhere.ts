// Types of events that change nothing in the ledger's own state: another fold reads them, or no fold does.

/** The effect of an event that leaves the state as it is. */
const noEffect = (): void => undefined;

/**
 * By type: an effect that leaves the state as it is. A comment names the file that reads or folds the events, if there
 * is one.
 */
export const FOLDED_ELSEWHERE = {
  // `session/apply/checkRemainingChanges.ts` reads this.
  checkedAgain: noEffect,
  indexed: noEffect,
  stateMeasured: noEffect,
  notice: noEffect,
  remembered: noEffect,
  packed: noEffect,
  asked: noEffect,
  answered: noEffect,
  // `core/ledger/consents.ts` folds these.
  consented: noEffect,
  consentWithdrawn: noEffect,
  // `session/ask/interventions.ts` reads this.
  taskDropped: noEffect,
  // `session/ask/researching.ts` counts these.
  researched: noEffect,
  researchEnded: noEffect,
  feedbackRecorded: noEffect,
  // `core/learn/performance/outcomes.ts` folds this.
  bottleneckAsked: noEffect,
  feedbackLooked: noEffect,
  // `core/learn/ruleBook.ts` and `core/learn/repositoryRules.ts` fold these.
  ruleSwitched: noEffect,
  ruleTried: noEffect,
  broughtRules: noEffect,
  // `core/learn/inbox/decisions.ts` folds these.
  inboxFiled: noEffect,
  inboxDecided: noEffect,
  // `core/run/nights.ts` folds all events of nights.
  nightStarted: noEffect,
  nightResumed: noEffect,
  nightCommitted: noEffect,
  nightMissed: noEffect,
  nightTurn: noEffect,
  nightWish: noEffect,
  nightWaiting: noEffect,
  nightCanary: noEffect,
  nightSearched: noEffect,
  nightVariant: noEffect,
  nightPaused: noEffect,
  nightAnswered: noEffect,
  nightAskedToEnd: noEffect,
  nightMoved: noEffect,
  nightEnded: noEffect,
  nightUpgrade: noEffect,
  nightTold: noEffect,
  nightDecided: noEffect,
  // `core/learn/recipes/acceptedRecipes.ts` folds these.
  recipeAccepted: noEffect,
  recipeForgotten: noEffect,
  // `core/learn/training/trainingState.ts` folds these.
  trainingChecked: noEffect,
  trainingStarted: noEffect,
  trainingEnded: noEffect,
  modelDeployed: noEffect,
  modelRolledBack: noEffect,
  // `core/run/wishes.ts` folds these.
  wishAdded: noEffect,
  wishTested: noEffect,
  wishDropped: noEffect,
  wishFirst: noEffect,
  wishMoved: noEffect,
};
