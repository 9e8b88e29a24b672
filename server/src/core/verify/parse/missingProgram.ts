// Reads from what a command printed which program its shell did not find.

import { plain } from './plain.ts';

/** The number that a shell ends with when it does not find a program. */
const NOT_FOUND = 127;
/** What make and package managers say of that number when they end with another one. */
const NAMED = /\b(?:Error|code) 127\b/;
/** A whole line each. Numbers are those of the lines of a script. */
const LINES: readonly RegExp[] = [
  /^(?:\S*\/)?[a-z]*sh: (?:(?:line )?\d+: )?(\S.*): (?:command )?not found$/,
  /^\S+: (?:line )?\d+: (\S.*): (?:command not found|not found|No such file or directory)$/,
  /^(?:\S+: ?)?(?:\d+: )?command not found: (\S+)$/,
  /^(?:\S*\/)?(?:env|make(?:\[\d+\])?): [‘'"]?([^\s‘’'":]+)[’'"]?: No such file or directory$/,
];
/** No shell says it at greater length. */
const LONGEST = 500;

/** Null where the command ended in another way, or names none. */
export function missingProgram(exitCode: number | null, output: string): string | null {
  if (exitCode === null || exitCode === 0) return null;
  const text = plain(output);
  if (exitCode !== NOT_FOUND && !NAMED.test(text)) return null;
  for (const line of text.split('\n')) {
    if (line.length > LONGEST) continue;
    for (const pattern of LINES) {
      const name = pattern.exec(line.trim())?.[1];
      if (name !== undefined) return name;
    }
  }
  return null;
}
