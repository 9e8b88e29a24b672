// Recognises kinds of lines in output: passing tests, progress and failures.

/** Match lines of runners about tests that pass or begin. Each pattern matches a whole line without colours. */
const PASSED_PATTERNS: readonly RegExp[] = [
  // Mocha, Jest, Vitest, AVA, node:test, Bun.
  /^ *(?:✓|✔|√|\(pass\)) \S/,
  // TAP, and the line that node:test prints before each of its tests.
  /^ *ok \d+\b/,
  /^ *# Subtest: /,
  // Jest names a file, Go a package. At its end, Go prints only the word.
  /^PASS(?: \S|$)/,
  /^ok +\t?\S+\s+(?:\d|\(cached\))/,
  /^ *--- PASS: /,
  /^=== (?:RUN|PAUSE|CONT|NAME) /,
  // pytest with names and without, unittest, cargo.
  /^[^\s:]+::\S.* PASSED {1,200}\[ *\d+%\]$/,
  /^\S+\.py [.sx]+ *\[ *\d+%\]$/,
  /^\S.* \.\.\. ok$/,
];

/** Match lines that show the progress of a command. */
const PROGRESS_PATTERNS: readonly RegExp[] = [
  /^[ .․·•,]{3,}(?:\d+%)?$/,
  /^ *[\u2801-\u28ff] /,
  /^[ [\]|=>#█▓▒░.-]{3,200}\d{1,3}(?:\.\d+)? ?%/,
  /^ *\d{1,3}(?:\.\d+)? ?% ?[[|█▓▒░=#]/,
  /^ *(?:RUNS|Downloading|Downloaded|Fetching|Compiling|Progress: resolved|Receiving objects:|Resolving deltas:) /,
];

/** Matches the start of a message about a failure. Such lines are omitted last. */
const FAILURE_PATTERN =
  /\b(?:FAIL(?:ED|URE|S)?|ERRORS?|not ok|panic:|Traceback|fatal|TS\d{4})\b|[✖✗✘✕×❌●]|Error\b|\berror\b|\bException\b|^ *\d+\) |^E {2}|: got .*want|\[fail\]/;

/** True for a line that names a test that passes or begins. */
export function isPassed(line: string): boolean {
  return PASSED_PATTERNS.some((pattern) => pattern.test(line));
}

/** True for a line of progress that names no failure. */
export function isProgress(line: string): boolean {
  return PROGRESS_PATTERNS.some((pattern) => pattern.test(line)) && !namesFailure(line);
}

/** True for a line that names a failure and no passing test. */
export function namesFailure(line: string): boolean {
  return FAILURE_PATTERN.test(line) && !isPassed(line);
}
