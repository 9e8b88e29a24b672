// Finds the tests that searches for missing tests have added to test files, according to the checkpoints of the applied
// changes. These tests leave the other findings valid; otherwise, each kept test would make the next search start
// again.

import { splitOpportunityIds } from '../../../ledger/opportunityIds.ts';
import { fallBackIfDamaged, type SessionContext } from '../../context.ts';

/** Tells which test files contain tests of findings. */
export interface OwnTests {
  /**
   * The hash that a test file had before tests of findings were added; null if the file did not exist. Without such
   * tests, returns `hash`, the file's current hash.
   */
  originalOf(path: string, hash: string): string | null;
  /** Ids of the opportunities whose tests are in this file. `hash`: the file's current hash. */
  heldBy(path: string, hash: string): readonly string[];
}

/**
 * A change that added tests to a file. `before` and `after`: the hashes of the file; `opportunities`: the ids that the
 * tests belong to.
 */
interface AddedTests {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
  readonly opportunities: readonly string[];
}

/**
 * Reads from the ledger which tests of opportunities of this rule are applied and not rolled back; none if the ledger
 * is damaged.
 */
export async function readOwnTests(context: SessionContext, rule: string): Promise<OwnTests> {
  const { ledger } = context;
  const additions = await fallBackIfDamaged(context, [], async (): Promise<readonly AddedTests[]> => {
    const checkpoints = (await ledger.checkpoints()).filter(({ rolledBackAt }) => rolledBackAt === null);
    if (checkpoints.length === 0) return [];
    const proposals = (await ledger.proposals()).filter(({ opportunity }) => opportunity.rule === rule);
    const opportunities = new Map(proposals.map(({ id, opportunity }) => [id, splitOpportunityIds(opportunity.id)]));
    return checkpoints.flatMap(({ proposal, files }) => {
      const ids = proposal === null ? undefined : opportunities.get(proposal);
      if (!ids) return [];
      return files.flatMap(({ path, before, after }) =>
        after === null ? [] : [{ path, before, after, opportunities: ids }],
      );
    });
  });
  return collectOwnTests(additions);
}

/** Answers for these changes that added tests. */
export function collectOwnTests(added: readonly AddedTests[]): OwnTests {
  const additionsByResult = new Map(added.map((addedTest) => [keyOf(addedTest.path, addedTest.after), addedTest]));
  /** The changes whose result this file is, the newest first. */
  const findSteps = (path: string, hash: string): readonly AddedTests[] => {
    const steps: AddedTests[] = [];
    for (let current: string | null = hash; current !== null; ) {
      const step = additionsByResult.get(keyOf(path, current));
      // If a change was undone by hand, an earlier text may occur again.
      if (!step || steps.includes(step)) break;
      steps.push(step);
      current = step.before;
    }
    return steps;
  };
  return {
    originalOf(path, hash) {
      const oldestStep = findSteps(path, hash).at(-1);
      return oldestStep ? oldestStep.before : hash;
    },
    heldBy: (path, hash) => findSteps(path, hash).flatMap(({ opportunities }) => opportunities),
  };
}

function keyOf(path: string, hash: string): string {
  return `${path}\0${hash}`;
}
