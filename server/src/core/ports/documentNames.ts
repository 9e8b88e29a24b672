// The names of documents in the state folder that are used in several folders of the source.

/** The record of the last set-up. */
export const SETUP_DOCUMENT = 'setup';
/** The tests that both passed and failed on the same code. */
export const FLAKY_TESTS_DOCUMENT = 'flaky-tests';
/** The last run of each command, from which the remaining time of a running command is estimated. */
export const LAST_RUNS_DOCUMENT = 'last-runs-1';
/** The results of commands on base trees. */
export const BASELINES_DOCUMENT = 'baselines-1';
