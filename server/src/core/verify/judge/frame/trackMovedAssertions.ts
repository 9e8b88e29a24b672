// Finds assertions of helpers that move to another file, so that they do not count as removed.

import type { Assertion, TestCaseFacts } from '../assertion.ts';
import { subtractByKey } from '../../../../util/values/countBy.ts';

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
  const addedByFile = after.filter(isOutside).map(({ path, assertions }) => ({
    path,
    left: subtractByKey(assertions, assertionsBefore.get(path) ?? [], createAssertionKey),
  }));
  return (old, current) => {
    if (!isOutside(old)) return old.assertions;
    const lost = new Set(subtractByKey(old.assertions, current?.assertions ?? [], createAssertionKey));
    return old.assertions.filter((assertion) => {
      const target = lost.has(assertion)
        ? addedByFile.find(({ path, left }) => path !== old.path && includesAssertion(left, assertion))
        : null;
      if (!target) return true;
      target.left = subtractByKey(target.left, [assertion], createAssertionKey);
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
