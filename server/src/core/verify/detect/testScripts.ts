// Tells which package scripts run tests, and changes those that watch files, and so do not end, into scripts that run
// the tests once.

/** Matches the subcommands of Vitest that watch files. */
const WATCH_COMMAND_PATTERN = /(\bvitest\s{1,20})(?:watch|dev)\b/g;
/** Matches options that watch files; `-w` of Jest is the number of its workers. */
const WATCH_OPTION_PATTERN = /\s--watch(?:All)?(?:=true)?(?=\s|$)/g;
const SHORT_OPTION_PATTERN = /(\b(?:mocha|ava)\b[^&|;]{0,500}?)\s-w(?=\s|$)/g;

/** True if a command in this line of a script watches files. */
export function watchesFiles(line: string): boolean {
  return removeWatching(line) !== line;
}

/** The line with commands that run once. */
export function removeWatching(line: string): string {
  return line
    .replaceAll(WATCH_COMMAND_PATTERN, '$1run')
    .replaceAll(WATCH_OPTION_PATTERN, '')
    .replaceAll(SHORT_OPTION_PATTERN, '$1');
}

/** True if a script runs tests and ends, which one that watches files does not. */
export function endsAfterTests(script: string | undefined): boolean {
  return runsTests(script) && !watchesFiles(script ?? '');
}

/** True if a script runs tests. The script that `npm init` writes runs none. */
export function runsTests(script: string | undefined): boolean {
  return script !== undefined && script.trim() !== '' && !/no test specified/i.test(script);
}
