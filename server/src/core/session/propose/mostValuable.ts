// Finds the most valuable results that can be shown to a newcomer in a given time: calls that break, and the first
// proposal that passes among a fix of a fault by a recipe, a corrected example of the documentation, a missing test,
// and another change by a recipe or linter, in the order of `core/prioritise/worth.ts`.

import type { Proposal } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import { groupRulesByWorth, worthOf } from '../../prioritise/worth.ts';
import type { Worth } from '../../rules/facts.ts';
import type { Session } from '../../session.ts';
import type { CheckedCounterexample } from '../../verify/counterexamples/plan.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { WRONG_EXAMPLE_RULE } from '../analyse/examples/storedExamples.ts';
import { canFindBreaking, canSearch } from '../analyse/possibleWorkText.ts';
import type { PossibleWork } from '../analyse/analysisTypes.ts';
import { findBestProposal, MAX_REFUSED, type BestProposal } from './bestProposal.ts';
import { proposeMissingTest, type MissingTest } from './missingTest.ts';

/** Maximum time of the search for calls that break: as a share of the total time, and in seconds. */
const [SHARE_FOR_CALLS, MAX_SECONDS_FOR_CALLS] = [0.25, 10];
/** Maximum number of missing tests that fail their checks. */
const MAX_REFUSED_TESTS = 2;
/** Maximum time for the examples of the documentation, in seconds. */
const MAX_SECONDS_FOR_EXAMPLES = 15;
/**
 * Maximum number of seconds of the search for missing tests if improving may find something better than style without
 * it.
 */
const MAX_SECONDS_IF_MORE = 25;

/** The most valuable results. */
export interface MostValuable {
  /** Calls that break exported functions and that are likely to happen, the best first. */
  readonly faults: readonly CheckedCounterexample[];
  /** The kind of value of the proposal; null if there is none. */
  readonly proposal: Proposal | null;
  /** The value of the proposal. */
  readonly worth: Worth | null;
  /**
   * The result of the search for a missing test; null if there was no search, if it was impossible, or if a fault is
   * fixed.
   */
  readonly missingTest: MissingTest | null;
  /** The changes that recipes and linters could make; null if a missing test was found first. */
  readonly changes: BestProposal | null;
  /** Sentences that say which searches were impossible, and why. */
  readonly trouble: readonly string[];
}

type SessionParts = Pick<Session, 'analysis' | 'opportunities' | 'proposals' | 'verification'>;

/**
 * Searches the results in the order of their value, until a proposal passes its checks. `seconds`: time for the
 * searches of calls and tests; 0 for none. `possibleWork`: the work that can be done here. Proposals are only
 * previewed, so they need not be verified. Throws `cancelled`, and the errors of `propose` and `verify`.
 */
export async function findMostValuable(
  session: SessionParts,
  possibleWork: PossibleWork,
  seconds: number,
  operation: Operation,
): Promise<MostValuable> {
  const options = { ...operation, atOnce: true, isPreview: true };
  const groups = groupRulesByWorth(possibleWork.improvable);
  const canSearchTests = seconds > 0 && canSearch(possibleWork);
  const hasBetterThanStyle = groups.some(({ worth }) => worth !== 'style');
  const searchSeconds = hasBetterThanStyle ? Math.min(seconds, MAX_SECONDS_IF_MORE) : seconds;
  const trouble: string[] = [];
  const nullIfImpossible = async <T>(subject: string, search: () => Promise<T>): Promise<T | null> => {
    try {
      return await search();
    } catch (error) {
      throwIfCancelled(operation.signal);
      if (!(error instanceof SelfwareError)) throw error;
      trouble.push(`${subject} cannot be found here. ${describeError(error)}`);
      return null;
    }
  };
  const callSeconds = Math.min(MAX_SECONDS_FOR_CALLS, searchSeconds * SHARE_FOR_CALLS);
  const canSearchCalls = canSearchTests && canFindBreaking(possibleWork);
  const calls = canSearchCalls
    ? await nullIfImpossible('Calls that break', () =>
        session.analysis.counterexamples({ paths: [], seconds: callSeconds, quick: true, ...operation }),
      )
    : null;
  const faults = (calls?.finds ?? []).filter(({ unlikely }) => !unlikely);
  const isFault = ({ worth }: (typeof groups)[number]) => worth === 'fault';
  const fixes = await findBestChange(session, listRules(groups.filter(isFault)), options);
  const createResult = (changes: BestProposal, missingTest: MissingTest | null): MostValuable => {
    const { verified: proposal } = changes;
    const worth = proposal && worthOf(proposal.opportunity.rule);
    return { faults, missingTest, trouble, proposal, worth, changes };
  };
  if (fixes.verified) return createResult(fixes, null);
  const examples = canSearchCalls
    ? await nullIfImpossible('Wrong examples', () =>
        session.analysis.examples({ paths: [], seconds: MAX_SECONDS_FOR_EXAMPLES, ...operation }),
      )
    : null;
  const corrections = await findBestChange(
    session,
    examples && examples.wrong.length > 0 ? [[WRONG_EXAMPLE_RULE]] : [],
    options,
    fixes,
  );
  if (corrections.verified) return createResult(corrections, null);
  const missingTest = canSearchTests
    ? await nullIfImpossible('Missing tests', () =>
        proposeMissingTest(session, searchSeconds - (calls ? callSeconds : 0), {
          ...options,
          maxRefused: MAX_REFUSED_TESTS,
        }),
      )
    : null;
  if (missingTest?.verified)
    return { faults, missingTest, trouble, proposal: missingTest.verified, worth: 'test', changes: null };
  const otherRules = listRules(groups.filter((group) => !isFault(group)));
  // The last request names no rules, so that it also combines changes and asks linters.
  return createResult(await findBestChange(session, [...otherRules, undefined], options, corrections), missingTest);
}

/** The rules of each group. */
function listRules(groups: ReturnType<typeof groupRulesByWorth>): readonly (readonly string[])[] {
  return groups.map(({ rules }) => rules);
}

/**
 * Finds the best change of a recipe or linter. `requests`: the rules of each request, tried one after the other;
 * undefined for any rule. `earlier`: the results of earlier requests, which are included.
 */
async function findBestChange(
  session: Pick<Session, 'proposals' | 'verification'>,
  requests: readonly (readonly string[] | undefined)[],
  options: Parameters<typeof findBestProposal>[2],
  earlier: BestProposal = { verified: null, refused: [], tried: [], passedOver: [] },
): Promise<BestProposal> {
  let allResults = earlier;
  for (const rules of requests) {
    const maxRefused = MAX_REFUSED - allResults.refused.length;
    if (maxRefused <= 0) break;
    const nextResult = await findBestProposal(session, undefined, {
      ...options,
      maxRefused,
      ...(rules ? { rules } : {}),
    });
    allResults = {
      verified: nextResult.verified,
      refused: [...allResults.refused, ...nextResult.refused],
      tried: [...allResults.tried, ...nextResult.tried],
      passedOver: [
        ...new Map(
          [...allResults.passedOver, ...nextResult.passedOver].map((place) => [place.opportunity, place]),
        ).values(),
      ],
    };
    if (nextResult.verified) break;
  }
  return allResults;
}
