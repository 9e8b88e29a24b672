// Answers requests to search the code, and for context packs (the code and knowledge that a task needs, within a token
// budget).

import type { ContextAnswer, ContextParams, SearchAnswer, SearchParams } from '#protocol/memory';
import { requests } from '#protocol/methods';
import { describeError, SelfwareError } from '../../util/typedError.ts';
import { parseContextParams, parseSearchParams } from '../memoryParams.ts';
import { guardRequest, isCancelled } from '../guardHandlers.ts';
import { insertCommandTitles } from '../paletteTitles.ts';
import type { Feature, ServerContext, Repository } from '../serverContext.ts';

/** Registers the handlers. Problems that the client can solve are in the answer as a sentence (`trouble`). */
export const memory: Feature = (context) => {
  const { connection, log } = context;
  connection.onRequest(
    requests.search,
    guardRequest<SearchParams, SearchAnswer>(
      log,
      requests.search,
      { hits: [], trouble: 'The search failed; the log says why.' },
      async (params, signal) => {
        try {
          const { query, top, uri } = parseSearchParams(params);
          const repository = findRepository(context, uri);
          const hits = await (await repository.session()).memory.search(query, top, signal);
          return {
            hits: hits.map(({ path, startLine, endLine, symbol, score }) => ({
              uri: repository.uriOf(path),
              path,
              startLine,
              endLine,
              symbol,
              score,
            })),
            trouble: null,
          };
        } catch (error) {
          return { hits: [], trouble: describeProblem(error, context) };
        }
      },
    ),
  );
  connection.onRequest(
    requests.context,
    guardRequest<ContextParams, ContextAnswer>(
      log,
      requests.context,
      { pack: null, trouble: 'The context could not be packed; the log says why.' },
      async (params, signal) => {
        try {
          const { uri, ...request } = parseContextParams(params);
          return {
            pack: await (await findRepository(context, uri).session()).tasks.context(request, signal),
            trouble: null,
          };
        } catch (error) {
          return { pack: null, trouble: describeProblem(error, context) };
        }
      },
    ),
  );
  return {};
};

/**
 * The repository of a document or folder; the chosen one if `uri` is null. Throws `notFound` if the URI is in no open
 * folder.
 */
function findRepository({ repositories }: ServerContext, uri: string | null): Repository {
  if (uri === null) return repositories.chosen();
  const place = repositories.locate(uri);
  const owningRepository = place?.repository ?? repositories.all().find((repository) => repository.uri === uri);
  if (!owningRepository) throw new SelfwareError('notFound', `${uri} is in no open folder.`);
  return owningRepository;
}

/** The sentence about an error that the client can solve. Throws any other error again; the caller logs it. */
function describeProblem(error: unknown, { abilities }: ServerContext): string {
  if (!(error instanceof SelfwareError) || isCancelled(error) || error.reason === 'internal') throw error;
  return insertCommandTitles(describeError(error), abilities);
}
