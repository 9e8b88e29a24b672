// One call of a tool, from any face: the input is checked, and trouble becomes an answer that says what to do.

import * as z from 'zod';
import { SelfwareError, describeError } from '../util/typedError.ts';
import { clip } from './bounds.ts';
import type { Question, Tool, ToolAnswer, ToolCall } from './tool.ts';
import { toolTable } from './toolTable.ts';

/** No answer is longer than this, whatever a tool has put together; `context` is as long as it was asked to be. */
const MOST_TEXT_TOKENS = 20_000;
const ERROR_TOKENS = 1_000;

export type ToolOutcome = (ToolAnswer & { readonly failed: boolean }) | Question;

export function toolNamed(name: string): Tool | undefined {
  return toolTable.find((known) => known.name === name);
}

/** Rejects with `cancelled` alone; any other trouble is an answer. Trouble of ours goes to `onFault`. */
export async function callTool(
  tool: Tool,
  input: unknown,
  call: ToolCall,
  onFault: (error: unknown) => void,
): Promise<ToolOutcome> {
  try {
    const answer = await tool.run(parsed(tool, input), call);
    if ('ask' in answer) return answer;
    return {
      ...answer,
      text: tool.name === 'context' ? answer.text : clip(answer.text, MOST_TEXT_TOKENS),
      failed: false,
    };
  } catch (error) {
    if (call.operation.signal.aborted || (error instanceof SelfwareError && error.reason === 'cancelled'))
      throw error instanceof SelfwareError ? error : new SelfwareError('cancelled', 'Cancelled.', { cause: error });
    return trouble(error, onFault);
  }
}

/** What to ask a person before the tool runs; null = nothing. Trouble is left to the call itself. */
export async function questionOf(tool: Tool, input: unknown, session: ToolCall['session']): Promise<Question | null> {
  if (!tool.question) return null;
  try {
    return await tool.question(parsed(tool, input), session);
  } catch (error) {
    if (error instanceof SelfwareError) return null;
    throw error;
  }
}

/** The same for trouble that comes before a call: a session that cannot be opened. */
export function trouble(error: unknown, onFault: (error: unknown) => void): ToolAnswer & { readonly failed: true } {
  if (!(error instanceof SelfwareError) || error.reason === 'internal') onFault(error);
  const reason = error instanceof SelfwareError ? error.reason : 'internal';
  const message =
    error instanceof SelfwareError
      ? clip(describeError(error), ERROR_TOKENS)
      : 'Selfware could not do this; its log says why. Nothing was written.';
  return { structured: { error: { reason, message } }, text: message, failed: true };
}

function parsed(tool: Tool, input: unknown): unknown {
  const outcome = tool.input.safeParse(input ?? {});
  if (outcome.success) return outcome.data;
  throw new SelfwareError(
    'usage',
    `The input of ${tool.name} does not match its schema. ${z.prettifyError(outcome.error)}`,
  );
}
