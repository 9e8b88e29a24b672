// The types and lint gates alike: a repository that is red before is compared, never demanded clean.

import { evidenceOf, type CommandAnswer } from '../commands.ts';
import { counted, failed, passed, unknown, type GateAnswer, type GateRun } from '../gate.ts';
import { added, type Problem } from '../parse/problem.ts';

export interface Comparison {
  /** `type error`, `lint problem`. */
  readonly noun: string;
  readonly candidate: CommandAnswer;
  /** Runs the base, or answers null where the base has nothing that the tool could look at. */
  base(): Promise<CommandAnswer | null>;
  /** Null = not readable. */
  parse(answer: CommandAnswer): Problem[] | null;
  /** Two problems with one key are the same one. */
  keyOf(problem: Problem): string;
}

/** Only problems that the base does not have fail the candidate. The base is run only when the candidate is not clean. */
export async function compareProblems({ noun, candidate, base, parse, keyOf }: Comparison): Promise<GateAnswer> {
  const evidence = evidenceOf(candidate);
  const obstacle = obstacleOf(candidate);
  if (obstacle) return unknown(obstacle, evidence);
  const after = parse(candidate) ?? [];
  if (candidate.exitCode === 0 && after.length === 0) return passed(`No ${noun}.`, { ...evidence, problems: 0 });

  const answer = await base();
  if (answer) {
    const baseObstacle = obstacleOf(answer);
    if (baseObstacle) return unknown(`The unchanged repository could not be compared: ${baseObstacle}`, evidence);
  }
  const before = answer ? (parse(answer) ?? []) : [];
  const measured = { ...evidence, problems: after.length, problemsBefore: before.length };
  if (after.length === 0) return withoutProblems(candidate, answer, before, noun, measured);
  // The base broke down without a readable word: nothing to compare with.
  if (answer && answer.exitCode !== 0 && before.length === 0) return unknown(`\`${candidate.line}\` does not work in the unchanged repository (it ends with ${answer.exitCode}).`, measured);
  const fresh = added(before, after, keyOf);
  if (fresh.length === 0) return passed(before.length > 0 ? `No new ${noun}; ${counted(before.length, noun)} with and without the change.` : `No new ${noun}.`, measured);
  return failed(`${counted(fresh.length, `new ${noun}`)}: ${fresh.slice(0, 3).map(describe).join('; ')}${fresh.length > 3 ? '; …' : ''}`, { ...measured, new: fresh.length });
}

/** The same, with `run.base` for the command's own line. */
export function sameCommandOnBase(run: GateRun, command: Parameters<GateRun['base']>[0], signal: AbortSignal): () => Promise<CommandAnswer> {
  return () => run.base(command, signal);
}

/** The tool ended badly without naming a problem. */
function withoutProblems(candidate: CommandAnswer, base: CommandAnswer | null, before: readonly Problem[], noun: string, evidence: GateAnswer['evidence']): GateAnswer {
  if (base && base.exitCode !== 0 && before.length === 0) return unknown(`\`${candidate.line}\` ends with ${candidate.exitCode}, with and without the change, and names no ${noun}.`, evidence);
  return failed(`\`${candidate.line}\` ends with ${candidate.exitCode} with the change${base?.exitCode === 0 ? ', and with 0 without it' : ''}.`, evidence);
}

function obstacleOf(answer: CommandAnswer): string | null {
  if (answer.outcome === 'timedOut') return `\`${answer.line}\` was ended after ${Math.round(answer.millis / 1000)} s.`;
  if (answer.outcome === 'notFound') return `\`${answer.line}\` could not be started: it is not installed.`;
  return null;
}

function describe({ path, code, message }: Problem): string {
  return [path, code, message].filter((part) => part !== '').join(' ');
}
