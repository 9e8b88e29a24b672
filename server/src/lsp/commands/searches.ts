// Server commands that search on request: for calls that break exported functions, for mistakes that no test notices,
// for documentation examples with wrong results, and for lines that no test runs. Each answers with a page. The first
// three make opportunities; the last one, test coverage, counts in the points. One more command searches for missing
// tests and proposes one.

import type { ReportPage } from '#protocol/reports';
import type { CommandOutcome } from '#protocol/review';
import { SelfwareError } from '../../util/typedError.ts';
import { formatCount } from '../../util/counted.ts';
import { proposeMissingTest } from '../../core/session/propose/missingTest.ts';
import { missingTestSentence } from '../../core/session/propose/missingTestText.ts';
import { describeStanding } from '../../core/verify/strength.ts';
import { offerReview } from '../offerReview.ts';
import { toReview } from '../toProtocol.ts';
import { formatPercent } from '../../core/score/coverage/coverageTexts.ts';
import { createCounterexampleOpportunity } from '../../core/session/analyse/storedCounterexamples.ts';
import { createExampleOpportunity } from '../../core/session/analyse/examples/storedExamples.ts';
import { createUnguardedOpportunity } from '../../core/session/analyse/unguarded/unguardedMistakes.ts';
import { renderCallsPage, renderCoveragePage, renderExamplesPage, renderMistakesPage } from '../searchPages.ts';
import { parseSearchOnRequestParams } from '../fromProtocol.ts';
import { showMessage } from '../showMessage.ts';
import type { Operation } from '../../core/operation.ts';
import type { Session } from '../../core/session.ts';
import type { ServerContext, Repository } from '../serverContext.ts';
import { reportOutcome, runWithProgress, type CommandRequest, type ServerCommand } from './command.ts';

/** Maximum duration of a search in seconds, as on the command line. The next search continues where this one ended. */
const SEARCH_SECONDS = { calls: 60, mistakes: 120, examples: 120 } as const;

/** The results of a search. */
interface SearchResult {
  /** A sentence with the number of findings. */
  readonly message: string;
  readonly page: ReportPage;
  /** The best finding that can be proposed as a change, with the id of its opportunity. */
  readonly proposable?: CommandOutcome['proposable'];
}

/** A kind of search. */
interface Search {
  /** The title of the progress. */
  readonly title: string;
  run(
    session: Session,
    request: Operation & { readonly paths: readonly string[] },
    rootDir: string,
  ): Promise<SearchResult>;
}

/** Searches for calls that break exported functions. */
export const findCallsCommand = createSearchCommand({
  title: 'Selfware: looking for calls that break',
  async run(session, request, rootDir) {
    const report = await session.analysis.counterexamples({ ...request, seconds: SEARCH_SECONDS.calls });
    const nouns = ['call that breaks a function', 'calls that break functions'] as const;
    return {
      message: describeFindings({ ...report, found: report.finds.length }, nouns),
      page: renderCallsPage(report, rootDir),
      ...(await findProposable(
        session,
        report.finds.map((counterexample) => ({
          id: createCounterexampleOpportunity(counterexample).id,
          name: counterexample.name,
        })),
      )),
    };
  },
});

/** Searches for mistakes that no test notices, and for tests that would notice them. */
export const findMistakesCommand = createSearchCommand({
  title: 'Selfware: looking for missing tests',
  async run(session, request, rootDir) {
    const report = await session.analysis.unguarded({ ...request, seconds: SEARCH_SECONDS.mistakes });
    const nouns = [
      'function with mistakes that no test notices',
      'functions with mistakes that no test notices',
    ] as const;
    return {
      message: describeFindings({ ...report, found: report.found.length }, nouns),
      page: renderMistakesPage(report, rootDir),
      ...(await findProposable(
        session,
        report.found.flatMap((unguarded) =>
          'refused' in unguarded.test ? [] : [{ id: createUnguardedOpportunity(unguarded).id, name: unguarded.name }],
        ),
      )),
    };
  },
});

/** Runs the examples in the documentation, and finds those whose stated result is wrong, with corrections. */
export const findExamplesCommand = createSearchCommand({
  title: 'Selfware: running the examples of the documentation',
  async run(session, request, rootDir) {
    const report = await session.analysis.examples({ ...request, seconds: SEARCH_SECONDS.examples });
    const { wrong, documents, checks } = report;
    const resultText = wrong.length === 0 ? 'No example is wrong' : formatCount(wrong.length, 'wrong example');
    return {
      message:
        checks === 0
          ? 'No example in the documentation states a result that can be compared.'
          : `${resultText} in ${formatCount(documents, 'document')}.`,
      page: renderExamplesPage(report, rootDir),
      ...(await findProposable(
        session,
        wrong.map((example) => ({ id: createExampleOpportunity(example).id, name: example.path })),
      )),
    };
  },
});

/**
 * Measures the lines that the tests of the whole folder run. If the same tree was measured before, that result is used.
 */
export const measureCoverageCommand = createSearchCommand({
  title: 'Selfware: measuring test coverage',
  async run(session, request, rootDir) {
    const report = await session.analysis.coverage(request);
    const { covered, coverable, explanation } = report;
    const message =
      covered === null || coverable === null
        ? `The coverage is unknown: ${explanation}`
        : `The tests run ${formatPercent(covered, coverable)} of the lines with statements.`;
    return { message, page: renderCoveragePage(report, rootDir) };
  },
});

/**
 * Searches the chosen folder for missing tests, and proposes the first that pass their checks. It is offered when no
 * rule finds anything. Throws the errors of the search, such as `unavailable` if the tests cannot be run.
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
    return reportOutcome(context, {
      ok: false,
      message: `No test is proposed. ${missingTestSentence(missingTest)}`,
      review: null,
    });
  offerReview(context, repository, verified);
  const message = `${verified.title}: ${describeStanding(verified)}, waits for your decision.`;
  return { ok: true, message, review: toReview(verified, repository.uri) };
};

/**
 * The finding whose opportunity has the highest rank; empty if there are no findings, or if a person has hidden all of
 * them.
 */
async function findProposable(
  session: Session,
  findings: readonly { readonly id: string; readonly name: string }[],
): Promise<Pick<SearchResult, 'proposable'>> {
  const nameById = new Map(findings.map(({ id, name }) => [id, name]));
  const bestOpportunity = (await session.opportunities.shown()).find(({ id }) => nameById.has(id));
  return bestOpportunity === undefined
    ? {}
    : { proposable: { opportunity: bestOpportunity.id, name: nameById.get(bestOpportunity.id)! } };
}

/**
 * The number of findings of a search as a sentence, with advice if the time was too short. `nouns`: the noun for one
 * finding, and the noun for several.
 */
function describeFindings(
  { found, files, undone }: { readonly found: number; readonly files: number; readonly undone: number },
  nouns: readonly [string, string],
): string {
  const resultText = found === 0 ? 'Nothing was found' : formatCount(found, ...nouns);
  const continueText = undone === 0 ? '' : ' The time was not enough for all; run it again to continue.';
  return `${resultText} in ${formatCount(files, 'file')}.${continueText}`;
}

/**
 * Creates the server command of a search. The command throws `untrusted`, `notARepository`, `noCommit`, `forbidden`,
 * `unavailable`, `notFound` or `cancelled`.
 */
function createSearchCommand({ title, run }: Search): ServerCommand {
  return async (context, request) => {
    const { repository, paths } = locateScope(context, request);
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

/**
 * The repository and the path of the file to search; without a file, the chosen repository and no paths. Throws
 * `notFound` if the file is in no open folder.
 */
function locateScope(
  { repositories }: ServerContext,
  { args }: CommandRequest,
): { readonly repository: Repository; readonly paths: readonly string[] } {
  const { uri } = parseSearchOnRequestParams(args);
  if (uri === undefined) return { repository: repositories.chosen(), paths: [] };
  const place = repositories.locate(uri);
  if (!place) throw new SelfwareError('notFound', 'The file is in none of the folders.');
  return { repository: place.repository, paths: [place.path] };
}
