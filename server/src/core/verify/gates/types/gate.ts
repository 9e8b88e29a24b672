// Checks that the repository's own type check finds no new problems.

import type { CommandAnswer } from '../../commands.ts';
import type { DetectedCommand } from '../../detect/command.ts';
import { findPackagesAround, readProject, type DetectedProject } from '../../detect/project.ts';
import { coversPackages, detectTypes, explainMissingTypeCheck } from '../../detect/typesCommand.ts';
import type { Gate, GateInput } from '../../gate.ts';
import { findAddedInCode, type Problem } from '../../parse/problem.ts';
import { parseTypeErrors, addCode } from '../../parse/typeErrors.ts';
import { compareProblems, combineAnswers } from '../../compareProblems.ts';
import { noSuchCheck, unknown, type GateAnswer } from '../../answer.ts';
import { checkByBuildInfo } from './buildInfo.ts';

export const gate: Gate = async (run, signal) => {
  if (!run.context.trusted) return unknown('Not run: the workspace is not trusted.');
  const root = await run.project();
  const rootCommand = detectTypes(root, run.context.settings.typesCommand);
  const packages = rootCommand && coversPackages(rootCommand, root) ? [] : await readTouchedPackages(run);
  const commands = [
    ...(rootCommand ? [rootCommand] : []),
    ...packages.flatMap((project) => detectTypes(project, '') ?? []),
  ];
  if (commands.length === 0) {
    // If packages are not installed, a configured check cannot run.
    const configuredProject = [root, ...packages].find(({ tsconfig }) => tsconfig !== null);
    return configuredProject
      ? unknown(explainMissingTypeCheck(configuredProject))
      : noSuchCheck(explainMissingTypeCheck(root));
  }
  const answers: GateAnswer[] = [];
  for (const command of commands) {
    const answer = await answerOfCommand(run, command, signal);
    answers.push(answer);
    if (answer.outcome === 'failed') break;
  }
  return combineAnswers(answers);
};

/** The packages that contain the touched files. */
async function readTouchedPackages(run: GateInput): Promise<DetectedProject[]> {
  const root = await run.project();
  const folders = await findPackagesAround(
    run.worktree,
    run.edits.map(({ path }) => path),
  );
  return Promise.all(folders.map((folder) => readProject(run.worktree, folder, root)));
}

async function answerOfCommand(run: GateInput, command: DetectedCommand, signal: AbortSignal): Promise<GateAnswer> {
  const { cwd } = command;
  const addFolder = (path: string) => (cwd ? `${cwd}/${path}` : path);
  const readProblems = async ({ output }: CommandAnswer, worktree: GateInput['worktree']): Promise<Problem[]> => {
    const problems = parseTypeErrors(output).map((problem) =>
      problem.path === '' ? problem : { ...problem, path: addFolder(problem.path) },
    );
    return addCode(problems, (path) => worktree.read(path));
  };
  return compareProblems({
    noun: 'type error',
    candidate:
      (await checkByBuildInfo(run, command, readProblems, signal)) ??
      (await run.candidate(command, readProblems, signal)),
    base: () => run.base(command, readProblems, signal),
    findNewProblems: (before, after) => findAddedInCode(before, after, run.edits),
  });
}
