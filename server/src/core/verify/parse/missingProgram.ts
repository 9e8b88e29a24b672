// Finds the name of a program that the shell of a command did not find.

import { removeEscapeSequences } from './plainText.ts';

/** Exit code of a shell that did not find a program. */
const NOT_FOUND_EXIT_CODE = 127;
/** Matches the form in which make and package managers print that exit code if they end with another exit code. */
const PRINTED_EXIT_CODE_PATTERN = /\b(?:Error|code) 127\b/;
/**
 * Each pattern matches a whole line, and captures the name of the program. The numbers are line numbers of a script.
 */
const MESSAGE_PATTERNS: readonly RegExp[] = [
  /^(?:\S*\/)?[a-z]*sh: (?:(?:line )?\d+: )?(\S.*): (?:command )?not found$/,
  /^\S+: (?:line )?\d+: (\S.*): (?:command not found|not found|No such file or directory)$/,
  /^(?:\S+: ?)?(?:\d+: )?command not found: (\S+)$/,
  /^(?:\S*\/)?(?:env|make(?:\[\d+\])?): [‘'"]?([^\s‘’'":]+)[’'"]?: No such file or directory$/,
];
/** Maximum length of a line in characters; messages of shells are shorter. */
const MAX_LINE_LENGTH = 500;

/** The program that was not found; null if the command ended for another reason, or if the output names no program. */
export function findMissingProgram(exitCode: number | null, output: string): string | null {
  if (exitCode === null || exitCode === 0) return null;
  const text = removeEscapeSequences(output);
  if (exitCode !== NOT_FOUND_EXIT_CODE && !PRINTED_EXIT_CODE_PATTERN.test(text)) return null;
  for (const line of text.split('\n')) {
    if (line.length > MAX_LINE_LENGTH) continue;
    for (const pattern of MESSAGE_PATTERNS) {
      const name = pattern.exec(line.trim())?.[1];
      if (name !== undefined) return name;
    }
  }
  return null;
}

/** The parts of a command's answer that a missing program affects. */
interface EndedCommand {
  readonly outcome: 'exited' | 'timedOut' | 'notFound';
  readonly exitCode: number | null;
  readonly output: string;
  readonly missing?: string;
}

/**
 * Adds the program that was not found, if no result could be parsed from the output. On the base, only the machine can
 * be the reason, so the outcome becomes `notFound`.
 */
export function addMissingProgram<Answer extends EndedCommand>(answer: Answer, value: unknown, side: string): Answer {
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  const missing = isEmpty ? findMissingProgram(answer.exitCode, answer.output) : null;
  if (missing === null) return answer;
  return { ...answer, missing, outcome: side === 'base' ? 'notFound' : answer.outcome };
}
