// Checks that the repository's own linters find no more problems of any kind in the touched files than before.

import type { CommandAnswer } from '../../commands.ts';
import type { Gate, GateInput } from '../../gate.ts';
import { findLintAreas, findMissingLinter, type LintArea } from '../../linters/lintAreas.ts';
import { formatLintEvidence } from '../../parse/lintEvidence.ts';
import { isTest } from '../../../paths/tests.ts';
import type { LinterKind } from '../../detect/lintCommand.ts';
import { isStyleRule } from '../../linters/formattingRules.ts';
import { findAddedProblems, type Problem } from '../../parse/problem.ts';
import { compareProblems, combineAnswers, type ProblemComparison } from '../../compareProblems.ts';
import { noSuchCheck, unknown, type GateAnswer } from '../../answer.ts';

export const gate: Gate = async (run, signal) => {
  if (!run.context.trusted) return unknown('Not run: the workspace is not trusted.');
  const areas = await findLintAreas(
    run.worktree,
    await run.project(),
    run.edits.map(({ path }) => path),
    run.context.settings.lintCommand,
  );
  const answers: GateAnswer[] = [];
  for (const area of areas) {
    const answer = await answerOfLinter(run, area, signal);
    if (answer) answers.push(answer);
  }
  return answers.length === 0
    ? await answerWithoutLinter(run, areas[0]?.linter.name ?? null)
    : combineLinterAnswers(answers);
};

/**
 * Number of problems from which a rule of style evidently does not apply to a test file, if the linter also fails
 * without the change. New tests are written like the existing ones.
 */
const USUAL_PROBLEMS = 20;

/**
 * Returns a check that is true for a problem of a style rule that the test file broke often before, if the change adds
 * at most as many.
 */
function createUsualCheck(linter: LinterKind | null, after: readonly Problem[]): ProblemComparison['isUsual'] {
  const countSameKind = (problems: readonly Problem[], { path, code }: Problem) =>
    problems.filter((problem) => problem.path === path && problem.code === code).length;
  return (problem, before) => {
    if (linter === null || !isTest(problem.path) || !isStyleRule(linter, problem.code)) return false;
    const usualCount = countSameKind(before, problem);
    return usualCount >= USUAL_PROBLEMS && countSameKind(after, problem) <= 2 * usualCount;
  };
}

/**
 * The answer if no linter checks a touched file. `otherLinter`: a linter that checks other files; null if there is
 * none.
 */
async function answerWithoutLinter(run: GateInput, otherLinter: string | null): Promise<GateAnswer> {
  const paths = run.edits.map(({ path }) => path);
  const missing = await findMissingLinter(run.worktree, await run.project(), paths);
  if (missing !== null) return unknown(`No linter was found: ${missing} is configured, but not installed.`);
  return noSuchCheck(
    otherLinter === null ? 'No linter was found.' : `No touched file is one that ${otherLinter} looks at.`,
  );
}

/**
 * Combines the answers of several linters, which may check the same file. Returns the worst answer; of equally bad
 * ones, the one with the most removed problems. If all pass, adds the numbers of problems.
 */
function combineLinterAnswers(answers: readonly GateAnswer[]): GateAnswer {
  const count = ({ evidence }: GateAnswer, name: string) => Number(evidence[name] ?? 0);
  const countRemovedProblems = (answer: GateAnswer) => count(answer, 'problemsBefore') - count(answer, 'problems');
  const worst = combineAnswers(answers.toSorted((a, b) => countRemovedProblems(b) - countRemovedProblems(a)));
  if (answers.length === 1 || worst.outcome !== 'passed') return worst;
  const sumCounts = (name: string) => answers.reduce((total, answer) => total + count(answer, name), 0);
  return {
    ...worst,
    evidence: {
      ...worst.evidence,
      problems: sumCounts('problems'),
      ...(answers.some(({ evidence }) => 'problemsBefore' in evidence)
        ? { problemsBefore: sumCounts('problemsBefore') }
        : {}),
    },
  };
}

/**
 * The answer of one linter. Null if it checks none of the touched files, or if it only makes suggestions and the change
 * claims no fix of a finding.
 */
async function answerOfLinter(
  run: GateInput,
  { linter, pathsFor }: LintArea,
  signal: AbortSignal,
): Promise<GateAnswer | null> {
  const isFix = run.context.claimsOf?.(run.proposal, run.edits)[0] === 'findings';
  if (linter.suggests && !isFix) return null;
  const changedPaths = (side: 'before' | 'after') =>
    pathsFor(run.edits.filter((edit) => edit[side] !== null).map(({ path }) => path));
  const command = linter.command(changedPaths('after'));
  if (!command) return null;
  const readProblems = ({ stdout, output }: CommandAnswer) => linter.parse(linter.printsJson ? stdout : output);
  const baseCommand = linter.command(changedPaths('before'));
  const candidate = await run.candidate(command, readProblems, signal);
  const isUsual = createUsualCheck(linter.kind, candidate.value ?? []);
  return compareProblems({
    noun: 'lint problem',
    candidate,
    mustRunBase: isFix,
    base: async () => baseCommand && run.base(baseCommand, readProblems, signal),
    // Messages may quote renamed code, so only the number of problems of each kind in a file counts.
    findNewProblems: (before, after) => findAddedProblems(before, after, ({ path, code }) => `${path}\0${code}`),
    ...(isUsual ? { isUsual } : {}),
    evidenceOfNew: (newProblems) => ({ findings: formatLintEvidence(newProblems) }),
  });
}
