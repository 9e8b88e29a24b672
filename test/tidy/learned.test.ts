// What was learned changes the order of work, the confidence in rules and what a model is told. No check reads it.

import { expect, test } from 'vitest';
import { importsOf, projectFiles } from './sourceFiles.ts';

const JUDGES = /^server\/src\/core\/(?:verify|charter|score|apply|session\/(?:verify|apply)|session\/look\/scoring)/;
const LEARNED = /^server\/src\/core\/(?:learn|session\/(?:learn|recipes))\//;

test('what judges a change reads nothing that was learned', () => {
  const judges = projectFiles('.ts').filter((path) => JUDGES.test(path));
  expect(judges.length).toBeGreaterThan(50);
  const wrong = judges.flatMap((path) =>
    importsOf(path)
      .filter((target) => LEARNED.test(target))
      .map((target) => `${path} imports ${target}`),
  );
  expect(wrong).toEqual([]);
});
