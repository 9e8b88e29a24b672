// Detects a change after which another command runs the tests, or none does. Without this check, the repository would
// look like one that never had the other tests.

import type { FileEdit } from '../../model.ts';
import { typedLine, type DetectedCommand } from '../detect/command.ts';
import { readProject } from '../detect/project.ts';
import { detectTests } from '../detect/testCommand.ts';
import { failed, unknown, type GateAnswer } from '../answer.ts';
import type { GateRun } from '../gate.ts';

/**
 * The answer of the tests with what speaks against the command that they ran by: failed if the command of the base is
 * gone, unknown if the change puts another one before it.
 */
export async function withLostTests(run: GateRun, answer: GateAnswer): Promise<GateAnswer> {
  if (answer.outcome === 'failed' || !run.edits.some(mayDecide)) return answer;
  const { settings, setUp } = run.context;
  const setting = settings.testCommand.trim() === '' ? (setUp?.testCommand ?? '') : settings.testCommand;
  const project = await run.project();
  const after = detectTests(project, setting);
  const before = detectTests(await run.without(run.edits, () => readProject(run.worktree)), setting);
  if (before === null || (after !== null && isSame(before, after))) return answer;
  const sentenceStart = `Without the change \`${typedLine(before)}\` runs the tests; with it`;
  if (after === null) return failed(`${sentenceStart} nothing does.`, answer.evidence);
  const { name } = before.script ?? {};
  if (name !== undefined && project.manifest?.scripts[name] === undefined)
    return failed(`${sentenceStart} that is gone, and only \`${typedLine(after)}\` runs.`, answer.evidence);
  return unknown(`${sentenceStart} \`${typedLine(after)}\` does. ${answer.reason}`, answer.evidence);
}

/** True for an edit that may alter by which command the tests run. */
function mayDecide({ path, before, after }: FileEdit): boolean {
  return before === null || after === null || /(?:^|\/)package\.json$|^pyproject\.toml$/.test(path);
}

/** True if both were found in the same place, or run the same words. */
function isSame(a: DetectedCommand, b: DetectedCommand): boolean {
  const placeOf = ({ source }: DetectedCommand) => source.replace(/^(package script "[^"]*").*/, '$1');
  return placeOf(a) === placeOf(b) || a.command.join('\0') === b.command.join('\0');
}
