// Judges the answers of both nights by the checks, and by the demands of a person on the tests of the repository.

import { join } from 'node:path';
import type { Proposal } from '../../../server/src/core/model.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { writeDiffs } from '../repositories/keptDiffs.ts';
import { copyHome } from './leaveNights.ts';
import {
  runInTrusted,
  mailFolderOf,
  readKept,
  writeKept,
  type Arm,
  type Demand,
  type Judged,
  type LearningPlace,
} from './learningPlace.ts';

/**
 * Judges the first night. All answers are filed before the first check, because lessons from a check would change the
 * questions. A change that passes the checks but not the person's demands is rejected with the person's reason.
 */
export async function judgeFirst(
  place: LearningPlace,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly Judged[]> {
  return runInTrusted(place, copyHome(place, 'start', 'first'), signal, async (session) => {
    const questions: Asked[] = [];
    for (const path of paths) questions.push(await askAbout(session, place, 'first', path, signal));
    const judgedAnswers: Judged[] = [];
    for (const question of questions) judgedAnswers.push(await judge(session, place, 'first', question, signal));
    return judgedAnswers;
  });
}

/** Judges answers of the second night. Each starts from the same state, so that no answer teaches about another. */
export async function judgeSecond(
  place: LearningPlace,
  arm: Exclude<Arm, 'first'>,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly Judged[]> {
  const judgedAnswers: Judged[] = [];
  for (const [index, path] of paths.entries()) {
    const home = copyHome(place, arm === 'with' ? 'first' : 'start', `${arm}-${index + 1}`);
    judgedAnswers.push(
      await runInTrusted(place, home, signal, async (session) =>
        judge(session, place, arm, await askAbout(session, place, arm, path, signal), signal),
      ),
    );
  }
  return judgedAnswers;
}

/** The demands of a person about this repository; none if the file is missing. */
export function readDemands(place: LearningPlace): readonly Demand[] {
  return readKept<readonly Demand[]>(place, 'demands.json') ?? [];
}

/** The reason with which a person rejects a change that adds these lines; null if the person keeps it. */
export function findRejection(added: readonly string[], demands: readonly Demand[]): string | null {
  const broken = demands.find(({ of, every, none }) => {
    const hasMissing =
      every !== undefined && added.some((line) => isMatching(line, of ?? '') && !isMatching(line, every));
    return hasMissing || (none !== undefined && added.some((line) => isMatching(line, none)));
  });
  return broken?.reason ?? null;
}

function isMatching(line: string, pattern: string): boolean {
  return new RegExp(pattern, 'u').test(line);
}

/** A question with the proposal that was filed from its answer. */
interface Asked {
  readonly path: string;
  readonly proposal: Proposal | null;
  readonly refused: string | null;
  readonly isLeft: boolean;
}

async function askAbout(
  session: Session,
  place: LearningPlace,
  arm: Arm,
  path: string,
  signal: AbortSignal,
): Promise<Asked> {
  const proposer = `later:${mailFolderOf(place, arm)}`;
  const {
    proposal,
    refused: refusal,
    leftAt,
  } = await session.questions.ask({ task: { tests: path }, proposer, signal });
  return { path, proposal, refused: refusal, isLeft: leftAt !== undefined };
}

async function judge(
  session: Session,
  place: LearningPlace,
  arm: Arm,
  { path, proposal, refused: refusal, isLeft }: Asked,
  signal: AbortSignal,
): Promise<Judged> {
  if (!proposal) {
    const base = { path, proposal: null, added: [], reason: refusal ?? '' };
    return isLeft ? { ...base, outcome: 'unanswered', by: null } : { ...base, outcome: 'refused', by: 'answer' };
  }
  const verified = await session.verification.verify(proposal.id, { signal }, { atOnce: true });
  writeDiffs(join(place.root, 'diffs', arm, path.replaceAll('/', '-')), [verified]);
  const added = findAddedLines(verified);
  const common = { path, proposal: proposal.id, added };
  if (verified.status !== 'verified') {
    const by = verified.verdicts.find(({ outcome }) => outcome === 'failed')?.gate ?? verified.status;
    return { ...common, outcome: 'refused', by, reason: verified.reason ?? '' };
  }
  const reason = findRejection(added, readDemands(place));
  if (reason === null) return { ...common, outcome: 'kept', by: null, reason: verified.strength ?? '' };
  await session.proposals.decide({ proposal: proposal.id, verdict: 'rejected', by: 'person', reason });
  return { ...common, outcome: 'rejected', by: null, reason };
}

/** The lines that a change adds, without white space at their beginning and end. */
function findAddedLines({ edits }: Proposal): readonly string[] {
  return edits.flatMap(({ before, after }) => {
    const old = new Set((before ?? '').split('\n'));
    return (after ?? '').split('\n').flatMap((line) => (old.has(line) ? [] : [line.trim()]));
  });
}

/** Rejects the verified changes of the first night that do not meet the demands, which were written after it. */
export async function rejectFirst(
  place: LearningPlace,
  judgedAnswers: readonly Judged[],
  signal: AbortSignal,
): Promise<readonly Judged[]> {
  const demands = readDemands(place);
  return runInTrusted(place, copyHome(place, 'start', 'first'), signal, async (session) => {
    const updated: Judged[] = [];
    for (const answer of judgedAnswers) {
      const reason = answer.outcome === 'kept' ? findRejection(answer.added, demands) : null;
      if (reason === null) updated.push(answer);
      else {
        await session.proposals.decide({ proposal: answer.proposal!, verdict: 'rejected', by: 'person', reason });
        updated.push({ ...answer, outcome: 'rejected', reason });
      }
    }
    writeKept(place, 'first.json', updated);
    return updated;
  });
}
