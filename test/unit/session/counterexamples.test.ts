// Where functions are called at all: in a trusted workspace, on a machine that isolates the calls.

import { expect, test } from 'vitest';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';

const FILES = { 'package.json': '{ "type": "module" }\n', 'src/a.ts': 'export const a = (b: string) => b.length;\n' };
const ASKED = { paths: [], seconds: 5, signal: never };

test('not in an untrusted workspace', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session({ trusted: false });
  await expect(session.analysis.counterexamples(ASKED)).rejects.toMatchObject({ reason: 'untrusted' });
});

test('not where nothing isolates the calls, and the error says what to do', async () => {
  await using world = await createSessionWorld(FILES);
  const session = await world.session({
    change: (ports) => ({
      harness: ['node', 'harness.js'],
      sandbox: { ...ports.sandbox, isolation: async () => ({ kind: 'none', confined: false, tried: [] }) },
    }),
  });
  await expect(session.analysis.counterexamples(ASKED)).rejects.toMatchObject({
    reason: 'forbidden',
    action: expect.stringContaining('bubblewrap'),
  });
});
