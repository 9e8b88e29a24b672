// Checks that a dependency is not needed: it is not installed in the candidate's tree, in which the other gates have
// run their commands, and the type check and the scripts of its own package also work there.

import { posix } from 'node:path';
import { formatCount } from '../../../util/counted.ts';
import { ABSENT, OPEN_TO_PERSON } from '../../model/evidence.ts';
import { gatesOfStages } from '../../model/gateStages.ts';
import { listAncestors } from '../../model/lockFiles.ts';
import { findRemovedDependency, type RemovedDependency } from '../../model/removedDependency.ts';
import { failed, passed, unknown, type GateAnswer } from '../answer.ts';
import { createCommandEvidence } from '../commandEvidence.ts';
import type { CommandAnswer } from '../commands.ts';
import { findPackageScript, type DetectedCommand } from '../detect/command.ts';
import { readProject, type DetectedProject } from '../detect/project.ts';
import { endsAfterTests } from '../detect/testScripts.ts';
import { detectTypes } from '../detect/typesCommand.ts';
import type { GateInput } from '../gate.ts';
import type { Worktree } from '../../ports/sandbox.ts';
import { hasPassed } from '../strength.ts';

/** With this file, Yarn's Plug'n'Play finds packages in archives. Only `yarn install` changes it. */
const PLUG_AND_PLAY = '.pnp.cjs';
/** Gates whose commands run at the root of the repository. */
const TRIED_GATES = gatesOfStages('checks', 'tests');
/**
 * Scripts that run in addition to the gates. The gates do not build, and they lint only edited files, of which there
 * are none here.
 */
const TRIED_SCRIPTS = ['build', 'lint'] as const;

/**
 * Passes if the package is not installed where its manifest is, a check that ran there has passed, and none fails
 * because of the removal. Fails if a check fails only without the package. Unknown if the package is still installed,
 * if nothing ran there, or if the change does not only remove a dependency.
 */
export async function checkRemoval(run: GateInput, signal: AbortSignal): Promise<GateAnswer> {
  const removed = findRemovedDependency(run.edits);
  if (removed === null) return unknown('It does not only remove a dependency.');
  const name = `\`${removed.name}\``;
  const remainingPaths = await findRemainingPaths(run.worktree, removed);
  const ranChecks = await runChecks(run, removed.dir, signal);
  const failedRun = ranChecks.find(({ answer }) => answer.outcome === 'failed');
  if (failedRun) return failedRun.answer;
  const gates = removed.dir === '' ? TRIED_GATES.filter((gate) => hasPassed(run.verdicts, gate)) : [];
  const passedChecks = ranChecks.flatMap(({ checkName, answer, isOwn }) =>
    isOwn && answer.outcome === 'passed' ? [checkName] : [],
  );
  const checks = [...new Set<string>([...gates, ...passedChecks])];
  const evidence = { removed: 1, checks: checks.join(' ') };
  const openReasons = ranChecks
    .flatMap(({ answer }) => (answer.outcome === 'unknown' ? [` ${answer.reason}`] : []))
    .join('');
  if (checks.length === 0) {
    const where = removed.dir === '' ? '' : ` in ${removed.dir}`;
    return unknown(
      `Neither types, linter, tests nor a build showed anything about ${name}${where}.${openReasons}`,
      evidence,
    );
  }
  const passedText = `${checks.join(', ')} passed`;
  if (remainingPaths.length > 0)
    return unknown(
      `${name} stays in the tree (${remainingPaths.join(', ')}). So the checks cannot show that nothing uses it, although ${passedText}.${openReasons}`,
      { ...evidence, stays: remainingPaths.join(', '), [OPEN_TO_PERSON]: 1 },
    );
  return passed(`${name} is not installed in the tree in which ${passedText}.${openReasons}`, {
    ...evidence,
    ...(checks.includes('tests') ? { [ABSENT]: 1 } : {}),
  });
}

/**
 * The paths from which code next to the changed manifest would still load the package, in Node's order of lookup.
 * Includes the folders above the root of the session, up to the top of the git repository.
 */
async function findRemainingPaths(worktree: Worktree, { dir, name }: RemovedDependency): Promise<string[]> {
  const { prefix = '' } = worktree;
  const possiblePaths = listAncestors(posix.join(prefix, dir).replace(/^\.$/, '')).flatMap((folder) =>
    [`node_modules/${name}`, PLUG_AND_PLAY].map((target) => posix.join(posix.relative(prefix, folder), target)),
  );
  const existingPaths = await Promise.all(possiblePaths.map((place) => worktree.exists(place)));
  return possiblePaths.filter((_, index) => existingPaths[index]);
}

/** The result of a check. `isOwn`: it ran in the folder of the changed manifest. */
interface RanCheck {
  readonly checkName: 'types' | 'tests' | (typeof TRIED_SCRIPTS)[number];
  readonly isOwn: boolean;
  readonly answer: GateAnswer;
}

/** Runs the scripts of the root. For a package in a folder, also runs its own scripts, its tests and its type check. */
async function runChecks(run: GateInput, folder: string, signal: AbortSignal): Promise<RanCheck[]> {
  const root = await run.project();
  const packageProject = folder === '' ? null : await readProject(run.worktree, folder, root);
  const wantedChecks = [
    ...(packageProject === null
      ? []
      : [...collectScripts(packageProject), ...collectChecks(packageProject)].map((check) => ({
          ...check,
          isOwn: true,
        }))),
    ...collectScripts(root).map((check) => ({ ...check, isOwn: packageProject === null })),
  ];
  const ranChecks: RanCheck[] = [];
  for (const { checkName, nameInSentence: phrase, command, isOwn } of wantedChecks) {
    const answer = await runCheck(run, phrase, command, signal);
    ranChecks.push({ checkName, isOwn, answer });
    if (answer.outcome === 'failed') break;
  }
  return ranChecks;
}

/** A check to run. `nameInSentence`: its name in a sentence. */
interface WantedCheck {
  readonly checkName: RanCheck['checkName'];
  readonly nameInSentence: string;
  readonly command: DetectedCommand;
}

function collectScripts(project: DetectedProject): WantedCheck[] {
  return TRIED_SCRIPTS.flatMap((script) => listWantedScripts(project, script, script));
}

function collectChecks(project: DetectedProject): WantedCheck[] {
  const types = detectTypes(project, '');
  return [
    ...(types === null
      ? []
      : [{ checkName: 'types' as const, nameInSentence: `type check of ${project.folder}`, command: types }]),
    ...(endsAfterTests(project.manifest?.scripts['test']) ? listWantedScripts(project, 'test', 'tests') : []),
  ];
}

function listWantedScripts(project: DetectedProject, name: string, scriptKind: RanCheck['checkName']): WantedCheck[] {
  const command = findPackageScript(project, name);
  const where = project.folder === '' ? '' : ` of ${project.folder}`;
  return command === null ? [] : [{ checkName: scriptKind, nameInSentence: `script \`${name}\`${where}`, command }];
}

/** The answer for one check. A check that also fails or does not end without the change is no evidence. */
async function runCheck(
  run: GateInput,
  phrase: string,
  command: DetectedCommand,
  signal: AbortSignal,
): Promise<GateAnswer> {
  const after = await runScript(run.candidate, command, signal);
  if (after.exitCode === 0) return passed(`The ${phrase} works.`);
  const incompleteAnswer = explainNotEnded(phrase, after, 'without the package');
  if (incompleteAnswer !== null) return incompleteAnswer;
  const before = await runScript(run.base, command, signal);
  const incompleteBefore = explainNotEnded(phrase, before, 'without the change, too');
  if (incompleteBefore !== null) return incompleteBefore;
  if (before.exitCode !== 0) return unknown(`The ${phrase} fails without the change, too.`);
  return failed(`The ${phrase} fails without the package.`, createCommandEvidence(after));
}

/** The answer for a run that did not exit, and is therefore no evidence about the package; null if it exited. */
function explainNotEnded(
  phrase: string,
  { outcome, exceeded, millis }: CommandAnswer,
  when: string,
): GateAnswer | null {
  if (outcome === 'notFound') return unknown(`The ${phrase} could not be started ${when}.`);
  if (exceeded !== null) return unknown(`The ${phrase} was ended ${when}: ${exceeded}.`);
  if (outcome === 'timedOut')
    return unknown(`The ${phrase} was ended ${when}, after ${formatCount(Math.round(millis / 1000), 'second')}.`);
  return null;
}

async function runScript(side: GateInput['candidate'], command: DetectedCommand, signal: AbortSignal) {
  const { answer } = await side(command, ({ exitCode }) => exitCode, signal);
  return answer;
}
