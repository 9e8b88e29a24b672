// Removes the schema from a question, for servers and models that cannot follow one in an answer.

import type { ProposerRequest } from '../../core/ports/proposers.ts';

/**
 * The question without its schema, and without the hints for caching and for limits. Its text still describes the form
 * of the answer.
 */
export function removeSchema({ id, task, messages, maxTokens, deadline }: ProposerRequest): ProposerRequest {
  return { id, task, messages, maxTokens, deadline };
}
