// Reads from a ledger which proposers were asked recently, without writing to it.

import { existsSync } from 'node:fs';
import { parseJsonOrNull } from '../../util/parseJson.ts';
import { isRecord } from '../../util/values/isRecord.ts';

/** The parts of a question that show whether a model was loaded for it. Times are milliseconds since the epoch. */
export interface AskedProposer {
  readonly at: number;
  /** The time of its answer; without one, the time until which one may come. */
  readonly endsAt: number;
  /** False if the question ended before an answer began. */
  readonly hasBegun: boolean;
  readonly proposer: string;
  /** As in the event of the question; null if no unattended run asked. */
  readonly run: string;
  readonly night: number | null;
  /** True if the model had to be loaded for this question; null if it is unknown. */
  readonly loads: boolean | null;
}

/**
 * The questions in the ledger `file` that were asked since this time, oldest first; none if there is no such file. The
 * chain of events is not checked. Rejects with the error of SQLite.
 */
export async function readAskedProposers(file: string, since: number): Promise<readonly AskedProposer[]> {
  if (!existsSync(file)) return [];
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database
      .prepare("SELECT at, type, data FROM events WHERE type IN ('asked', 'answered') AND at >= ? ORDER BY at")
      .all(since);
    const questions = new Map<string, AskedProposer>();
    for (const { at, type, data } of rows) {
      const event = parseJsonOrNull(String(data));
      if (!isRecord(event) || typeof event.ask !== 'string') continue;
      const question = questions.get(event.ask);
      if (type === 'asked' && typeof event.proposer === 'string')
        questions.set(event.ask, createQuestion(Number(at), event.proposer, event));
      else if (type === 'answered' && question)
        questions.set(event.ask, {
          ...question,
          endsAt: Math.min(question.endsAt, Number(at)),
          hasBegun: event.usage !== null || (event.outcome !== 'failed' && event.outcome !== 'cancelled'),
        });
    }
    return [...questions.values()];
  } finally {
    database.close();
  }
}

/** Creates a question that has no answer yet. `event`: the data of the event `asked`. */
function createQuestion(at: number, proposer: string, event: Readonly<Record<string, unknown>>): AskedProposer {
  const { run, night, loads, budget } = event;
  const seconds = isRecord(budget) && typeof budget.seconds === 'number' ? budget.seconds : 0;
  return {
    at,
    endsAt: at + seconds * 1000,
    hasBegun: true,
    proposer,
    run: typeof run === 'string' ? run : '',
    night: typeof night === 'number' ? night : null,
    loads: typeof loads === 'boolean' ? loads : null,
  };
}
