// Describes a failed installation: the step that failed, how it ended, what it printed, and the next action for a
// person.

import type { InstallResult, StepResult } from '../ports/packages.ts';
import type { Missing } from '../model/setup.ts';

/** Matches lines of a package manager that may name a cause. Yarn numbers its messages, and YN0000 marks successes. */
const CAUSE_PATTERN = /\b(?:err(?:or)?|ERR\w*|failed|cannot|not found|forbidden)\b/i;
/** Maximum number of quoted lines, and maximum total number of their characters. */
const [MAX_LINES, MAX_LENGTH] = [3, 400];

/** Describes the failed installation as a missing requirement: its last step with the output, and what to do. */
export function describeFailure({ steps, refusedHosts }: InstallResult): Missing {
  const lastStep = steps.at(-1);
  if (!lastStep) return { what: 'the packages: no step of their installation ran', action: RETRY_HINT };
  const command = `\`${lastStep.command.join(' ')}\``;
  const messages = findMessages(lastStep.output);
  return {
    what: `the packages: ${command} ${formatEnd(lastStep)}. ${messages === '' ? 'It printed nothing.' : `It says: ${messages}`}`,
    action: chooseAction(lastStep, refusedHosts),
  };
}

const RETRY_HINT = 'Run `selfware setup` again.';

/** How a step ended, as a predicate such as `ended with 1`. */
function formatEnd({ outcome, exitCode, exceeded, millis }: StepResult): string {
  const seconds = Math.round(millis / 1000);
  if (exceeded !== undefined) return `was ended: it took ${exceeded}`;
  if (outcome === 'timedOut') return `was ended after ${seconds} s`;
  if (outcome === 'notFound') return 'could not be started';
  return exitCode === null ? `was ended by a signal after ${seconds} s` : `ended with ${exitCode}`;
}

/**
 * The lines that name a cause; the last lines if none does. Omits lines of Yarn with `YN0000`, which mark successes,
 * references to a complete log, and Selfware's own line about a limit.
 */
function findMessages(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/complete log|YN0000|^Ended by Selfware:/.test(line));
  const causeLines = lines.filter((line) => CAUSE_PATTERN.test(line));
  const quotedLines = causeLines.length > 0 ? causeLines.slice(0, MAX_LINES) : lines.slice(-MAX_LINES);
  return quotedLines.join(' ').slice(0, MAX_LENGTH);
}

function chooseAction({ command, outcome, exitCode, exceeded }: StepResult, refusedHosts: readonly string[]): string {
  if (refusedHosts.length > 0)
    return `If you trust them, allow the hosts that were refused: ${refusedHosts.map((host) => `--allow-host ${host}`).join(' ')}.`;
  if (outcome === 'notFound') return `Install \`${command[0]}\`, then run \`selfware setup\` again.`;
  if (exceeded !== undefined || outcome === 'timedOut' || exitCode === null)
    return 'Run `selfware setup` again while the machine does little else.';
  return 'Fix what it names, then run `selfware setup` again.';
}
