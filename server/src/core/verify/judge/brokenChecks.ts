// Determines the answer of a check that breaks down because of the code that it reads, such as code that is nested too
// deeply for a parser.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { rejectWhenAborted } from '../../../util/watchdog.ts';
import type { FileEdit } from '../../model.ts';
import type { GateName } from '../../model/gates.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { ThreadEndedError } from '../../ports/jobs.ts';
import { unknown, type GateAnswer } from '../answer.ts';
import type { VerifyContext } from '../context.ts';
import { selectEditsToCompare } from './cachedPlan.ts';

/** How a check reads code. */
interface CodeReading {
  /** Selects the edits that the check reads. */
  selectReadEdits(edits: readonly FileEdit[]): readonly FileEdit[];
  /** Reads the code of these edits as the check does; undefined if the check would not read it. */
  read(context: VerifyContext, edits: readonly FileEdit[]): Promise<unknown> | undefined;
}

/**
 * The checks that do not decide whether a change is blocked, and how each reads code. If any other check breaks down,
 * the change cannot be judged.
 */
const READER_BY_GATE: Readonly<Partial<Record<GateName, CodeReading>>> = {
  score: { selectReadEdits: (edits) => edits, read: ({ score }, edits) => score(edits) },
  differential: {
    selectReadEdits: (edits) => selectEditsToCompare(edits).filter(({ path }) => SCRIPT_PATTERN.test(path)),
    read: ({ proof }, edits) => proof?.planDifferential(edits),
  },
  guard: {
    selectReadEdits: (edits) => edits.filter((edit) => edit.after !== null && !isTestEdit(edit)),
    read: ({ proof }, edits) => proof?.planMutants(edits, 1),
  },
};

/**
 * An unknown answer, with the unreadable file, for a check that broke down and blocks nothing; null for other errors.
 * If the signal is aborted, does not search for the file.
 */
export async function answerIfBrokenDown(
  gate: GateName,
  error: unknown,
  context: VerifyContext,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<GateAnswer | null> {
  const reader = READER_BY_GATE[gate];
  if (!reader || !isInternal(error)) return null;
  const evidence = { brokenDown: error.message };
  const unreadable = await findUnreadable(
    reader.selectReadEdits(edits),
    async (read) => reader.read(context, read),
    signal,
  );
  return unknown(
    unreadable === null
      ? `Not known, because this check broke down: ${describeReason(error)}.`
      : `Not known, because ${unreadable.edit.path} cannot be read: ${describeReason(unreadable.error)}.`,
    evidence,
  );
}

/** The reason of an error, as the end of a sentence. */
export function describeReason(error: unknown): string {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return /call stack/i.test(reason) ? 'the code is nested too deeply' : reason.replace(/\.$/, '');
}

/**
 * The first edit that cannot be read even alone, with the error; null if there is none. Edits that can be read together
 * are not read one by one.
 */
async function findUnreadable(
  edits: readonly FileEdit[],
  read: (edits: readonly FileEdit[]) => Promise<unknown>,
  signal: AbortSignal,
): Promise<{ readonly edit: FileEdit; readonly error: SelfwareError } | null> {
  if (edits.length === 0 || signal.aborted) return null;
  const error: unknown = await rejectWhenAborted(read(edits), signal).then(
    () => null,
    (cause: unknown) => cause,
  );
  // A thread that ended, for example for lack of memory, says nothing about the code.
  if (!isInternal(error) || error instanceof ThreadEndedError) return null;
  if (edits.length === 1) return { edit: edits[0]!, error };
  const middle = edits.length >> 1;
  return (
    (await findUnreadable(edits.slice(0, middle), read, signal)) ?? findUnreadable(edits.slice(middle), read, signal)
  );
}

function isInternal(error: unknown): error is SelfwareError {
  return error instanceof SelfwareError && error.reason === 'internal';
}
