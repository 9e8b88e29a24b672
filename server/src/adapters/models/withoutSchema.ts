// Takes the schema out of a question, for servers and models that cannot hold an answer to one.

import type { ProposerRequest } from '../../core/ports/proposers.ts';

/** The same request without the schema. The question itself says what the answer looks like. */
export function withoutSchema({ id, task, messages, maxTokens, deadline }: ProposerRequest): ProposerRequest {
  return { id, task, messages, maxTokens, deadline };
}
