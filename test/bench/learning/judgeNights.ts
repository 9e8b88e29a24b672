// Judges the answers of both nights by the checks, and by the demands of a person on the tests of the repository.

import { join } from 'node:path';
import type { Proposal } from '../../../server/src/core/model.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { writeDiffs } from '../repositories/keptDiffs.ts';
import { copyOfHome } from './leaveNights.ts';
import {
  inTrusted,
  mailOf,
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
  return inTrusted(place, copyOfHome(place, 'start', 'first'), signal, async (session) => {
    const asked: Asked[] = [];
    for (const path of paths) asked.push(await askAbout(session, place, 'first', path, signal));
    const judged: Judged[] = [];
    for (const one of asked) judged.push(await judge(session, place, 'first', one, signal));
    return judged;
  });
}

/** Judges answers of the second night. Each starts from the same state, so that no answer teaches about another. */
export async function judgeSecond(
  place: LearningPlace,
  arm: Exclude<Arm, 'first'>,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const [at, path] of paths.entries()) {
    const home = copyOfHome(place, arm === 'with' ? 'first' : 'start', `${arm}-${at + 1}`);
    judged.push(
      await inTrusted(place, home, signal, async (session) =>
        judge(session, place, arm, await askAbout(session, place, arm, path, signal), signal),
      ),
    );
  }
  return judged;
}

/** The demands of a person about this repository; none if the file is missing. */
export function demandsOf(place: LearningPlace): readonly Demand[] {
  return readKept<readonly Demand[]>(place, 'demands.json') ?? [];
}

/** The reason with which a person rejects a change that adds these lines; null if the person keeps it. */
export function rejection(added: readonly string[], demands: readonly Demand[]): string | null {
  const broken = demands.find(({ of, every, none }) => {
    const hasMissing = every !== undefined && added.some((line) => matches(line, of ?? '') && !matches(line, every));
    return hasMissing || (none !== undefined && added.some((line) => matches(line, none)));
  });
  return broken?.reason ?? null;
}

function matches(line: string, pattern: string): boolean {
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
  const proposer = `later:${mailOf(place, arm)}`;
  const { proposal, refused, leftAt } = await session.questions.ask({ task: { tests: path }, proposer, signal });
  return { path, proposal, refused, isLeft: leftAt !== undefined };
}

async function judge(
  session: Session,
  place: LearningPlace,
  arm: Arm,
  { path, proposal, refused, isLeft }: Asked,
  signal: AbortSignal,
): Promise<Judged> {
  if (!proposal) {
    const nothing = { path, proposal: null, added: [], reason: refused ?? '' };
    return isLeft ? { ...nothing, outcome: 'unanswered', by: null } : { ...nothing, outcome: 'refused', by: 'answer' };
  }
  const verified = await session.verification.verify(proposal.id, { signal }, { atOnce: true });
  writeDiffs(join(place.root, 'diffs', arm, path.replaceAll('/', '-')), [verified]);
  const added = addedLines(verified);
  const common = { path, proposal: proposal.id, added };
  if (verified.status !== 'verified') {
    const by = verified.verdicts.find(({ outcome }) => outcome === 'failed')?.gate ?? verified.status;
    return { ...common, outcome: 'refused', by, reason: verified.reason ?? '' };
  }
  const reason = rejection(added, demandsOf(place));
  if (reason === null) return { ...common, outcome: 'kept', by: null, reason: verified.strength ?? '' };
  await session.proposals.decide({ proposal: proposal.id, verdict: 'rejected', by: 'person', reason });
  return { ...common, outcome: 'rejected', by: null, reason };
}

/** The lines that a change adds, without white space at their beginning and end. */
function addedLines({ edits }: Proposal): readonly string[] {
  return edits.flatMap(({ before, after }) => {
    const old = new Set((before ?? '').split('\n'));
    return (after ?? '').split('\n').flatMap((line) => (old.has(line) ? [] : [line.trim()]));
  });
}

/** Rejects the verified changes of the first night that do not meet the demands, which were written after it. */
export async function rejectFirst(
  place: LearningPlace,
  judged: readonly Judged[],
  signal: AbortSignal,
): Promise<readonly Judged[]> {
  const demands = demandsOf(place);
  return inTrusted(place, copyOfHome(place, 'start', 'first'), signal, async (session) => {
    const now: Judged[] = [];
    for (const one of judged) {
      const reason = one.outcome === 'kept' ? rejection(one.added, demands) : null;
      if (reason === null) now.push(one);
      else {
        await session.proposals.decide({ proposal: one.proposal!, verdict: 'rejected', by: 'person', reason });
        now.push({ ...one, outcome: 'rejected', reason });
      }
    }
    writeKept(place, 'first.json', now);
    return now;
  });
}
