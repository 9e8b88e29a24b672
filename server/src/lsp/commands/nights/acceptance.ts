// Server commands for the acceptance tests of wishes (requests in words): one has the next test written, one stores the
// person's decision on it.

import type { CommandOutcome } from '#protocol/review';
import { SelfwareError } from '../../../util/typedError.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../../util/visible.ts';
import { parseAcceptanceParams, parseDecideAcceptanceParams } from '../../fromProtocol.ts';
import { runWithProgress, createSuccess, type ServerCommand } from '../command.ts';
import { createConsentQuestion } from '../consent.ts';
import { runWhileAsked } from '../../sidebar/requests.ts';

/**
 * Lets the proposer write an acceptance test for the named wish, otherwise for the next wish without one. `without`:
 * ids of wishes to pass over. The outcome has no `acceptance` if no wish is left. Sends no code before the person has
 * agreed. Throws `notFound` for an unknown wish.
 */
export const acceptanceTestCommand: ServerCommand = async (context, request) => {
  const {
    proposer,
    agreed: consentOfClient,
    without = [],
    wish: requestedId,
    again: skipsEarlierAttempts = false,
  } = parseAcceptanceParams(request.args);
  const repository = context.repositories.chosen();
  const nights = await context.nights();
  const openWishes = (await nights.wishes(repository.rootDir)).filter(({ id, tests }) =>
    requestedId === undefined ? tests === null && !without.includes(id) : id === requestedId,
  );
  const [wish] = openWishes;
  if (!wish && requestedId !== undefined)
    throw new SelfwareError('notFound', `There is no wish ${escapeInvisible(requestedId)}.`);
  if (!wish) return createSuccess('No wish is left without an acceptance test.');
  // Only a client that asks the person itself can pass on their answer.
  const agreed = context.abilities.canAskModels ? consentOfClient : undefined;
  const consent = await repository.use((session) => createConsentQuestion(session, proposer, agreed));
  if (consent) {
    const message = `Nobody was asked: code would go to ${consent.missing}`;
    return { ok: false, message, review: null, consent };
  }
  const wishText = escapeInvisible(wish.text);
  const title = 'Selfware: writing an acceptance test';
  return runWithProgress(context, repository, title, request, async (session, operation): Promise<CommandOutcome> => {
    const outcome = await runWhileAsked(context, repository, wish.id, () =>
      session.questions.acceptanceTest({
        words: wish.text,
        proposer,
        ignoresEarlier: skipsEarlierAttempts,
        ...operation,
      }),
    );
    const wishState = { wish: wish.id, words: wishText, left: openWishes.length - 1 };
    return 'refused' in outcome
      ? {
          ...createSuccess(
            `There is no acceptance test for “${escapeInvisibleLine(wish.text)}”: ${escapeInvisible(outcome.refused)}`,
          ),
          acceptance: { ...wishState, files: [], failure: '', refused: escapeInvisible(outcome.refused) },
        }
      : {
          ...createSuccess('The test fails today, as it should.'),
          acceptance: { ...wishState, files: outcome.files, failure: escapeInvisible(outcome.failure), refused: null },
        };
  });
};

/**
 * Stores the test that the person has accepted. The test runs once more before, because the person may have changed it.
 * Without texts, stores the decision to try the wish without a test. Throws `notFound` for an unknown wish.
 */
export const decideAcceptanceCommand: ServerCommand = async (context, request) => {
  const { wish: id, texts = [] } = parseDecideAcceptanceParams(request.args);
  const repository = context.repositories.chosen();
  const nights = await context.nights();
  const wish = (await nights.wishes(repository.rootDir)).find((candidate) => candidate.id === id);
  if (!wish) throw new SelfwareError('notFound', `There is no wish ${escapeInvisible(id)}.`);
  if (texts.length === 0) {
    await nights.keepTests(repository.rootDir, id, []);
    return createSuccess('The wish is tried without a test.');
  }
  const title = 'Selfware: running the acceptance test';
  return runWithProgress(context, repository, title, request, async (session, operation) => {
    const checkedTest = await session.questions.acceptanceTest({ files: texts, ...operation });
    if ('refused' in checkedTest)
      return { ok: false, message: `That cannot be the test: ${escapeInvisible(checkedTest.refused)}`, review: null };
    await nights.keepTests(repository.rootDir, id, checkedTest.files);
    return createSuccess('The wish is done when this test passes.');
  });
};
