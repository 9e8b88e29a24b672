// Detects a change after which no command runs the tests. Otherwise the repository would look like one without tests.

import { typedLine } from '../detect/command.ts';
import { readProject } from '../detect/project.ts';
import { detectTests } from '../detect/testCommand.ts';
import type { GateRun } from '../gate.ts';

/** The command that runs the tests without the change, if none runs them with it; null if no tests are lost. */
export async function lostTests(run: GateRun): Promise<string | null> {
  const { settings, setUp } = run.context;
  const setting = settings.testCommand.trim() === '' ? (setUp?.testCommand ?? '') : settings.testCommand;
  if (detectTests(await run.project(), setting) !== null) return null;
  const before = detectTests(await run.without(run.edits, () => readProject(run.worktree)), setting);
  return before && typedLine(before);
}
