// Tests that this search has added to test files, according to the checkpoints of the applied changes. These tests
// leave its other findings valid; otherwise, each test that is kept would make the next search start again.

import { splitOpportunityIds } from '../../../ledger/opportunityIds.ts';
import { fallBackIfDamaged, type SessionContext } from '../../context.ts';

export interface OwnTests {
  /** The hash of a test file before these tests were added; null if it did not exist. `hash`: its current one. */
  originalOf(path: string, hash: string): string | null;
  /** Ids of the opportunities whose tests are in a file with this hash. */
  heldBy(path: string, hash: string): readonly string[];
}

interface Added {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
  readonly opportunities: readonly string[];
}

/** The tests of opportunities of this rule that are applied and not rolled back; none if the ledger is damaged. */
export async function readOwnTests(context: SessionContext, rule: string): Promise<OwnTests> {
  const { ledger } = context;
  const added = await fallBackIfDamaged(context, [], async (): Promise<readonly Added[]> => {
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
  return collectOwnTests(added);
}

/** Like `readOwnTests`, for these additions to files. */
export function collectOwnTests(added: readonly Added[]): OwnTests {
  const additionsByResult = new Map(added.map((addedTest) => [keyOf(addedTest.path, addedTest.after), addedTest]));
  /** The additions that led to this text, the newest first. */
  const findSteps = (path: string, hash: string): readonly Added[] => {
    const steps: Added[] = [];
    for (let current: string | null = hash; current !== null; ) {
      const step = additionsByResult.get(keyOf(path, current));
      // A text may come back after a change was undone by hand.
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
