// Detects a change after which nothing runs the tests: unnoticed, the repository would look like one without tests.

import { typedLine } from '../detect/command.ts';
import { readProject } from '../detect/project.ts';
import { detectTests } from '../detect/testCommand.ts';
import type { GateRun } from '../gate.ts';

/** What runs the tests without the change, if nothing runs them with it; null = nothing is lost. */
export async function lostTests(run: GateRun): Promise<string | null> {
  const { settings, setUp } = run.context;
  const setting = settings.testCommand.trim() === '' ? (setUp?.testCommand ?? '') : settings.testCommand;
  if (detectTests(await run.project(), setting) !== null) return null;
  const before = detectTests(await run.without(run.edits, () => readProject(run.worktree)), setting);
  return before && typedLine(before);
}
