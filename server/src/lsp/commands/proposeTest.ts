// Searches the chosen folder for a missing test, and proposes the first one that passes its checks: what is left to
// offer where no rule finds anything.

import { proposeMissingTest, searchedSentence } from '../../core/session/propose/missingTest.ts';
import { standingOf } from '../../core/verify/strength.ts';
import { offerReview } from '../offerReview.ts';
import { reviewTo } from '../toProtocol.ts';
import { deliver, runWithProgress, type ServerCommand } from './command.ts';

/** Seconds of the search, without the checks of what it finds. */
const SECONDS = 120;

/** Throws what the search throws, such as `unavailable` if the tests cannot be run. */
export const proposeTestCommand: ServerCommand = async (context, request) => {
  const repository = context.repositories.chosen();
  const title = 'Selfware: looking for missing tests';
  const found = await runWithProgress(context, repository, title, request, (session, operation) =>
    proposeMissingTest(session, SECONDS, { ...operation, atOnce: true }),
  );
  context.events.opportunities.fire({ repository, paths: null });
  context.events.status.fire(repository);
  const { verified } = found;
  if (!verified)
    return deliver(context, { ok: false, message: `No test is proposed. ${searchedSentence(found)}`, review: null });
  offerReview(context, repository, verified);
  const message = `${verified.title}: ${standingOf(verified)}, waits for your decision.`;
  return { ok: true, message, review: reviewTo(verified, repository.uri) };
};
