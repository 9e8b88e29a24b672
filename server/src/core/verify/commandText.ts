// Names and prints commands, and shortens their output.

import { shown, type DetectedCommand } from './detect/command.ts';

const SHOWN_CHARACTERS = 4_000;

/** As a person would type it: without the words that request a report. */
export function lineOf(detected: DetectedCommand, works: boolean): string {
  return works ? shown(detected) : detected.command.join(' ');
}

export function keyOf(command: DetectedCommand): string {
  return JSON.stringify([
    command.script ?? null,
    command.command,
    command.cwd ?? null,
    command.args ?? null,
    command.env ?? null,
    ...(command.services ? [command.services] : []),
  ]);
}

export function withoutPlace(text: string, dir: string): string {
  return text.replaceAll(`${dir}/`, '').replaceAll(dir, '.');
}

export function excerpt(output: string): string {
  const text = output.trim();
  if (text.length <= SHOWN_CHARACTERS) return text;
  const half = SHOWN_CHARACTERS / 2;
  return `${text.slice(0, half)}\n…\n${text.slice(-half)}`;
}

/** Number of tests that ran; null if the value is not a count of tests. */
export function countOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('passed' in value) || !('failed' in value)) return null;
  const { passed, failed } = value;
  return typeof passed === 'number' && typeof failed === 'number' ? passed + failed : null;
}
