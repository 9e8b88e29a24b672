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
  const olds = new Map(before.filter(isOutside).map((facts) => [facts.path, facts.assertions]));
  const arrived = after
    .filter(isOutside)
    .map(({ path, assertions }) => ({ path, left: subtractAssertions(assertions, olds.get(path) ?? []) }));
  return (old, current) => {
    if (!isOutside(old)) return old.assertions;
    const lost = new Set(subtractAssertions(old.assertions, current?.assertions ?? []));
    return old.assertions.filter((assertion) => {
      const target = lost.has(assertion)
        ? arrived.find(({ path, left }) => path !== old.path && has(left, assertion))
        : null;
      if (!target) return true;
      target.left = subtractAssertions(target.left, [assertion]);
      return false;
    });
  };
}

function keyOf({ text, matcher, guard }: Assertion): string {
  return JSON.stringify([text, matcher, guard]);
}

function has(assertions: readonly Assertion[], wanted: Assertion): boolean {
  return assertions.some((assertion) => keyOf(assertion) === keyOf(wanted));
}

/** The assertions that occur more often than in the other array. */
function subtractAssertions(
  assertions: readonly Assertion[],
  otherAssertions: readonly Assertion[],
): readonly Assertion[] {
  const remaining = new Map<string, number>();
  for (const other of otherAssertions) remaining.set(keyOf(other), (remaining.get(keyOf(other)) ?? 0) + 1);
  return assertions.filter((assertion) => {
    const times = remaining.get(keyOf(assertion)) ?? 0;
    remaining.set(keyOf(assertion), times - 1);
    return times <= 0;
  });
}
