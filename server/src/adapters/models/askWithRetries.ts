// Asks a server, again while it is busy, and without the schema if the server may not support one.

import { setTimeout as pause } from 'node:timers/promises';
import type { ProposerReply, ProposerRequest } from '../../core/ports/proposers.ts';
import type { AnswerWatch } from './answerLimits.ts';
import { isServerFailure, mayRefuseSchema, computeRetryDelay } from './hostedErrors.ts';
import { removeSchema } from './withoutSchema.ts';

/** Facts that a proposer has learned about its server. */
export interface ServerTraits {
  /** True if the server answers only questions without a schema. */
  refusesSchema: boolean;
}

/** Asks once. Throws the error of the library or the server. */
export type AskOnce = (request: ProposerRequest, watch: AnswerWatch) => Promise<ProposerReply>;

/**
 * Asks once, and again after a pause while the server is busy. If a question with a schema fails, it may be because of
 * the schema, so it is asked again without one. A question is not asked again if a part of the answer has arrived,
 * because that is already paid for. `backoffMs`: milliseconds before the first retry, which double with each. Throws
 * the last error of `askOnce`.
 */
export async function askWithRetries(
  askOnce: AskOnce,
  serverTraits: ServerTraits,
  request: ProposerRequest,
  watch: AnswerWatch,
  backoffMs = 1000,
): Promise<ProposerReply> {
  let question = serverTraits.refusesSchema ? removeSchema(request) : request;
  let wasSchemaRefused = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const reply = await askOnce(question, watch);
      // The server answers without the schema, so it refuses schemas.
      serverTraits.refusesSchema ||= wasSchemaRefused;
      return reply;
    } catch (error) {
      if (watch.hasBegun || watch.signal.aborted) throw error;
      if (question.schema !== undefined && mayRefuseSchema(error)) {
        question = removeSchema(request);
        // A server that was broken for a moment may well support schemas.
        wasSchemaRefused = !isServerFailure(error);
        continue;
      }
      const delayMs = computeRetryDelay(error, attempt, backoffMs, request.deadline - Date.now());
      if (delayMs === null) throw error;
      watch.expectSilence();
      await pause(delayMs, undefined, { signal: watch.signal });
      watch.expectAnswer();
    }
  }
}
