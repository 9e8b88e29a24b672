// Which improvements are looked for in a judged change, and which protected files it is said to touch.

import { expect, test } from 'vitest';
import { listApplicableClaims } from '../../../server/src/core/verify/judge/claims.ts';
import { reportProtectedPaths } from '../../../server/src/core/verify/judge/protectedPaths.ts';
import { isForContributors } from '../../../server/src/core/paths/nonSourcePaths.ts';

const edit = (path: string) => ({ path, before: 'a', after: 'b' });

test('types become exact in TypeScript only', () => {
  expect(listApplicableClaims([edit('a.py'), edit('tests/test_a.py')])).toEqual(['fix']);
  expect(listApplicableClaims([edit('a.go')])).toEqual([]);
  expect(listApplicableClaims([edit('src/a.ts')])).toEqual(['types']);
});

test.each([
  ['.github/FUNDING.yml', true],
  ['.github/ISSUE_TEMPLATE/bug.yml', true],
  ['.github/pull_request_template.md', true],
  ['.github/CODEOWNERS', false],
  ['.github/workflows/ci.yml', false],
  ['.github/actions/set-up/action.yml', false],
  ['.github/dependabot.yml', false],
])('%s is only for contributors: %s', (path, is) => {
  expect(isForContributors(path)).toBe(is);
});

test('what only contributors read decides nothing', async () => {
  const report = (...paths: string[]) =>
    reportProtectedPaths(
      { protectedPaths: async (given, inert) => given.filter((path) => !inert.has(path)) },
      { edits: paths.map(edit), bytes: [], left: [], binary: [], renamed: [] },
    );
  expect(await report('.github/FUNDING.yml')).toMatchObject({ outcome: 'passed' });
  expect(await report('.github/FUNDING.yml', '.github/workflows/ci.yml')).toMatchObject({
    outcome: 'unknown',
    reason: 'A person has to look at .github/workflows/ci.yml: it decides what is run, checked or allowed.',
  });
});
