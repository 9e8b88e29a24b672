// The test script without its checks: what is left of it, and when that is run.

import { expect, test } from 'vitest';
import { packageScript } from '../../../server/src/core/verify/detect/command.ts';
import { describeProject } from '../../../server/src/core/verify/detect/project.ts';
import { withoutChecks } from '../../../server/src/core/verify/detect/withoutChecks.ts';

function left(scripts: Readonly<Record<string, string>>): string | null {
  const project = describeProject({ manifest: JSON.stringify({ scripts }) }, []);
  return withoutChecks(packageScript(project, 'test')!, project)?.command.join(' ') ?? null;
}

test.each([
  [{ test: 'pnpm lint && vitest run --coverage', lint: 'oxlint . && oxfmt --check src' }, 'vitest run --coverage'],
  [{ test: 'xo && ava && tsd' }, 'ava'],
  [{ test: 'node --test && npm run check:type:ts', 'check:type:ts': 'tsd && tsc -p tsconfig.ts.json' }, 'node --test'],
  [{ test: 'tsc --noEmit && prettier --check . && npx jest' }, 'jest'],
  // What builds the code that is tested stays.
  [{ test: 'eslint . && tsc && mocha' }, 'tsc && mocha'],
  [{ test: 'npm run build && npm run lint && mocha', build: 'rollup -c', lint: 'eslint .' }, 'rollup -c && mocha'],
  [
    {
      pretest: 'npm run --silent readme && npm run --silent lint',
      test: 'npm run tests-only',
      'tests-only': "nyc tape 'test/**/*.js'",
      posttest: "npx npm@'>=10.2' audit --production",
    },
    "nyc tape 'test/**/*.js'",
  ],
])('of %o the tests are left', (scripts, expected) => {
  expect(left(scripts)).toBe(expected);
});

test.each([
  [{ test: 'vitest run' }],
  [{ test: 'tsc && mocha' }],
  // Nothing would be left.
  [{ test: 'eslint . && tsc --noEmit' }],
  [{ test: 'eslint . || true; mocha' }],
])('%o stays as it is', (scripts) => {
  expect(left(scripts)).toBeNull();
});
