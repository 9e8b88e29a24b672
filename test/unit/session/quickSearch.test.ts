// Which files a quick search for missing tests examines, and which tests it runs.

import { expect, test } from 'vitest';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { chooseQuickly } from '../../../server/src/core/session/look/unguarded/quick.ts';

type State = Pick<SessionContext['state'], 'imports' | 'analyses'>;
const others = Array.from({ length: 50 }, (_, at) => `test/other${at}.test.ts`);

function stateOf(imports: Readonly<Record<string, readonly string[]>>, more = others): State {
  const paths = [...Object.keys(imports), ...more];
  return { imports: new Map(Object.entries(imports)), analyses: new Map(paths.map((path) => [path, {}])) as never };
}

const imports = {
  'test/all.test.ts': ['src/plain.ts', 'src/index.ts'],
  'test/named.test.ts': ['src/named.ts'],
  'src/index.ts': ['src/inner.ts', 'src/hub.ts'],
  ...Object.fromEntries(others.slice(0, 4).map((path) => [path, ['src/hub.ts']])),
  'test/heavy.test.ts': ['src/heavy.ts'],
  'src/heavy.ts': Array.from({ length: 40 }, (_, at) => `src/part${at}.ts`),
};

test('files that tests import directly, with few and light tests, those with a named test first', () => {
  const paths = ['src/heavy.ts', 'src/hub.ts', 'src/inner.ts', 'src/plain.ts', 'src/named.ts'];
  expect(chooseQuickly(stateOf(imports), paths)).toEqual({
    paths: ['src/named.ts', 'src/plain.ts'],
    testFiles: ['test/named.test.ts', 'test/all.test.ts'],
  });
});

test('all tests run if there are few, or if no file is suitable', () => {
  expect(chooseQuickly(stateOf(imports, others.slice(0, 20)), ['src/named.ts'])).toBeNull();
  expect(chooseQuickly(stateOf(imports), ['src/hub.ts', 'src/inner.ts'])).toBeNull();
});
