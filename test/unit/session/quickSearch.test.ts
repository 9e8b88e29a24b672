// Which files a quick search for missing tests examines, and which tests it runs.

import { expect, test } from 'vitest';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { chooseQuickly } from '../../../server/src/core/session/analyse/unguarded/quick.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';

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

test('files that tests import directly, with few and light tests, those with a named test first', async () => {
  const paths = ['src/heavy.ts', 'src/hub.ts', 'src/inner.ts', 'src/plain.ts', 'src/named.ts'];
  expect(await chooseQuickly(stateOf(imports), paths, never)).toEqual({
    paths: ['src/named.ts', 'src/plain.ts'],
    testFiles: ['test/named.test.ts', 'test/all.test.ts'],
  });
});

test('all tests run if there are few; if no file of many is suitable, nothing is searched', async () => {
  expect(await chooseQuickly(stateOf(imports, others.slice(0, 20)), ['src/named.ts'], never)).toBe('all');
  expect(await chooseQuickly(stateOf(imports), ['src/hub.ts', 'src/inner.ts'], never)).toBe('none');
  await using world = await createSessionWorld({
    'package.json': '{ "type": "module" }\n',
    'src/hub.ts': 'export const hub = (text: string) => text.length;\n',
    ...Object.fromEntries(others.map((path) => [path, "import { hub } from '../src/hub.ts';\nhub('a');\n"])),
  });
  const session = await world.session({ change: () => ({ harness: ['node', 'harness.js'] }) });
  await session.analysis.analyse({ signal: never });
  await expect(session.analysis.unguarded({ paths: [], seconds: 5, signal: never, quick: true })).rejects.toMatchObject(
    {
      reason: 'unavailable',
      action: expect.stringContaining('selfware unguarded'),
    },
  );
  expect(world.sandbox.ran).toEqual([]);
});

/** Counts how often the imports are walked as a whole, and how often those of one file are read. */
class CountedImports extends Map<string, readonly string[]> {
  walks = 0;
  reads = 0;
  override [Symbol.iterator]() {
    this.walks += 1;
    return super[Symbol.iterator]();
  }
  override get(path: string) {
    this.reads += 1;
    return super.get(path);
  }
}

test('the work grows with the number of files only, and can be cancelled', async () => {
  const files = Array.from({ length: 1_000 }, (_, at) => `src/file${at}.ts`);
  const state = stateOf(
    Object.fromEntries(
      files.flatMap((path, at) => [
        [path, [files[at + 1] ?? files[0]!]],
        [`test/file${at}.test.ts`, [path]],
      ]),
    ),
  );
  const counted = new CountedImports(state.imports);
  counted.walks = 0;
  expect(await chooseQuickly({ ...state, imports: counted }, files, never)).toBe('none');
  expect(counted.walks).toBe(1);
  expect(counted.reads).toBeLessThanOrEqual(30 * files.length);
  await expect(chooseQuickly(state, files, AbortSignal.abort())).rejects.toMatchObject({ reason: 'cancelled' });
});
