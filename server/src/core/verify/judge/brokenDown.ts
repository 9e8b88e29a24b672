// What a judgement says of a check that breaks down because of the code that it reads, such as code that is nested
// deeper than a parser can follow.

import { SelfwareError } from '../../../util/typedError.ts';
import type { FileEdit } from '../../model.ts';
import type { GateName } from '../../model/gates.ts';
import { unknown, type GateAnswer } from '../answer.ts';
import type { VerifyContext } from '../context.ts';

type Reader = (context: VerifyContext, edit: FileEdit) => Promise<unknown> | undefined;

/**
 * The checks that do not decide whether a change is blocked, and how each reads one file. If another check breaks down,
 * the change cannot be judged.
 */
const READER_BY_GATE: Readonly<Partial<Record<GateName, Reader>>> = {
  score: ({ score }, edit) => score([edit]),
  differential: ({ proof }, edit) => proof?.planDifferential([edit]),
  guard: ({ proof }, edit) => proof?.planMutants([edit], 1),
};

/**
 * Unknown for a check that broke down and decides nothing, with the file that it cannot read; null for other errors.
 */
export async function answerIfBroken(
  gate: GateName,
  error: unknown,
  context: VerifyContext,
  edits: readonly FileEdit[],
): Promise<GateAnswer | null> {
  const read = READER_BY_GATE[gate];
  if (!read || !isInternal(error)) return null;
  const evidence = { brokenDown: error.message };
  for (const edit of edits) {
    const isReadable = await Promise.resolve(read(context, edit)).then(
      () => true,
      (cause: unknown) => !isInternal(cause),
    );
    if (!isReadable)
      return unknown(`Not known: ${edit.path} cannot be read, because ${reasonInWords(error)}.`, evidence);
  }
  return unknown(`Not known: this check broke down, because ${reasonInWords(error)}.`, evidence);
}

/** The reason of an error, as the end of a sentence. */
export function reasonInWords(error: unknown): string {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return /call stack/i.test(reason) ? 'the code is nested too deeply' : reason;
}

function isInternal(error: unknown): error is SelfwareError {
  return error instanceof SelfwareError && error.reason === 'internal';
}
