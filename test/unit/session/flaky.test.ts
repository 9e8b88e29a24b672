// Flaky tests that a verification has met, as opportunities.

import { expect, test } from 'vitest';
import type { Ports } from '../../../server/src/core/ports.ts';
import { createFlakyTestStore } from '../../../server/src/core/session/verify/flakyTests.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { sha256 } from '../../../server/src/util/hash.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { createPart } from '../../helpers/createPart.ts';

const { signal } = new AbortController();
const PATH = 'src/a.test.ts';
const TESTS = `import { test } from 'vitest';

test('adds', () => {});
test('retries after a pause', () => {});
`;

/** What is shown after a verification has met this test, and the file was then changed. */
async function shownAfter(
  name: string,
  { text = TESTS, now = text, file = PATH }: { text?: string; now?: string; file?: string | null } = {},
) {
  await using world = await createSessionWorld({ 'package.json': '{}', [PATH]: text });
  let ports: Ports | undefined;
  const session = await world.session({
    change: (plain) => {
      ports = plain;
      return {};
    },
  });
  await createFlakyTestStore(ports!, () => sha256(new TextEncoder().encode(text))).add([{ file, name }]);
  world.tree.set(PATH, now);
  await session.analysis.analyse({ signal });
  return (await session.opportunities.shown())
    .filter(({ rule }) => rule === 'flaky-test')
    .map(({ path, nameRange, message }) => `${path}:${nameRange.startLine} ${message}`);
}

test('a flaky test is shown at its title, whatever stands before it in the name', async () => {
  const expected = expect.stringMatching(/^src\/a\.test\.ts:4 .*retries after a pause” passed and failed on the same/);
  expect(await shownAfter('retries after a pause')).toEqual([expected]);
  expect(await shownAfter('queue › retries after a pause')).toEqual([expected]);
  expect(await shownAfter('queue retries after a pause')).toEqual([expected]);
  expect(await shownAfter('made of parts')).toEqual([expect.stringMatching(/^src\/a\.test\.ts:1 /)]);
});

test('it goes with a change of its file, by a comment, and where the runner names no file', async () => {
  expect(await shownAfter('adds', { now: `${TESTS}// Mended.\n` })).toEqual([]);
  expect(await shownAfter('adds', { file: null })).toEqual([]);
  const text = TESTS.replace("test('adds'", "// selfware-ignore-next-line flaky-test: it asks a server.\ntest('adds'");
  expect(await shownAfter('adds', { text })).toEqual([]);
});

test('a store that is locked costs a warning, and does not end the verification', async () => {
  const locked = new SelfwareError('locked', 'Another process writes it.');
  const warned: unknown[] = [];
  const documents = { read: async () => null, update: () => Promise.reject(locked) };
  const ports = createPart<Ports>({ documents, clock: { now: () => 1 } });
  await createFlakyTestStore(
    ports,
    () => null,
    (_message, cause) => warned.push(cause),
  ).add([{ file: PATH, name: 'adds' }]);
  expect(warned).toEqual([locked]);
});
