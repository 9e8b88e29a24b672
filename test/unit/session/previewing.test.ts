// Which tests run for a preview, and that what it shows is no verification.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createContentStore } from '../../../server/src/adapters/sqlite/contentStore.ts';
import type { LedgerEvent } from '../../../server/src/core/ledger/events.ts';
import { createLedger } from '../../../server/src/core/ledger/ledger.ts';
import type { Proposal } from '../../../server/src/core/model.ts';
import type { Ports } from '../../../server/src/core/ports.ts';
import type { Session } from '../../../server/src/core/session.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { needsManyTests } from '../../../server/src/core/session/verify/previewing.ts';
import {
  findNearestTests,
  invertImports,
  selectTestsForAddedTests,
  selectTestsForPreview,
} from '../../../server/src/core/session/verify/reachingTests.ts';
import { determineStrength } from '../../../server/src/core/verify/strength.ts';
import { createSessionWorld, failingRun, passingRun, type SessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';

const others = Array.from({ length: 30 }, (_, at) => `test/other${at}.test.ts`);
const edit = { path: 'src/a.ts', before: 'a', after: 'b' };
const imports = new Map([
  ['test/a.test.ts', ['src/b.ts']],
  ['test/a.test-d.ts', ['src/b.ts']],
  ['src/b.ts', ['src/a.ts']],
]);

test('the test files that reach a change, if they are few of many', () => {
  const all = ['src/a.ts', ...imports.keys(), ...others];
  expect(selectTestsForPreview(imports, all, [edit])).toEqual(['test/a.test.ts']);
  // One less, and running all of them takes hardly longer.
  expect(selectTestsForPreview(imports, all.slice(0, -1), [edit])).toBeNull();
  // Nothing is known to reach it.
  expect(selectTestsForPreview(imports, all, [{ ...edit, path: 'src/c.ts' }])).toBeNull();
  // The change brings tests, which the unchanged tree does not have.
  expect(selectTestsForPreview(imports, all, [edit, { ...edit, path: 'test/a.test.ts' }])).toBeNull();
  // Half of the tests reach it.
  const many = new Map(others.map((path) => [path, ['src/a.ts']]));
  expect(selectTestsForPreview(many, [...all, ...others.map((path) => `more/${path}`)], [edit])).toHaveLength(30);
  expect(selectTestsForPreview(many, [...all, ...others.slice(2).map((path) => `more/${path}`)], [edit])).toBeNull();
});

test('the test files nearby that added tests need, if they are few of many', () => {
  const chain = new Map([
    ['test/near.test.ts', ['src/a.ts']],
    ['test/far.test.ts', ['src/index.ts']],
    ['test/types.test-d.ts', ['src/a.ts']],
    ['src/index.ts', ['src/a.ts', 'src/c.ts']],
  ]);
  const nearest = (path: string) => findNearestTests(invertImports(chain), [path]);
  expect(nearest('src/a.ts')).toEqual(['test/near.test.ts']);
  expect(nearest('src/c.ts')).toEqual(['test/far.test.ts']);
  expect(nearest('src/d.ts')).toEqual([]);
  const all = [...chain.keys(), ...others];
  const made = { path: 'test/c.test.ts', before: null, after: 'c' };
  const extended = { path: 'test/other0.test.ts', before: '', after: 'c' };
  expect(selectTestsForAddedTests(chain, all, 'src/c.ts', [made])).toEqual(['test/far.test.ts']);
  expect(selectTestsForAddedTests(chain, all, 'src/c.ts', [extended])).toEqual([
    'test/far.test.ts',
    'test/other0.test.ts',
  ]);
  expect(selectTestsForAddedTests(chain, all.slice(0, 25), 'src/c.ts', [made])).toBeNull();
});

test('a change that many test files reach needs many tests, whether or not all of them run', () => {
  const tests = (count: number, folder: string) => Array.from({ length: count }, (_, at) => `${folder}/${at}.test.ts`);
  const needsMany = (reaching: number, others: number) => {
    const reachingTests = tests(reaching, 'test');
    const state = {
      imports: new Map(reachingTests.map((path) => [path, ['src/a.ts']])),
      analyses: new Map(['src/a.ts', ...reachingTests, ...tests(others, 'more')].map((path) => [path, {}])),
    };
    return needsManyTests({ state } as unknown as SessionContext, { edits: [edit] } as unknown as Proposal);
  };
  expect(needsMany(60, 100)).toBe(true);
  expect(needsMany(59, 100)).toBe(false);
  // All run, because few would be omitted, or because nothing is known to reach the change.
  expect(needsMany(59, 1)).toBe(true);
  expect(needsMany(58, 1)).toBe(false);
  expect(needsMany(0, 60)).toBe(true);
});

const files = {
  'src/three.ts': "import { a } from './names.ts';\n/** N. */\nexport const n = 1;\n",
  'src/names.ts': '/** A. */\nexport const a = 1;\n',
  'test/three.test.ts': "import { n } from '../src/three.ts';\nn;\n",
  ...Object.fromEntries(others.map((path) => [path, '\n'])),
};
/** The commands of a runner that can run single files. */
const [ALL, PART] = ['tape test/*.test.ts', 'tape test/three.test.ts'];

interface WritableSession {
  readonly session: Session;
  /** Records an event in the ledger of the session. */
  record(event: LedgerEvent): Promise<void>;
}

async function createSession(world: SessionWorld): Promise<WritableSession> {
  let ports: Ports | undefined;
  const session = await world.session({
    settings: { 'verify.testCommand': ALL },
    change: (plain) => {
      ports = plain;
      return {};
    },
  });
  return {
    session,
    async record(event) {
      const contents = await createContentStore(join(world.stateDir, 'contents.db'));
      await createLedger(ports!.ledger, world.clock, ports!.ids, contents, determineStrength).record(event);
      await contents.close();
    },
  };
}

test('nothing can be applied on a preview', async () => {
  await using world = await createSessionWorld(files, {
    commands: { [ALL]: () => passingRun, [PART]: () => passingRun },
  });
  const { session, record } = await createSession(world);
  const { proposal } = await session.proposals.propose({ signal: never });
  const { id } = proposal!;
  const seen = await session.verification.preview(id, { signal: never });
  expect(seen.verdicts.map(({ gate, outcome }) => `${gate} ${outcome}`)).toContain('tests passed');
  expect(world.sandbox.ran).not.toContain(ALL);
  expect(seen.status).toBe('proposed');
  expect(await session.proposals.get(id)).toMatchObject({ status: 'proposed', verdicts: [] });
  const checkRefused = async () => {
    for (const by of ['person', 'charter'] as const)
      await expect(session.changes.apply({ proposal: id, by, signal: never })).rejects.toMatchObject({
        reason: 'illegalStep',
      });
  };
  await checkRefused();
  expect((await session.verification.verify(id, { signal: never })).status).toBe('verified');
  // Not even if the verdicts of a preview stood in the ledger.
  const { verdicts, pointsBefore, pointsAfter } = seen;
  await record({ type: 'verifying', data: { proposal: id } });
  await record({ type: 'verified', data: { proposal: id, verdicts, pointsBefore, pointsAfter } });
  expect((await session.proposals.get(id)).status).toBe('verified');
  await checkRefused();
  expect(world.written).toEqual([]);
});

test('if the runner cannot run single files, the preview is the verification', async () => {
  await using world = await createSessionWorld(files);
  const session = await world.session();
  const { proposal } = await session.proposals.propose({ signal: never });
  const { status, verdicts } = await session.verification.preview(proposal!.id, { signal: never });
  expect(status).toBe('verified');
  expect(await session.proposals.get(proposal!.id)).toMatchObject({ status, verdicts });
});

test('if some of the tests show no gain, and nothing fails, all tests decide', async () => {
  const before = '/** Twice. */\nexport function n(a: number): number {\n  return a + a;\n}\n';
  const after = before.replace('a + a', '2 * a');
  await using world = await createSessionWorld(
    { ...files, 'src/three.ts': before },
    {
      commands: {
        // The tests are written elsewhere: none is in the file that imports the code.
        [PART]: () => ({ stdout: 'TAP version 13\n1..0\n# tests 0\n# pass 0\n# fail 0\n' }),
        [ALL]: (texts) => ([before, after].includes(texts.get('src/three.ts') ?? '') ? passingRun : failingRun),
        'harness node_modules/.selfware/order.json': () => ({}),
      },
    },
  );
  const { session, record } = await createSession(world);
  const proposal: Proposal = {
    id: 'p-1',
    title: 'Double',
    rationale: '',
    recipe: 'by-hand',
    author: 'person',
    claimed: 'request',
    opportunity: { id: 'o-1', rule: 'wish', path: 'src/three.ts', symbol: null },
    base: null,
    edits: [{ path: 'src/three.ts', before, after }],
    safety: 'behaviorPreserving',
    createdAt: 0,
    status: 'proposed',
    verdicts: [],
    pointsBefore: null,
    pointsAfter: null,
    reason: null,
    checkpoint: null,
  };
  await record({ type: 'proposed', data: { proposal } });
  const seen = await session.verification.preview(proposal.id, { signal: never });
  expect(seen).toMatchObject({ status: 'verified', strength: 'tested' });
  expect((await session.ledger.query({ types: ['refused'] })).length).toBe(0);
});
