// Finds code in other repositories on this machine that is similar to a task, if the person wants it in questions.

import { estimateTokens } from '../../../util/tokens.ts';
import { basename } from 'node:path';
import { describeError, throwIfCancelled } from '../../../util/typedError.ts';
import type { Operation } from '../../operation.ts';
import type { SessionContext } from '../context.ts';

/** Maximum number of search results. */
const MAX_PLACES = 3;

/**
 * Finds the places, each with its source: repository, path and lines. Empty if the setting `models.references` is off,
 * if other repositories cannot be searched, or if the search fails. `tokens`: maximum number of tokens of all texts
 * together. Throws `cancelled`.
 */
export async function findSimilarElsewhere(
  { settings, ports }: SessionContext,
  query: string,
  tokens: number,
  operation: Operation,
): Promise<readonly { readonly source: string; readonly text: string }[]> {
  if (!settings['models.references'] || !ports.references) return [];
  let remainingTokens = tokens;
  try {
    const hits = await ports.references.search(query, MAX_PLACES, operation);
    return hits.flatMap(({ repository, path, startLine, endLine, text }) => {
      const neededTokens = estimateTokens(text);
      if (neededTokens > remainingTokens) return [];
      remainingTokens -= neededTokens;
      return [{ source: `${basename(repository)}/${path}, lines ${startLine} to ${endLine}`, text }];
    });
  } catch (error) {
    throwIfCancelled(operation.signal);
    ports.log.write('warn', `Other repositories were not searched: ${describeError(error)}`);
    return [];
  }
}
