// Searches on request: calls that break exported functions, and mistakes that no test notices. The findings become
// opportunities; the answer is a page that lists them.

import type { ReportPage } from '#protocol/reports';
import { SelfwareError } from '../../util/typedError.ts';
import { counted } from '../../util/counted.ts';
import { callsPage, mistakesPage } from '../searchPages.ts';
import { searchOnRequestParamsFrom } from '../fromProtocol.ts';
import { showMessage } from '../showMessage.ts';
import type { Operation } from '../../core/operation.ts';
import type { Session } from '../../core/session.ts';
import type { ServerContext, Repository } from '../serverContext.ts';
import { operate, type CommandRequest, type ServerCommand } from './command.ts';

/** Seconds for one search, as on the command line. The next search continues where this one ended. */
const SECONDS = { calls: 60, mistakes: 120 } as const;

interface Searched {
  readonly found: number;
  readonly files: number;
  /** The number of checks or files for which there was no time. */
  readonly undone: number;
  readonly page: ReportPage;
}

interface Search {
  /** The title of the progress. */
  readonly title: string;
  /** What was found, for one finding and for several. */
  readonly words: readonly [string, string];
  run(session: Session, request: Operation & { readonly paths: readonly string[] }, rootDir: string): Promise<Searched>;
}

/** Calls that break exported functions. */
export const findCallsCommand = commandFor({
  title: 'Selfware: looking for calls that break',
  words: ['call that breaks a function', 'calls that break functions'],
  async run(session, request, rootDir) {
    const report = await session.analysis.counterexamples({ ...request, seconds: SECONDS.calls });
    const { finds, files, undone } = report;
    return { found: finds.length, files, undone, page: callsPage(report, rootDir) };
  },
});

/** Mistakes that no test notices, and tests for them. */
export const findMistakesCommand = commandFor({
  title: 'Selfware: looking for missing tests',
  words: ['function with mistakes that no test notices', 'functions with mistakes that no test notices'],
  async run(session, request, rootDir) {
    const report = await session.analysis.unguarded({ ...request, seconds: SECONDS.mistakes });
    const { found, files, undone } = report;
    return { found: found.length, files, undone, page: mistakesPage(report, rootDir) };
  },
});

/**
 * Creates the command. It throws `untrusted`, `notARepository`, `noCommit`, `forbidden`, `unavailable`, `notFound`,
 * `cancelled`.
 */
function commandFor({ title, words, run }: Search): ServerCommand {
  return async (context, request) => {
    const { repository, paths } = placeOf(context, request);
    const { found, files, undone, page } = await operate(context, repository, title, request, (session, operation) =>
      run(session, { ...operation, paths }, repository.rootDir),
    );
    context.events.opportunities.fire({ repository, paths: null });
    context.events.status.fire(repository);
    const result = found === 0 ? 'Nothing was found' : counted(found, ...words);
    const rest = undone === 0 ? '' : ' The time was not enough for all; run it again to continue.';
    const message = `${result} in ${counted(files, 'file')}.${rest}`;
    if (!context.abilities.canReview) showMessage(context.connection, 'info', message);
    return { ok: true, message, review: null, page };
  };
}

/** The folder and the file to search, or the whole chosen folder. Throws `notFound`. */
function placeOf(
  { repositories }: ServerContext,
  { args }: CommandRequest,
): { readonly repository: Repository; readonly paths: readonly string[] } {
  const { uri } = searchOnRequestParamsFrom(args);
  if (uri === undefined) return { repository: repositories.chosen(), paths: [] };
  const place = repositories.locate(uri);
  if (!place) throw new SelfwareError('notFound', 'The file is in none of the folders.');
  return { repository: place.repository, paths: [place.path] };
}
