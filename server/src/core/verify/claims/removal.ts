// Shows that a dependency is not needed: it is not installed in the candidate's tree, in which the other gates have run
// their commands, and the scripts `build` and `lint` work there, too.

import { posix } from 'node:path';
import { ABSENT } from '../../model/evidence.ts';
import { foldersFrom } from '../../model/lockFiles.ts';
import { removedDependencies, type RemovedDependency } from '../../model/removedDependency.ts';
import { failed, passed, unknown, type GateAnswer } from '../answer.ts';
import { evidenceOf } from '../commands.ts';
import { packageScript, type DetectedCommand } from '../detect/command.ts';
import type { GateRun } from '../gate.ts';
import type { Worktree } from '../../ports/sandbox.ts';
import { readProject } from '../detect/project.ts';

/** Gates of which at least one has to show something: without, nothing was tried in the tree without the package. */
const TRIED = ['types', 'lint', 'tests'] as const;

/**
 * Passes if the package is not installed, no script fails because of that, and a check has passed. Unknown if
 * another package brings it along, or if nothing ran.
 */
export async function showRemoval(run: GateRun, signal: AbortSignal): Promise<GateAnswer> {
  const removed = removedDependencies(run.edits) ?? [];
  const names = removed.map(({ name }) => `\`${name}\``).join(', ');
  const still = await placesLeft(run.worktree, removed);
  const ran = await runScripts(run, removed[0]?.dir ?? '', signal);
  const broken = ran.find(({ answer }) => answer.outcome === 'failed');
  if (broken) return broken.answer;
  const shown = new Set<string>([
    ...TRIED.filter((gate) => run.verdicts.some((verdict) => verdict.gate === gate && verdict.outcome === 'passed')),
    ...ran.flatMap(({ script, answer }) => (answer.outcome === 'passed' ? [script] : [])),
  ]);
  const checks = [...shown];
  const evidence = { removed: removed.length, checks: checks.join(' ') };
  if (checks.length === 0)
    return unknown(`Neither types, linter, tests nor a build showed anything about ${names}.`, evidence);
  const passedText = `${checks.join(', ')} passed`;
  const open = ran.flatMap(({ answer }) => (answer.outcome === 'unknown' ? [` ${answer.reason}`] : [])).join('');
  if (still.length > 0)
    return passed(
      `${names} stays installed, because another package needs it (${still.join(', ')}). So the checks cannot show that nothing uses it, although ${passedText}.${open}`,
      { ...evidence, stays: still.join(', ') },
    );
  return passed(`${names} is not installed in the tree in which ${passedText}.${open}`, {
    ...evidence,
    [ABSENT]: removed.length,
  });
}

/** The places from which code beside a changed manifest would still get its removed packages. */
async function placesLeft(worktree: Worktree, removed: readonly RemovedDependency[]): Promise<string[]> {
  const places = removed.flatMap(({ dir, name }) =>
    foldersFrom(dir).map((one) => posix.join(one, 'node_modules', name)),
  );
  const present = await Promise.all(places.map((place) => worktree.exists(place)));
  return places.filter((_, at) => present[at]);
}

/** Scripts that run besides the gates: these do not build, and lint only the edited files, of which there are none. */
const SCRIPTS = ['build', 'lint'] as const;

/** What a script has shown. */
interface Ran {
  readonly script: (typeof SCRIPTS)[number];
  readonly answer: GateAnswer;
}

/** Runs the scripts of the root, or of the package if the root has none. One that fails before, too, shows nothing. */
async function runScripts(run: GateRun, dir: string, signal: AbortSignal): Promise<Ran[]> {
  const root = await run.project();
  const own = dir === '' ? root : await readProject(run.worktree, dir, root);
  const ran: Ran[] = [];
  for (const script of SCRIPTS) {
    const command = packageScript(root, script) ?? packageScript(own, script);
    if (command !== null) ran.push({ script, answer: await answerOf(run, script, command, signal) });
  }
  return ran;
}

async function answerOf(run: GateRun, script: string, command: DetectedCommand, signal: AbortSignal) {
  const after = await exitOf(run.candidate, command, signal);
  if (after.exitCode === 0) return passed(`The script \`${script}\` works.`);
  const before = await exitOf(run.base, command, signal);
  if (before.exitCode !== 0) return unknown(`The script \`${script}\` fails without the change, too.`);
  return failed(`The script \`${script}\` fails without the package.`, evidenceOf(after));
}

async function exitOf(side: GateRun['candidate'], command: DetectedCommand, signal: AbortSignal) {
  const { answer } = await side(command, ({ exitCode }) => exitCode, signal);
  return answer;
}
