// Shows that a dependency is not needed: it is not installed in the candidate's tree, in which the other gates have run
// their commands, and the script `build` works there, too.

import { posix } from 'node:path';
import { ABSENT } from '../../model/evidence.ts';
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
 * Passes if the package is not installed, the build does not fail because of that, and a check has passed. Unknown if
 * another package brings it along, or if nothing ran.
 */
export async function showRemoval(run: GateRun, signal: AbortSignal): Promise<GateAnswer> {
  const removed = removedDependencies(run.edits) ?? [];
  const names = removed.map(({ name }) => `\`${name}\``).join(', ');
  const still = await placesLeft(run.worktree, removed);
  const built = await build(run, removed[0]?.dir ?? '', signal);
  if (built?.outcome === 'failed') return built;
  const checks = [
    ...TRIED.filter((gate) => run.verdicts.some((verdict) => verdict.gate === gate && verdict.outcome === 'passed')),
    ...(built?.outcome === 'passed' ? ['build'] : []),
  ];
  const evidence = { removed: removed.length, checks: checks.join(' ') };
  if (checks.length === 0)
    return unknown(`Neither types, linter, tests nor a build showed anything about ${names}.`, evidence);
  const passedText = `${checks.join(', ')} passed`;
  const buildText = built?.outcome === 'unknown' ? ` ${built.reason}` : '';
  if (still.length > 0)
    return passed(
      `${names} stays installed, because another package needs it (${still.join(', ')}). So the checks cannot show that nothing uses it, although ${passedText}.${buildText}`,
      { ...evidence, stays: still.join(', ') },
    );
  return passed(`${names} is not installed in the tree in which ${passedText}.${buildText}`, {
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

function foldersFrom(dir: string): string[] {
  return dir === '' ? [''] : [dir, ...foldersFrom(posix.dirname(dir) === '.' ? '' : posix.dirname(dir))];
}

/** Runs the script `build` of the root, or of the package; null if neither has one. A build may fail before, too. */
async function build(run: GateRun, dir: string, signal: AbortSignal): Promise<GateAnswer | null> {
  const root = await run.project();
  const own = dir === '' ? root : await readProject(run.worktree, dir, root);
  const command = packageScript(root, 'build') ?? packageScript(own, 'build');
  if (command === null) return null;
  const after = await exitOf(run.candidate, command, signal);
  if (after.exitCode === 0) return passed('The build works.', {});
  const before = await exitOf(run.base, command, signal);
  if (before.exitCode !== 0) return unknown('The script `build` fails without the change, too.');
  return failed('The script `build` fails without the package.', evidenceOf(after));
}

async function exitOf(side: GateRun['candidate'], command: DetectedCommand, signal: AbortSignal) {
  const { answer } = await side(command, ({ exitCode }) => exitCode, signal);
  return answer;
}
