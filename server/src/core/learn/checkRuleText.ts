// Decides whether a text can be a rule of the repository: it is neither too short nor too long, and no output of a
// failure.

/** Minimum number of characters of a rule. A shorter text is not specific enough. */
const MIN_CHARACTERS = 15;

/** Maximum number of characters of a rule, because every question contains all rules. */
const MAX_CHARACTERS = 400;

/** Matches beginnings of lines that occur in logs and dumps. */
const LOG_LINE =
  /^(?:\[?\d{4}-\d\d-\d\dT\d\d:|Traceback \(most recent|[A-Z]?[a-z]{0,20}Error: |(?:ERROR|WARN|FATAL)\b|[{[])/;

/** The reason why a text is not a rule, as a sentence; null if it is one. */
export function explainRefusedText(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length < MIN_CHARACTERS) return `A rule has at least ${MIN_CHARACTERS} characters.`;
  if (trimmed.length > MAX_CHARACTERS)
    return `A rule has at most ${MAX_CHARACTERS} characters. Say what to do, in one or two sentences.`;
  if (isLog(trimmed)) return 'This is the output of a failure, not a rule. Say what to do instead.';
  return null;
}

/** True for stack traces, lines of logs, and dumps of data. */
function isLog(text: string): boolean {
  return text
    .split('\n')
    .map((line) => line.trim())
    .some((line) => LOG_LINE.test(line) || (line.startsWith('at ') && /:\d{1,9}:\d{1,9}\)?$/.test(line)));
}
