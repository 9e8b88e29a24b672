// The type checker looks at the repository through the session: what is kept when it is cut short, and who waits for
// it.

import { expect, test } from 'vitest';
import type { Ports } from '../../../server/src/core/ports.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const { signal } = new AbortController();
const TREE = {
  'package.json': '{ "name": "names", "main": "src/names.ts" }',
  'tsconfig.json': '{ "compilerOptions": { "strict": true }, "include": ["src"] }',
  'src/names.ts': 'export function short(name: string): string {\n  return (name as string).slice(0, 9);\n}\n',
};
const settings = { 'analysis.rules': { 'type-hole': 'hint' } } as const;

/** Jobs as they are, but the type checker's answer is another one. */
const answering = (typeHoles: () => Promise<never>) => ({
  settings,
  change: ({ jobs }: Ports): Partial<Ports> => ({
    jobs: { ...jobs, run: (name, ...more) => (name === 'typeHoles' ? typeHoles() : jobs.run(name, ...more)) },
  }),
});
const failing = (reason: 'cancelled' | 'timedOut') =>
  answering(() => Promise.reject(new SelfwareError(reason, 'The jobs are closed.')));

async function holes(session: Awaited<ReturnType<Awaited<ReturnType<typeof createSessionWorld>>['session']>>) {
  await session.analysis.analyse({ signal });
  return (await session.opportunities.shown()).filter(({ rule }) => rule === 'type-hole').length;
}

test('closed jobs are no answer, and are not kept as one', async () => {
  await using world = await createSessionWorld(TREE);
  await expect(holes(await world.session(failing('cancelled')))).rejects.toMatchObject({ reason: 'cancelled' });
  expect(await holes(await world.session({ settings }))).toBe(1);
});

test('files that took too long are looked at by the next session', async () => {
  await using world = await createSessionWorld(TREE);
  expect(await holes(await world.session(failing('timedOut')))).toBe(0);
  expect(await holes(await world.session({ settings }))).toBe(1);
});

test('whoever names an unknown opportunity can stop waiting for the type checker', async () => {
  await using world = await createSessionWorld(TREE);
  const stop = new AbortController();
  const told: (string | undefined)[] = [];
  const never = answering(() => {
    stop.abort();
    return new Promise(() => undefined);
  });
  const session = await world.session({ ...never, settings: {} });
  await session.analysis.analyse({ signal });
  const report = ({ message }: { readonly message?: string }) => void told.push(message);
  const proposing = session.proposals.propose({ opportunity: 'nothing', signal: stop.signal, report });
  await expect(proposing).rejects.toMatchObject({ reason: 'cancelled' });
  expect(told).toEqual(['the type checker looks at the repository']);
});
