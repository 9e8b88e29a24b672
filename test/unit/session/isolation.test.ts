// Without isolation nothing is applied unattended, and every interface says so.

import { expect, test } from 'vitest';
import {
  describeIsolation,
  notifyIfNotIsolated,
  NO_ISOLATION,
  requireIsolation,
} from '../../../server/src/core/session/verify/isolation.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import type { Notice } from '../../../server/src/core/model.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';
import type { Isolation } from '../../../server/src/core/ports/sandbox.ts';
import { createPart } from '../../helpers/createPart.ts';

const OPEN: Isolation = {
  kind: 'none',
  confined: false,
  tried: [
    { kind: 'bubblewrap', trouble: 'bwrap is not installed' },
    { kind: 'unshare', trouble: 'does not work here: unshare: Operation not permitted' },
  ],
};
const SHUT: Isolation = {
  kind: 'unshare',
  confined: true,
  tried: [
    { kind: 'bubblewrap', trouble: 'bwrap is not installed' },
    { kind: 'unshare', trouble: null },
  ],
};

/** Of a session, what these functions ask for. */
function contextWith(isolation: Isolation): {
  readonly context: SessionContext;
  readonly notices: () => readonly Notice[];
} {
  const state = { notices: [] as readonly Notice[] };
  const context = createPart<SessionContext>({
    ports: { sandbox: { isolation: async () => isolation } },
    state,
    emit: () => undefined,
  });
  return { context, notices: () => state.notices };
}

test('unattended application asks for isolation', async () => {
  await expect(requireIsolation(contextWith(OPEN).context)).rejects.toMatchObject({
    reason: 'forbidden',
    action: expect.stringContaining('bubblewrap'),
  });
  await expect(requireIsolation(contextWith(SHUT).context)).resolves.toBeUndefined();
});

test('a run asks about what the charter would have let through, and goes on', async () => {
  const files = {
    'index.ts': "import './a.ts';\nimport './b.ts';\nimport './c.ts';\n",
    'a.ts': '/** One. */\nexport const one = (name: string): string => `${name}`;\n',
    'b.ts': "/** At. */\nexport function place(name: string): string {\n  return 'at ' + name + '.';\n}\n",
    'c.ts': "/** By. */\nexport function person(name: string): string {\n  return 'by ' + name + '.';\n}\n",
  };
  const run = async (isolation: Isolation) => {
    await using world = await createSessionWorld(files);
    const session = await world.session({
      settings: {
        'charter.maxChanges': 100,
        'charter.approval': 'minimal',
        'analysis.rules': { 'string-concat': 'hint' },
      },
      change: ({ sandbox }) => ({ sandbox: { ...sandbox, isolation: async () => isolation } }),
    });
    const asked: string[] = [];
    await session.improve({
      cycles: Infinity,
      dryRun: false,
      approval: 'minimal',
      maxChanges: 100,
      signal: never,
      decide: async (_proposal, why) => (asked.push(why), { verdict: 'deferred', by: 'charter', reason: why }),
    });
    return { asked, ends: (await session.proposals.all()).map(({ status, reason }) => [status, reason]) };
  };
  const shut = await run(SHUT);
  expect(shut.asked).toEqual([]);
  expect(shut.ends.length).toBeGreaterThan(1);
  expect(new Set(shut.ends.map(([status]) => status))).toEqual(new Set(['kept']));
  const open = await run(OPEN);
  expect(open.asked).toHaveLength(shut.ends.length);
  expect(new Set(open.ends.map(String))).toEqual(new Set([`deferred,${NO_ISOLATION}`]));
});

test('attended use says once that there is none', async () => {
  const { context, notices } = contextWith(OPEN);
  await notifyIfNotIsolated(context);
  await notifyIfNotIsolated(context);
  expect(notices()).toMatchObject([{ severity: 'warning', message: expect.stringContaining('without isolation') }]);
  const shut = contextWith(SHUT);
  await notifyIfNotIsolated(shut.context);
  expect(shut.notices()).toEqual([]);
});

test('doctor says what isolates, or what was tried', () => {
  expect(describeIsolation(SHUT).detail).toMatch(/^unshare: /);
  const walls = ['no network', 'system calls not filtered'];
  expect(describeIsolation({ ...SHUT, walls }).detail).toMatch(/no network, system calls not filtered$/);
  expect(describeIsolation(OPEN).detail).toContain('bwrap is not installed; unshare: does not work here');
});
