// Classifies the failure of a test by the output of its runner. Only a failed assertion or an error in the code under
// test shows a defect.

/**
 * The kind of a test's failure. `loading`: the test could not load what it tests, or uses a name that does not exist
 * without the change. `time`: it ran out of time. `assertion`: an assertion failed. `error`: an error other than an
 * assertion. `unknown`: the output shows none of these.
 */
export type FailureKind = 'assertion' | 'error' | 'loading' | 'time' | 'unknown';

const TIME_PATTERN = /\btimed? ?out\b|\bexceeded (?:the )?(?:timeout|time limit)|ETIMEDOUT|Timeout of \d+ ?ms/i;
/** Match messages about code that cannot be loaded: by Node and bundlers, then by Python. */
const LOADING_PATTERNS = [
  /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|does not provide an export|SyntaxError/,
  /Could not resolve|Failed to (?:load|resolve)|has no exported member/,
  /ModuleNotFoundError|ImportError|cannot import name|fixture '[^']*' not found/,
];
const MISSING_NAME_PATTERN = /(?:^|[\s.(])([\w$]+)\)? is not (?:a function|a constructor|defined)\b/;
const NO_ATTRIBUTE = /has no attribute '([^']+)'/;
const ASSERTION_PATTERN =
  /AssertionError|ERR_ASSERTION|^assert\b|\bassert(?:ion)? failed|expect\(|\bExpected\b|\bto (?:be|equal|match|throw|have)\b/im;
const NAMED_ERROR = /\b[A-Z]\w*(?:Error|Exception)\b/;

/** Match errors that the environment causes (no network, service or program). A change of the code cannot fix them. */
const ENVIRONMENT_ERROR = [
  /\bE(?:NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|NETUNREACH|HOSTUNREACH)\b|\bspawn \S{1,200} ENOENT\b/,
  /\bfetch failed\b|\bgetaddrinfo\b|\bno such host\b|Temporary failure in name resolution|Network is unreachable/i,
];

/** True if the failure shows a defect of the code rather than a limit of the sandbox. */
export function showsDefect(failure: string): boolean {
  const kind = classifyFailure(failure, () => true);
  return (kind === 'assertion' || kind === 'error') && !ENVIRONMENT_ERROR.some((pattern) => pattern.test(failure));
}

/**
 * Classifies the failure that a message shows. `text`: the message of the runner; timeouts and failed imports are
 * recognised only in its first 8 lines. `isKnownName`: true if the code without the change declares the name. If the
 * message misses a name that this code does not declare, the kind is `loading`.
 */
export function classifyFailure(text: string, isKnownName: (name: string) => boolean): FailureKind {
  if (text.trim() === '') return 'unknown';
  const head = text.split('\n').slice(0, 8).join('\n');
  if (TIME_PATTERN.test(head)) return 'time';
  if (LOADING_PATTERNS.some((pattern) => pattern.test(head))) return 'loading';
  const missing = (MISSING_NAME_PATTERN.exec(head) ?? NO_ATTRIBUTE.exec(head))?.[1];
  if (missing !== undefined && !isKnownName(missing)) return 'loading';
  if (ASSERTION_PATTERN.test(text)) return 'assertion';
  return NAMED_ERROR.test(text) ? 'error' : 'unknown';
}
