// Searches on request: calls that break exported functions, mistakes that no test notices, examples whose stated
// result is wrong, and lines that no test runs. All but the last make opportunities; the last counts on the ruler. The
// answer is a page. One more search ends in a
// proposal of a test.

import type { ReportPage } from '#protocol/reports';
import type { CommandOutcome } from '#protocol/review';
import { SelfwareError } from '../../util/typedError.ts';
import { counted } from '../../util/counted.ts';
import { proposeMissingTest } from '../../core/session/propose/missingTest.ts';
import { missingTestSentence } from '../../core/session/propose/missingTestText.ts';
import { describeStanding } from '../../core/verify/strength.ts';
import { offerReview } from '../offerReview.ts';
import { toReview } from '../toProtocol.ts';
import { formatPercent } from '../../core/score/coverage/coverageTexts.ts';
import { createCounterexampleOpportunity } from '../../core/session/analyse/storedCounterexamples.ts';
import { createExampleOpportunity } from '../../core/session/analyse/examples/storedExamples.ts';
import { createUnguardedOpportunity } from '../../core/session/analyse/unguarded/unguardedMistakes.ts';
import { callsPage, coveragePage, examplesPage, mistakesPage } from '../searchPages.ts';
import { parseSearchOnRequestParams } from '../fromProtocol.ts';
import { showMessage } from '../showMessage.ts';
import type { Operation } from '../../core/operation.ts';
import type { Session } from '../../core/session.ts';
import type { ServerContext, Repository } from '../serverContext.ts';
import { deliver, runWithProgress, type CommandRequest, type ServerCommand } from './command.ts';

/** Seconds for one search, as on the command line. The next search continues where this one ended. */
const SEARCH_SECONDS = { calls: 60, mistakes: 120, examples: 120 } as const;

/** The answer of a search. */
interface Searched {
  /** The result in a sentence. */
  readonly message: string;
  readonly page: ReportPage;
  /** The best finding that has a test to propose. */
  readonly proposable?: CommandOutcome['proposable'];
}

/** A kind of search. */
interface Search {
  /** The title of the progress. */
  readonly title: string;
  run(session: Session, request: Operation & { readonly paths: readonly string[] }, rootDir: string): Promise<Searched>;
}

/** Calls that break exported functions. */
export const findCallsCommand = createCommand({
  title: 'Selfware: looking for calls that break',
  async run(session, request, rootDir) {
    const report = await session.analysis.counterexamples({ ...request, seconds: SEARCH_SECONDS.calls });
    const nouns = ['call that breaks a function', 'calls that break functions'] as const;
    return {
      message: foundText({ ...report, found: report.finds.length }, nouns),
      page: callsPage(report, rootDir),
      ...(await findProposable(
        session,
        report.finds.map((find) => ({ id: createCounterexampleOpportunity(find).id, name: find.name })),
      )),
    };
  },
});

/** Mistakes that no test notices, and tests for them. */
export const findMistakesCommand = createCommand({
  title: 'Selfware: looking for missing tests',
  async run(session, request, rootDir) {
    const report = await session.analysis.unguarded({ ...request, seconds: SEARCH_SECONDS.mistakes });
    const nouns = [
      'function with mistakes that no test notices',
      'functions with mistakes that no test notices',
    ] as const;
    return {
      message: foundText({ ...report, found: report.found.length }, nouns),
      page: mistakesPage(report, rootDir),
      ...(await findProposable(
        session,
        report.found.flatMap((unguarded) =>
          'refused' in unguarded.test ? [] : [{ id: createUnguardedOpportunity(unguarded).id, name: unguarded.name }],
        ),
      )),
    };
  },
});

/** Examples in the documentation whose stated result is wrong, and their correction. */
export const findExamplesCommand = createCommand({
  title: 'Selfware: running the examples of the documentation',
  async run(session, request, rootDir) {
    const report = await session.analysis.examples({ ...request, seconds: SEARCH_SECONDS.examples });
    const { wrong, documents, checks } = report;
    const result = wrong.length === 0 ? 'No example is wrong' : counted(wrong.length, 'wrong example');
    return {
      message:
        checks === 0
          ? 'No example in the documentation states a result that can be compared.'
          : `${result} in ${counted(documents, 'document')}.`,
      page: examplesPage(report, rootDir),
      ...(await findProposable(
        session,
        wrong.map((example) => ({ id: createExampleOpportunity(example).id, name: example.path })),
      )),
    };
  },
});

/** The lines that the tests of the whole folder run. A tree that was measured before is not measured again. */
export const measureCoverageCommand = createCommand({
  title: 'Selfware: measuring test coverage',
  async run(session, request, rootDir) {
    const report = await session.analysis.coverage(request);
    const { covered, coverable, explanation } = report;
    const message =
      covered === null || coverable === null
        ? `The coverage is unknown: ${explanation}`
        : `The tests run ${formatPercent(covered, coverable)} of the lines with statements.`;
    return { message, page: coveragePage(report, rootDir) };
  },
});

/**
 * Searches the chosen folder for missing tests, and proposes the first that pass their checks: what is left to offer
 * where no rule finds anything. Throws what the search throws, such as `unavailable` if the tests cannot be run.
 */
export const proposeTestCommand: ServerCommand = async (context, request) => {
  const repository = context.repositories.chosen();
  const title = 'Selfware: looking for missing tests';
  const missingTest = await runWithProgress(context, repository, title, request, (session, operation) =>
    proposeMissingTest(session, SEARCH_SECONDS.mistakes, { ...operation, atOnce: true }),
  );
  context.events.opportunities.fire({ repository, paths: null });
  context.events.status.fire(repository);
  const { verified } = missingTest;
  if (!verified)
    return deliver(context, {
      ok: false,
      message: `No test is proposed. ${missingTestSentence(missingTest)}`,
      review: null,
    });
  offerReview(context, repository, verified);
  const message = `${verified.title}: ${describeStanding(verified)}, waits for your decision.`;
  return { ok: true, message, review: toReview(verified, repository.uri) };
};

/** The finding that is ranked best among the opportunities. Nothing if a person has hidden all of them. */
async function findProposable(
  session: Session,
  findings: readonly { readonly id: string; readonly name: string }[],
): Promise<Pick<Searched, 'proposable'>> {
  const names = new Map(findings.map(({ id, name }) => [id, name]));
  const best = (await session.opportunities.shown()).find(({ id }) => names.has(id));
  return best === undefined ? {} : { proposable: { opportunity: best.id, name: names.get(best.id)! } };
}

/** The result of a search in words. `words`: what was found, for one finding and for several. */
function foundText(
  { found, files, undone }: { readonly found: number; readonly files: number; readonly undone: number },
  nouns: readonly [string, string],
): string {
  const result = found === 0 ? 'Nothing was found' : counted(found, ...nouns);
  const restText = undone === 0 ? '' : ' The time was not enough for all; run it again to continue.';
  return `${result} in ${counted(files, 'file')}.${restText}`;
}

/**
 * Creates the command. It throws `untrusted`, `notARepository`, `noCommit`, `forbidden`, `unavailable`, `notFound`,
 * `cancelled`.
 */
function createCommand({ title, run }: Search): ServerCommand {
  return async (context, request) => {
    const { repository, paths } = locateFolders(context, request);
    const { message, page, proposable } = await runWithProgress(
      context,
      repository,
      title,
      request,
      (session, operation) => run(session, { ...operation, paths }, repository.rootDir),
    );
    context.events.opportunities.fire({ repository, paths: null });
    context.events.status.fire(repository);
    if (!context.abilities.canReview) showMessage(context.connection, 'info', message);
    return { ok: true, message, review: null, page, ...(proposable && { proposable }) };
  };
}

/** The folder and the file to search, or the whole chosen folder. Throws `notFound`. */
function locateFolders(
  { repositories }: ServerContext,
  { args }: CommandRequest,
): { readonly repository: Repository; readonly paths: readonly string[] } {
  const { uri } = parseSearchOnRequestParams(args);
  if (uri === undefined) return { repository: repositories.chosen(), paths: [] };
  const place = repositories.locate(uri);
  if (!place) throw new SelfwareError('notFound', 'The file is in none of the folders.');
  return { repository: place.repository, paths: [place.path] };
}
