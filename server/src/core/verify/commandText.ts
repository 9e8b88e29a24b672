// Turns commands and their results into text: a printed line, a key, an excerpt of the output, a number of tests.

import { formatTypedLine, type DetectedCommand } from './detect/command.ts';
import { condenseOutput } from './parse/condense/condenseOutput.ts';

/** Maximum number of characters of an excerpt. */
const SHOWN_CHARACTERS = 4_000;

/**
 * The command as a person would type it, without the arguments that request a report. `isManagerUsable`: true if the
 * command's package manager works here; otherwise, a package script is shown as the command that it runs.
 */
export function formatCommandLine(detected: DetectedCommand, isManagerUsable: boolean): string {
  return isManagerUsable ? formatTypedLine(detected) : detected.command.join(' ');
}

/** Key under which results of a command are stored; equal for equal commands. */
export function createCommandKey(command: DetectedCommand): string {
  return JSON.stringify([
    command.script ?? null,
    command.command,
    command.cwd ?? null,
    command.args ?? null,
    command.env ?? null,
    ...(command.services ? [command.services] : []),
  ]);
}

/**
 * Makes the paths below `folder` in a text relative and replaces `folder` itself by a dot, so that outputs of two work
 * trees can be compared.
 */
export function removeFolder(text: string, folder: string): string {
  return text.replaceAll(`file://${folder}/`, '').replaceAll(`${folder}/`, '').replaceAll(folder, '.');
}

/** The failures in an output and its remaining lines (`condenseOutput`), at most 4,000 characters in all. */
export function shortenOutput(output: string): string {
  return condenseOutput(output.trim(), SHOWN_CHARACTERS);
}

/** Number of tests that ran; null if the value is not a test count. */
export function parseTestCount(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('passed' in value) || !('failed' in value)) return null;
  const { passed, failed } = value;
  return typeof passed === 'number' && typeof failed === 'number' ? passed + failed : null;
}
