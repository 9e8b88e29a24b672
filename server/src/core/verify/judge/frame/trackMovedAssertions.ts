// Finds assertions of helpers that move to another file, so that they do not count as removed.

import type { Assertion, TestCaseFacts } from '../assertion.ts';

/**
 * Returns a function that returns the assertions of a file outside of its cases, without those that have moved: another
 * touched file has them outside of its cases now and did not before. Each assertion there accounts for one assertion
 * that is gone here.
 */
export function trackMovedAssertions(
  before: readonly TestCaseFacts[],
  after: readonly TestCaseFacts[],
): (old: TestCaseFacts, current: TestCaseFacts | null) => readonly Assertion[] {
  const isOutside = ({ name }: TestCaseFacts) => name === '';
  const assertionsBefore = new Map(before.filter(isOutside).map((facts) => [facts.path, facts.assertions]));
  const addedByFile = after
    .filter(isOutside)
    .map(({ path, assertions }) => ({ path, left: subtractAssertions(assertions, assertionsBefore.get(path) ?? []) }));
  return (old, current) => {
    if (!isOutside(old)) return old.assertions;
    const lost = new Set(subtractAssertions(old.assertions, current?.assertions ?? []));
    return old.assertions.filter((assertion) => {
      const target = lost.has(assertion)
        ? addedByFile.find(({ path, left }) => path !== old.path && includesAssertion(left, assertion))
        : null;
      if (!target) return true;
      target.left = subtractAssertions(target.left, [assertion]);
      return false;
    });
  };
}

function createAssertionKey({ text, matcher, guard }: Assertion): string {
  return JSON.stringify([text, matcher, guard]);
}

function includesAssertion(assertions: readonly Assertion[], wanted: Assertion): boolean {
  return assertions.some((assertion) => createAssertionKey(assertion) === createAssertionKey(wanted));
}

/** The assertions that occur more often than in the other array. */
function subtractAssertions(
  assertions: readonly Assertion[],
  otherAssertions: readonly Assertion[],
): readonly Assertion[] {
  const remaining = new Map<string, number>();
  for (const other of otherAssertions)
    remaining.set(createAssertionKey(other), (remaining.get(createAssertionKey(other)) ?? 0) + 1);
  return assertions.filter((assertion) => {
    const times = remaining.get(createAssertionKey(assertion)) ?? 0;
    remaining.set(createAssertionKey(assertion), times - 1);
    return times <= 0;
  });
}
