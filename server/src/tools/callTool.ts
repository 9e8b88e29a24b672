// Calls a tool of the table: validates the input, and turns an error into an answer with advice.

import * as z from 'zod';
import { SelfwareError, describeError } from '../util/typedError.ts';
import { OWN_FAULT } from '../core/learn/performance/figures.ts';
import type { Session } from '../core/session.ts';
import { truncate } from './bounds.ts';
import type { ToolConsentQuestion, Tool, ToolAnswer, ToolCall } from './tool.ts';
import { toolTable } from './toolTable.ts';

/**
 * Maximum number of tokens of an answer. It does not apply to the tool `context`, whose answers are as long as the
 * caller requests.
 */
const MAX_TEXT_TOKENS = 20_000;
/** Maximum number of tokens of an error. */
const MAX_ERROR_TOKENS = 1_000;

/** The answer of a tool, or its question for a person. `failed`: the answer describes an error. */
export type ToolOutcome = (ToolAnswer & { readonly failed: boolean }) | ToolConsentQuestion;

/** The tool of this name; undefined if there is none. */
export function findTool(name: string): Tool | undefined {
  return toolTable.find((tool) => tool.name === name);
}

/**
 * Calls a tool. Rejects only with `cancelled`; any other error becomes an answer. Faults of Selfware are also passed to
 * `onFault`: errors with the reason `internal`, and errors that are not a `SelfwareError`.
 */
export async function callTool(
  tool: Tool,
  input: unknown,
  call: ToolCall,
  onFault: (error: unknown) => void,
): Promise<ToolOutcome> {
  const startedAt = performance.now();
  const measureMillis = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await tool.run(parseInput(tool, input), call);
    if ('ask' in answer) return answer;
    await recordCall(tool, call, { error: null, millis: measureMillis() }, onFault);
    return {
      ...answer,
      text: tool.name === 'context' ? answer.text : truncate(answer.text, MAX_TEXT_TOKENS),
      failed: false,
    };
  } catch (error) {
    if (call.operation.signal.aborted || (error instanceof SelfwareError && error.reason === 'cancelled'))
      throw error instanceof SelfwareError ? error : new SelfwareError('cancelled', 'Cancelled.', { cause: error });
    await recordCall(tool, call, { error, millis: measureMillis() }, onFault);
    return createToolErrorAnswer(error, onFault);
  }
}

/** Records the outcome of a call as feedback. If recording fails, the answer of the call stays the same. */
async function recordCall(
  { name }: Tool,
  { session }: ToolCall,
  { error, millis }: { readonly error: unknown; readonly millis: number },
  onFault: (error: unknown) => void,
): Promise<void> {
  // Calls of the tools for feedback are not recorded, because such records would only be about the feedback itself.
  if (name.startsWith('feedback_') || name === 'self_improve' || name === 'inbox') return;
  const note = error === null ? null : error instanceof SelfwareError ? error.message : OWN_FAULT;
  await recordOutcome(session, { name, failed: error !== null, note, millis }, onFault);
}

/** Records that a tool of Selfware worked or failed. Faults of the recording are passed to `onFault`. */
export async function recordOutcome(
  { learned }: Pick<Session, 'learned'>,
  call: { readonly name: string; readonly failed: boolean; readonly note: string | null; readonly millis: number },
  onFault: (error: unknown) => void,
): Promise<void> {
  const kind = call.failed ? 'tool_failure' : 'tool_success';
  try {
    await learned.record({ kind, dimension: `tool:${call.name}`, value: call.millis, note: call.note, own: true });
  } catch (failure) {
    // A ledger that cannot be written to is reported elsewhere.
    if (!(failure instanceof SelfwareError)) onFault(failure);
  }
}

/**
 * The question for a person before the tool runs; null if there is none. Null also for an expected error, because the
 * call itself reports it.
 */
export async function createToolConsentQuestion(
  tool: Tool,
  input: unknown,
  session: ToolCall['session'],
): Promise<ToolConsentQuestion | null> {
  if (!tool.question) return null;
  try {
    return await tool.question(parseInput(tool, input), session);
  } catch (error) {
    if (error instanceof SelfwareError) return null;
    throw error;
  }
}

/**
 * The answer for an error during a call or before it, for example if the session cannot be opened. Faults of Selfware
 * are passed to `onFault`.
 */
export function createToolErrorAnswer(
  error: unknown,
  onFault: (error: unknown) => void,
): ToolAnswer & { readonly failed: true } {
  if (!(error instanceof SelfwareError) || error.reason === 'internal') onFault(error);
  const reason = error instanceof SelfwareError ? error.reason : 'internal';
  const message =
    error instanceof SelfwareError
      ? truncate(describeError(error), MAX_ERROR_TOKENS)
      : 'Selfware could not do this; its log says why. Nothing was written.';
  return { structured: { error: { reason, message } }, text: message, failed: true };
}

/** The validated input of a tool. Throws `usage` if it does not match the schema. */
export function parseInput<Input>(tool: Pick<Tool<Input>, 'name' | 'input'>, input: unknown): Input {
  const parsed = tool.input.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  throw new SelfwareError(
    'usage',
    `The input of ${tool.name} does not match its schema. ${z.prettifyError(parsed.error)}`,
  );
}
