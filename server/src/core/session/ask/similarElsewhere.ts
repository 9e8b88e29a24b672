// Finds code in other repositories on this machine that is similar to a task, if the person wants it in questions.

import { basename } from 'node:path';
import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { estimatedTokens } from '../../model/asks.ts';
import type { Operation } from '../../operation.ts';
import type { SessionContext } from '../context.ts';

/** The share of the budget for files that code of other repositories may take. */
const SHARE = 0.1;
const MAX_PLACES = 3;

/** The places, each with its source: repository, path and lines. None unless `models.references` is on. */
export async function similarElsewhere(
  { settings, ports }: SessionContext,
  words: string,
  budget: number,
  operation: Operation,
): Promise<readonly { readonly source: string; readonly text: string }[]> {
  if (!settings['models.references'] || !ports.references) return [];
  let left = budget * SHARE;
  try {
    const hits = await ports.references.search(words, MAX_PLACES, operation);
    return hits.flatMap(({ repository, path, startLine, endLine, text }) => {
      const tokens = estimatedTokens(text);
      if (tokens > left) return [];
      left -= tokens;
      return [{ source: `${basename(repository)}/${path}, lines ${startLine} to ${endLine}`, text }];
    });
  } catch (error) {
    throwIfCancelled(operation.signal);
    if (!(error instanceof SelfwareError)) throw error;
    ports.log.write('warn', `Other repositories were not searched: ${describeError(error)}`);
    return [];
  }
}
