// Some hunks of a proposal are applied: they stay, and the others go on waiting, are verified in the new tree, and
// survive a kill at any step.

import { expect, test } from 'vitest';
import type { FileEdit, Proposal } from '../../../server/src/core/model.ts';
import type { Ports } from '../../../server/src/core/ports.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { createSessionWorld, failingRun, passingRun, type SessionWorld } from '../../helpers/memorySessionPorts.ts';
import { never } from './flawed.ts';
import type { LedgerStore } from '../../../server/src/core/ports/ledger.ts';

const path = 'src/three.ts';
const between = (from: number) =>
  Array.from({ length: 8 }, (_, i) => `/** N. */\nexport const n${from + i} = ${from + i};\n`).join('');
const unused = (name: string) => `import { ${name} } from './names.ts';\n`;
const textOf = (first: string, second: string, third: string) =>
  `${first}${between(1)}${second}${between(11)}${third}${between(21)}`;
const [A, B, C] = [unused('a'), unused('b'), unused('c')];
const before = textOf(A, B, C);
const after = textOf('', '', '');
const onlyFirst = textOf('', B, C);
const edit: FileEdit = { path, before, after };
const files = {
  [path]: before,
  'src/names.ts': '/** A. */\nexport const a = 1;\n/** B. */\nexport const b = 1;\n/** C. */\nexport const c = 1;\n',
};

/** A recipe that takes out all three imports of the file. */
async function waiting(world: SessionWorld): Promise<{ readonly session: Session; readonly whole: Proposal }> {
  const recipe = ({ jobs }: Ports): Pick<Ports, 'jobs'> => ({
    jobs: {
      ...jobs,
      run: async (name, input, signal) =>
        name === 'applyRecipe'
          ? ({ edits: [edit], title: 'Three', rationale: '' } as never)
          : name === 'alike'
            ? ({ refused: 'Alone.' } as never)
            : jobs.run(name, input, signal),
    },
  });
  const session = await world.session({ change: recipe });
  const { proposal } = await session.proposals.propose({ signal: never });
  return { session, whole: await session.verification.verify(proposal?.id ?? '', { signal: never }) };
}

const byPerson = { by: 'person', signal: never } as const;
const open = async (session: Session) =>
  (await session.proposals.all()).filter(
    ({ status }) => !['refused', 'rejected', 'applied', 'kept', 'rolledBack'].includes(status),
  );

test('applied hunks stay applied; the others wait as a proposal of their own, and are verified against the new tree', async () => {
  await using world = await createSessionWorld(files);
  const { session, whole } = await waiting(world);
  const { proposal, rest } = await session.changes.apply({ ...byPerson, proposal: whole.id, hunks: [0] });
  expect(world.tree.text(path)).toBe(onlyFirst);
  expect(proposal).toMatchObject({ status: 'kept', partOf: whole.id });
  expect(rest).toMatchObject({
    status: 'proposed',
    restOf: whole.id,
    title: 'Three',
    edits: [{ path, before: onlyFirst, after }],
  });
  expect(await session.proposals.get(whole.id)).toMatchObject({
    status: 'rejected',
    replacedBy: proposal.id,
    reason: expect.stringContaining(rest?.id ?? '-'),
  });
  const runs = world.sandbox.ran.length;
  expect(await session.verification.verifyRemaining({ signal: never })).toMatchObject([
    { id: rest?.id, status: 'verified' },
  ]);
  expect(world.sandbox.ran.length).toBeGreaterThan(runs);
  expect(await session.verification.verifyRemaining({ signal: never })).toEqual([]);
  await session.changes.apply({ ...byPerson, proposal: rest?.id ?? '' });
  expect(world.tree.text(path)).toBe(after);
  const told = (await session.ledger.query({ types: ['proposed', 'rejected', 'applied'] })).map(({ type }) => type);
  expect(told).toEqual(['proposed', 'proposed', 'applied', 'proposed', 'rejected', 'applied']);
});

test('hunk after hunk: each time what is left goes on waiting, and who does not wait has it verified at once', async () => {
  await using world = await createSessionWorld(files);
  const { session, whole } = await waiting(world);
  const first = await session.changes.apply({ ...byPerson, proposal: whole.id, hunks: [2] });
  const second = await session.changes.apply({ ...byPerson, proposal: first.rest?.id ?? '', hunks: [0] });
  const third = await session.changes.apply({ ...byPerson, proposal: second.rest?.id ?? '' });
  expect(third.rest).toBeNull();
  expect(world.tree.text(path)).toBe(after);
  expect(await open(session)).toEqual([]);
});

test('the part is rolled back: what is left is put into the text as it is then', async () => {
  await using world = await createSessionWorld(files);
  const { session, whole } = await waiting(world);
  const { checkpoint, rest } = await session.changes.apply({ ...byPerson, proposal: whole.id, hunks: [0] });
  await session.changes.rollback(checkpoint.id, { signal: never });
  const [verified] = await session.verification.verifyRemaining({ signal: never });
  expect(verified).toMatchObject({ status: 'verified', restOf: whole.id });
  expect(verified?.id).not.toBe(rest?.id);
  await session.changes.apply({ ...byPerson, proposal: verified?.id ?? '' });
  expect(world.tree.text(path)).toBe(textOf(A, '', ''));
});

test('a part that does not pass is not applied, and the whole goes on waiting as it was', async () => {
  const halves = (texts: ReadonlyMap<string, string>) => (texts.get(path) === onlyFirst ? failingRun : passingRun);
  await using world = await createSessionWorld(files, { commands: { 'run-tests': halves } });
  const { session, whole } = await waiting(world);
  await expect(session.changes.apply({ ...byPerson, proposal: whole.id, hunks: [0] })).rejects.toMatchObject({
    reason: 'forbidden',
  });
  expect(world.tree.text(path)).toBe(before);
  expect(await open(session)).toMatchObject([{ id: whole.id, status: 'verified' }]);
});

test('what a person asks for meanwhile comes first, and the verification begins anew behind it', async () => {
  let busy: () => void = () => {};
  const begun = new Promise<void>((resolve) => (busy = resolve));
  let runs = 0;
  let counted = false;
  await using world = await createSessionWorld(files, {
    commands: { 'run-tests': () => (counted && (runs += 1), passingRun) },
  });
  const { session, whole } = await waiting(world);
  const { rest } = await session.changes.apply({ ...byPerson, proposal: whole.id, hunks: [0] });
  counted = true;
  session.subscribe((event) => event.type === 'progress' && event.progress.stage === 'verifying' && busy());
  const remaining = session.verification.verifyRemaining({ signal: never });
  await begun;
  const order: string[] = [];
  const asked = session.analysis.analyse({ signal: never }).then(() => order.push('asked'));
  const done = remaining.then(() => order.push('rest'));
  await Promise.all([asked, done]);
  expect(order).toEqual(['asked', 'rest']);
  expect((await session.proposals.get(rest?.id ?? '')).status).toBe('verified');
});

test('a rest that one process verifies in the background is not dropped by another that looks at each step', async () => {
  await using world = await createSessionWorld(files);
  const { session, whole } = await waiting(world);
  await session.changes.apply({ ...byPerson, proposal: whole.id, hunks: [0] });
  world.tree.set(path, `${onlyFirst}export const mine = 1;\n`);
  const other = await world.session();
  const verifying = await world.session({
    change: ({ ledger }) => ({
      ledger: {
        ...ledger,
        append: async (...args) => {
          await other.status();
          return ledger.append(...args);
        },
      },
    }),
  });
  const [verified] = await verifying.verification.verifyRemaining({ signal: never });
  expect(verified).toMatchObject({ status: 'verified', restOf: whole.id });
  expect(await open(other)).toMatchObject([{ id: verified?.id, status: 'verified' }]);
});

/** Dies before the nth event after the click is written; what comes after it is written by nobody. */
function mortal(store: LedgerStore, lastEvents: number) {
  let left = Infinity;
  return {
    click: () => (left = lastEvents),
    ledger: {
      ...store,
      append: async (...args: Parameters<LedgerStore['append']>) => {
        if (left <= 0) throw new Error('killed');
        left -= 1;
        return store.append(...args);
      },
    },
  };
}

/**
 * Of an application of one hunk without a kill: the part is filed, verified, approved, applied; the rest is filed; the
 * whole ends.
 */
const EVENTS = 12;

test.each(Array.from({ length: EVENTS }, (_, i) => i))(
  'killed before event %i after the click: no hunk is lost',
  async (events) => {
    await using world = await createSessionWorld(files);
    const { whole } = await waiting(world);
    let click = () => 0;
    const dying = await world.session({
      change: ({ ledger }) => {
        const store = mortal(ledger, events);
        click = store.click;
        return { ledger: store.ledger };
      },
    });
    click();
    await dying.changes.apply({ ...byPerson, proposal: whole.id, hunks: [0] }).catch(() => undefined);
    world.held.clear();

    const next = await world.session();
    const left = await open(next);
    expect(left).toHaveLength(1);
    expect(left[0]).toMatchObject(world.tree.text(path) === before ? { id: whole.id } : { restOf: whole.id });
    await next.changes.judge({ signal: never });
    await next.verification.verifyRemaining({ signal: never });
    const [still] = await open(next);
    await next.changes.apply({ ...byPerson, proposal: still?.id ?? '' });
    expect(world.tree.text(path)).toBe(after);
    expect(await open(next)).toEqual([]);
  },
);
