// Detects a change after which another command runs the tests, the type check or the linter, or none does. Otherwise,
// the repository would look as if it had never had the check.

import type { FileEdit } from '../../model.ts';
import { formatTypedLine, type DetectedCommand } from '../detect/command.ts';
import { readProject } from '../detect/project.ts';
import { detectTests } from '../detect/testCommand.ts';
import { detectTypes } from '../detect/typesCommand.ts';
import { findLintAreas } from '../linters/lintAreas.ts';
import { failed, unknown, type GateAnswer } from '../answer.ts';
import type { GateInput } from '../gate.ts';

/**
 * The answer of the tests, with the doubts about their command: failed if the command of the base is gone; unknown
 * if the change adds another command that takes precedence.
 */
export async function checkLostTests(run: GateInput, answer: GateAnswer): Promise<GateAnswer> {
  if (answer.outcome === 'failed' || !run.edits.some(mayDecide)) return answer;
  const { settings, setUp } = run.context;
  const setting = settings.testCommand.trim() === '' ? (setUp?.testCommand ?? '') : settings.testCommand;
  const project = await run.project();
  const after = detectTests(project, setting);
  const before = detectTests(await run.without(run.edits, () => readProject(run.worktree)), setting);
  if (before === null) return answer;
  if (after !== null && isSameCommand(before, after)) return checkEditedScript(before, after, answer);
  const sentenceStart = `Without the change \`${formatTypedLine(before)}\` runs the tests; with it`;
  if (after === null) return failed(`${sentenceStart} nothing does.`, answer.evidence);
  const { name } = before.script ?? {};
  if (name !== undefined && project.manifest?.scripts[name] === undefined)
    return failed(`${sentenceStart} that is gone, and only \`${formatTypedLine(after)}\` runs.`, answer.evidence);
  return unknown(`${sentenceStart} \`${formatTypedLine(after)}\` does. ${answer.reason}`, answer.evidence);
}

/** Unknown if the change edits the script itself, because a script can report tests as passed that did not run. */
function checkEditedScript(before: DetectedCommand, after: DetectedCommand, answer: GateAnswer): GateAnswer {
  const [oldText, newText] = [before, after].map((command) => command.script?.plain ?? command.command.join(' '));
  if (oldText === newText) return answer;
  return unknown(
    `The change edits how the tests run: \`${oldText}\` became \`${newText}\`. ${answer.reason}`,
    answer.evidence,
  );
}

/**
 * The answer of the type check or the linter; failed if the change removes the command that ran it. Only an unknown
 * answer can be due to that.
 */
export async function failIfCheckRemoved(
  run: GateInput,
  gate: 'types' | 'lint',
  answer: GateAnswer,
): Promise<GateAnswer> {
  if (answer.outcome !== 'unknown' || !run.edits.some(mayDecide)) return answer;
  const after = await findCheck(run, gate);
  const before = after === null ? await run.without(run.edits, () => findCheck(run, gate)) : null;
  return before === null ? answer : failed(`Without the change ${before} ${PHRASE_BY_CHECK[gate]}.`, answer.evidence);
}

const PHRASE_BY_CHECK = {
  types: 'checks the types; with it nothing does',
  lint: 'lints; with it nothing does',
} as const;

/** The command of the check in the current work tree, for people; null if there is none. */
async function findCheck({ context, worktree, edits }: GateInput, gate: 'types' | 'lint'): Promise<string | null> {
  const project = await readProject(worktree);
  const { settings } = context;
  if (gate === 'types') {
    const command = detectTypes(project, settings.typesCommand);
    return command && `\`${formatTypedLine(command)}\``;
  }
  // Deleted files need no linter.
  const paths = edits.flatMap(({ path, after }) => (after === null ? [] : [path]));
  const [area] = await findLintAreas(worktree, project, paths, settings.lintCommand);
  return area?.linter.name ?? null;
}

/** True for an edit that may change which command runs a check. */
function mayDecide({ path, before, after }: FileEdit): boolean {
  return (
    before === null || after === null || /(?:^|\/)package\.json$|^pyproject\.toml$|^tsconfig[^/]*\.json$/.test(path)
  );
}

/** True if both commands have the same source, or run the same words. */
function isSameCommand(a: DetectedCommand, b: DetectedCommand): boolean {
  const normaliseSource = ({ source }: DetectedCommand) => source.replace(/^(package script "[^"]*").*/, '$1');
  return normaliseSource(a) === normaliseSource(b) || a.command.join('\0') === b.command.join('\0');
}
