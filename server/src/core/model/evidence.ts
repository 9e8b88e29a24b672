// Keys in the evidence of verdicts that code in other rooms reads. The gate that writes a key and the code that reads
// it import the same constant, so that both are always renamed together.

/**
 * Keys in the evidence of the gate `score` if its outcome is unknown. `judgedBy`: who decides whether there is a gain
 * (a gate, or a `person`). `tried`: the claims that are still possible, separated by spaces.
 */
export const [JUDGED_BY, TRIED] = ['judgedBy', 'tried'] as const;

/**
 * Key in the evidence of the gate `tests`: the number of test files that ran, if only those that reach the change ran.
 * Nothing may be applied on such evidence.
 */
export const ONLY_FILES = 'onlyFiles';

/** Key in the evidence of the gate `claim`: the claim that the verdict is about. */
export const CLAIM_KIND = 'kind';

/**
 * Key in the evidence of the gate `claim`. Set if another gate has to show that a requested refactoring keeps
 * behaviour.
 */
export const NEEDS_SAME = 'needsSame';

/**
 * Key in the evidence of the gate `claim`. Set if the comparison has to find a call that shows a fix without a test.
 */
export const NEEDS_CALL = 'needsCall';

/**
 * Key in the evidence of the gate `claim`: how code that the new tests reach affects something outside of the program.
 */
export const OUTSIDE_KEY = 'outside';

/**
 * Keys in the evidence of the gate `claim` about a removed dependency. `absent`: set to 1 if it was not installed in
 * the tree in which tests of its own package passed. `openToPerson`: set to 1 if the checks could not show whether it
 * is used, so that a person decides without this knowledge.
 */
export const [ABSENT, OPEN_TO_PERSON] = ['absent', 'openToPerson'] as const;

/** Key in the evidence of the gate `claim`, set to 1: the checks ran with the update of a dependency installed. */
export const INSTALLED = 'installed';

/** Key in the evidence of the gate `claim`: the number of mutants that the new tests notice and no other test does. */
export const NOTICED_MISTAKES = 'noticedMistakes';

/** Key in the evidence of the gate `claim`: the number of new tests that noticed no mutant. */
export const QUIET_TESTS = 'quietTests';

/**
 * Keys in the evidence of the gate `claim` about speed or memory: the smaller gain of both series as a negative share,
 * and their smaller confidence (0–1).
 */
export const [SMALLER_CHANGE, SMALLER_CONFIDENCE] = ['smallerChange', 'smallerConfidence'] as const;

/**
 * Keys in the evidence of the gate `differential`. `mendedCall`: a call that failed before the change and returns a
 * value with it. `mendsOnly`: set to 1 if no other difference was found.
 */
export const [MENDED_CALL, MENDS_ONLY] = ['mendedCall', 'mendsOnly'] as const;

/**
 * Key in the evidence of the gate `differential`: calls whose results differ and that the change's own tests name, one
 * per line. Other calls that differ are under `call`.
 */
export const NAMED_CALLS = 'namedCalls';

/**
 * Key in the evidence of the gate `guard`: the number of touched lines that no test is known to reach, including lines
 * with a function that no test is known to call.
 */
export const UNREACHED_LINES = 'unreachedLines';

/**
 * Key in the evidence of the gate `guard`: the touched places in which the tests notice no mistake, as `path:line`, one
 * per line. Places that no test reaches come first.
 */
export const MISSED_PLACES = 'missedPlaces';

/**
 * Key in the evidence of checks that did not run because the packages of both sides are not installed: the reason and
 * the next step, in sentences for a person.
 */
export const OBSTACLE_KEY = 'obstacle';

/** Key in the evidence of the gate `differential`, set to 1: the change edits nothing whose behaviour could differ. */
export const NOTHING_TO_COMPARE = 'nothingToCompare';

/** Key in the evidence of the gate `claim`, set to 1: a fix was observed in only one run of each side. */
export const SEEN_ONCE = 'seenOnce';

/**
 * Keys in the evidence of the gate `integrity`, each set to 1 if it applies. `onlyAppends`: the complete change only
 * adds test cases. `testsOnlyAdded`: in files that judge the change, it only adds test cases.
 */
export const [ONLY_APPENDS, TESTS_ONLY_ADDED] = ['onlyAppends', 'testsOnlyAdded'] as const;
