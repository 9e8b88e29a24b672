// The common part of the gates types and lint. It compares a repository that already has problems with itself, and does
// not require it to be clean.

import { createCommandEvidence } from './commandEvidence.ts';
import type { CommandAnswer, CommandResult } from './commands.ts';
import { missingProgramSentence, missingWithChangeSentence } from './missingProgramText.ts';
import { quoteComplaint } from './parse/complaintLine.ts';
import type { Problem } from './parse/problem.ts';
import { formatCount, failed, passed, unknown, type GateAnswer } from './answer.ts';

/** A tool that was run on the candidate, and the comparison of its problems with the problems of the base. */
export interface ProblemComparison {
  /** The kind of problem for messages: `type error`, `lint problem`. */
  readonly noun: string;
  /** The problems of the candidate; its `value` is null if the output could not be read. */
  readonly candidate: CommandResult<Problem[] | null>;
  /** True if the tool runs on the base even if the candidate is clean, because the problems of the base are counted. */
  readonly mustRunBase?: boolean;
  /** Runs the tool on the base; null if the base has no file for it. */
  base(): Promise<CommandResult<Problem[] | null> | null>;
  /** Problems of the candidate that the base does not have. */
  findNewProblems(before: readonly Problem[], after: readonly Problem[]): Problem[];
  /**
   * True for a new problem that shows nothing if the tool also fails on the base, given the problems there. If absent,
   * no problem is usual.
   */
  readonly isUsual?: (problem: Problem, before: readonly Problem[]) => boolean;
  /** Returns the evidence about the new problems. If absent, only their number is evidence. */
  readonly evidenceOfNew?: (newProblems: readonly Problem[]) => GateAnswer['evidence'];
}

/**
 * Fails if the candidate has problems that the base does not have, or if the tool breaks down with the candidate alone.
 * Unknown if a run does not complete, if the tool names no problem in the unchanged repository but fails there, or if
 * all new problems are usual. The base is run only if the candidate is not clean, or if `mustRunBase` is set.
 */
export async function compareProblems({
  noun,
  candidate: { answer: candidate, value },
  mustRunBase = false,
  base,
  findNewProblems,
  isUsual = () => false,
  evidenceOfNew = () => ({}),
}: ProblemComparison): Promise<GateAnswer> {
  const evidence = createCommandEvidence(candidate);
  const obstacle = explainIncompleteRun(candidate);
  if (obstacle) return unknown(obstacle, evidence);
  if (candidate.missing !== undefined) return failed(missingWithChangeSentence(candidate), evidence);
  const after = value ?? [];
  const isClean = candidate.exitCode === 0 && after.length === 0;
  if (isClean && !mustRunBase) return passed(`No ${noun}.`, { ...evidence, problems: 0 });

  const baseResult = await base();
  const baseAnswer = baseResult?.answer ?? null;
  if (baseAnswer) {
    const baseObstacle = explainIncompleteRun(baseAnswer);
    if (baseObstacle) return unknown(`The unchanged repository could not be compared: ${baseObstacle}`, evidence);
  }
  const before = baseResult?.value ?? [];
  const evidenceWithCounts = { ...evidence, problems: after.length, problemsBefore: before.length };
  if (isClean)
    return passed(
      before.length > 0
        ? `No ${noun} any more; ${formatCount(before.length, noun)} without the change.`
        : `No ${noun}.`,
      evidenceWithCounts,
    );
  if (after.length === 0)
    return answerWithoutProblems(candidate, baseAnswer, value !== null, before, noun, evidenceWithCounts);
  // The tool broke down on the base without readable output, so there is nothing to compare with.
  if (baseAnswer && baseAnswer.exitCode !== 0 && before.length === 0)
    return unknown(
      `\`${candidate.line}\` does not work in the unchanged repository (it ends with ${baseAnswer.exitCode}).${quoteComplaint(baseAnswer.output)}`,
      evidenceWithCounts,
    );
  const newProblems = findNewProblems(before, after);
  if (newProblems.length === 0)
    return passed(
      after.length < before.length
        ? `${formatCount(before.length - after.length, noun)} less, and no new one; ${after.length} left.`
        : before.length > 0
          ? `No new ${noun}; ${formatCount(before.length, noun)} with and without the change.`
          : `No new ${noun}.`,
      evidenceWithCounts,
    );
  const newEvidence = { ...evidenceWithCounts, new: newProblems.length, ...evidenceOfNew(newProblems) };
  const problemList = `${newProblems.slice(0, 3).map(describe).join('; ')}${newProblems.length > 3 ? '; …' : ''}`;
  if (baseAnswer && baseAnswer.exitCode !== 0 && newProblems.every((problem) => isUsual(problem, before)))
    return unknown(
      `${formatCount(newProblems.length, noun)} of a kind that the file is full of: ${problemList}`,
      newEvidence,
    );
  return failed(`${formatCount(newProblems.length, `new ${noun}`)}: ${problemList}`, newEvidence);
}

/**
 * Combines the answers for several runs of a tool: a failure outweighs an unknown, and an unknown outweighs a success.
 * Needs at least one answer.
 */
export function combineAnswers(answers: readonly GateAnswer[]): GateAnswer {
  const worst = (['failed', 'unknown', 'passed'] as const).flatMap(
    (outcome) => answers.find((answer) => answer.outcome === outcome) ?? [],
  )[0]!;
  if (answers.length === 1 || worst.outcome === 'failed') return worst;
  return {
    ...worst,
    evidence: { ...worst.evidence, commands: answers.map(({ evidence }) => evidence['command']).join('\n') },
  };
}

/** The answer for a tool that exited with an error but named no problem. */
function answerWithoutProblems(
  candidate: CommandAnswer,
  base: CommandAnswer | null,
  isReadable: boolean,
  before: readonly Problem[],
  noun: string,
  evidence: GateAnswer['evidence'],
): GateAnswer {
  // A new file does not exist on the base. A tool without readable output has not checked it, because it is not
  // configured.
  if (base === null && !isReadable)
    return unknown(
      `\`${candidate.line}\` ends with ${candidate.exitCode} and names no ${noun}; without the change there ` +
        `is nothing to compare with.${quoteComplaint(candidate.output)}`,
      evidence,
    );
  if (base && base.exitCode !== 0 && before.length === 0)
    return unknown(
      `\`${candidate.line}\` ends with ${candidate.exitCode}, with and without the change, and names ` +
        `no ${noun}.${quoteComplaint(base.output)}`,
      evidence,
    );
  return failed(
    `\`${candidate.line}\` ends with ${candidate.exitCode} with the change${base?.exitCode === 0 ? ', and with 0 without it' : ''}.`,
    evidence,
  );
}

/** The reason why nothing can be concluded from a run, as a sentence; null if the run completed. */
function explainIncompleteRun(answer: CommandAnswer): string | null {
  if (answer.outcome === 'timedOut') return `\`${answer.line}\` was ended after ${Math.round(answer.millis / 1000)} s.`;
  if (answer.exceeded !== null) return `\`${answer.line}\` was ended: ${answer.exceeded}.`;
  if (answer.outcome === 'notFound') return missingProgramSentence(answer);
  return null;
}

function describe({ path, code, message }: Problem): string {
  return [path, code, message].filter((part) => part !== '').join(' ');
}
