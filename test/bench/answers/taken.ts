// Reads the answers in a mailbox, and judges each as Selfware does. Every task starts from the same state, so that no
// answer changes the question of another task.

import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Proposal } from '../../../server/src/core/model.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { askForProposal } from '../../../server/src/core/session/ask/askForProposal.ts';
import { taskId } from '../../../server/src/core/session/ask/taskId.ts';
import { writeDiffs } from '../repositories/keptDiffs.ts';
import type { Kind } from './kinds.ts';
import { openTrusted, readTasks, type LeftTask, type Place } from './questions.ts';

/** The refusal of an answer. */
export interface Refusal {
  /** A gate; or `answer`, if the answer could not be read or its edits had no place. */
  readonly by: string;
  readonly reason: string;
}

/** The outcome of one task. */
export interface Taken {
  readonly repository: string;
  readonly kind: Kind;
  readonly about: string;
  /** Number of answers; after a refusal, the question is asked again. */
  readonly answers: number;
  /** True if the edits of at least one answer could be filed as a proposal. */
  readonly filed: boolean;
  readonly verified: boolean;
  readonly strength: string | null;
  readonly refusals: readonly Refusal[];
  readonly cameTo: string;
  /** The file with the diff of the last proposal, relative to the folder that is kept. */
  readonly diff: string | null;
}

/** Judges the answers to all tasks of a repository. A task without an answer has no answers and no proposal. */
export async function takeAnswers(
  place: Place,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<readonly Taken[]> {
  const takenAnswers: Taken[] = [];
  for (const [index, task] of readTasks(place).entries()) {
    signal.throwIfAborted();
    const takenAnswer = await takeAnswer(place, task, index, signal);
    note(`${place.name}: ${takenAnswer.kind}, ${takenAnswer.about}: ${takenAnswer.cameTo}`);
    takenAnswers.push(takenAnswer);
  }
  return takenAnswers;
}

async function takeAnswer(place: Place, task: LeftTask, index: number, signal: AbortSignal): Promise<Taken> {
  const number = String(index + 1).padStart(2, '0');
  const home = join(place.root, 'states', number);
  if (!existsSync(home)) {
    mkdirSync(join(place.root, 'states'), { recursive: true });
    cpSync(place.home, home, { recursive: true });
  }
  const session = await openTrusted(place.dir, home, signal);
  try {
    const id = taskId(task.request);
    let { own, proposals } = await findAnswersTo(id, session);
    let reasons: readonly string[] = [];
    // A run that was stopped continues with the tasks that it had not judged.
    if (proposals.at(-1)?.status !== 'verified') {
      const request = { task: task.request, proposer: `later:${place.mail}`, verify: true };
      ({ refusals: reasons } = await askForProposal(session, request, { signal }));
      ({ own, proposals } = await findAnswersTo(id, session));
    }
    const last = proposals.at(-1) ?? null;
    const diffs = join(place.root, 'diffs', number);
    if (proposals.length > 0) writeDiffs(diffs, proposals);
    const verified = last?.status === 'verified';
    return {
      repository: place.name,
      kind: task.kind,
      about: `${task.rule} ${task.path}`.trim(),
      answers: own.length,
      filed: last !== null,
      verified,
      strength: verified ? (last.strength ?? null) : null,
      refusals: [
        ...own.flatMap(({ proposal, reason }) => (proposal === null ? [{ by: 'answer', reason: reason ?? '' }] : [])),
        ...proposals.filter(({ status }) => status !== 'verified').flatMap(listRefusals),
      ],
      cameTo: verified ? `verified (${last.strength ?? 'no strength'})` : (reasons.at(-1) ?? ''),
      diff: last === null ? null : relative(join(place.root, '..'), diffs),
    };
  } finally {
    await session.close();
  }
}

/** The answers to one task, oldest first, and the proposals that were filed from them. */
async function findAnswersTo(
  id: string,
  session: Session,
): Promise<{ readonly own: readonly Answered[]; readonly proposals: readonly Proposal[] }> {
  const events = (await session.ledger.query({ types: ['answered'] })).map(({ data }) => data as Answered);
  const answersToTask = events.filter((answer) => answer.task.id === id);
  const proposalIds = answersToTask.flatMap(({ proposal }) => (proposal === null ? [] : [proposal]));
  return {
    own: answersToTask,
    proposals: await Promise.all(proposalIds.map((proposal) => session.proposals.get(proposal))),
  };
}

/** An `answered` event of the ledger, as far as it is read here. */
interface Answered {
  readonly task: { readonly id: string };
  readonly proposal: string | null;
  readonly reason: string | null;
}

/** The failed gates of a proposal with their reasons; otherwise its status. */
function listRefusals({ verdicts, reason, status }: Proposal): readonly Refusal[] {
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0) return failed.map((verdict) => ({ by: verdict.gate, reason: verdict.reason }));
  return [{ by: status, reason: reason ?? '' }];
}
