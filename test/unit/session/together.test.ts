// Several proposals checked together: how often the tests run, what happens if they fail, and what each receipt says.

import { expect, test } from 'vitest';
import type { ImproveRequest } from '../../../server/src/core/session/cycleEvents.ts';
import type { Session } from '../../../server/src/core/session.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import type { Receipt } from '../../../server/src/core/session/ledger/receipts.ts';
import { findCompanionEdits } from '../../../server/src/core/session/verify/jointEdits.ts';
import { sha256 } from '../../../server/src/util/hash.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import type { Proposal } from '../../../server/src/core/model.ts';
import { listIdsCheckedTogether } from '../../../server/src/core/verify/checkedTogether.ts';
import { createSessionWorld, failingRun, passingRun } from '../../helpers/memorySessionPorts.ts';
import { flawedOnes, never } from './flawed.ts';
import { createPart } from '../../helpers/createPart.ts';

const NAMES = ['ant', 'bee', 'cat', 'dog'];

/** Four files with one flaw of the same kind each, all reached by imports. */
const four = flawedOnes(NAMES);

const night: ImproveRequest = {
  cycles: Infinity,
  dryRun: false,
  approval: 'minimal',
  maxChanges: 100,
  signal: never,
  decide: () => Promise.reject(new Error('Nobody is asked.')),
};

/** The files whose text differs from the first one, by the names of the table. */
function changedIn(texts: ReadonlyMap<string, string>): readonly string[] {
  return NAMES.filter((name) => texts.get(`src/${name}.ts`) !== four[`src/${name}.ts`]);
}

/** The bee alone breaks the tests, and the cat hides that. */
function beeNeedsCat(changed: readonly string[]): boolean {
  return changed.includes('bee') && !changed.includes('cat');
}

/** A world whose tests fail if `breaks` says so of the changed files; `runs` lists these files for each run. */
async function worldWith(breaks: (changed: readonly string[]) => boolean = () => false) {
  const runs: string[] = [];
  const world = await createSessionWorld(four, {
    commands: {
      'run-tests': (texts) => {
        const changed = changedIn(texts);
        runs.push(changed.join(' '));
        return breaks(changed) ? failingRun : passingRun;
      },
    },
  });
  /** What is on disk differs from the commit as in a real repository. */
  const session = (more: Partial<Settings> = {}, onRecord: (type: string) => void = () => {}) =>
    world.session({
      settings: { 'charter.approval': 'minimal', 'charter.maxChanges': 100, ...more },
      change: ({ git, ledger }) => ({
        ledger: {
          ...ledger,
          async append(event, expected) {
            onRecord(event.type);
            return ledger.append(event, expected);
          },
        },
        git: {
          ...git,
          listUncommittedChanges: async () => changedFiles().map((path) => ({ path, kind: 'modified' as const })),
          listFilesChangedSince: async () => changedFiles(),
          readAt: async (_commit, path) => new TextEncoder().encode(four[path]),
        },
      }),
    });
  const changedFiles = () => changedNow().map((name) => `src/${name}.ts`);
  const changedNow = () => changedIn(new Map(Object.entries(world.tree.all())));
  return { world, runs, session, changedNow };
}

async function ofPath(session: Session, path: string): Promise<Proposal> {
  return (await session.proposals.all()).filter(({ edits }) => edits.some((edit) => edit.path === path)).at(-1)!;
}

test('four changes share one run of the tests, and each has its own checkpoint and receipt', async () => {
  const { world, runs, session: open } = await worldWith();
  await using _ = world;
  const session = await open();
  const summary = await session.improve(night);
  expect(summary).toMatchObject({ proposed: 4, verified: 4, applied: 4, kept: 4, rolledBack: 0 });
  expect(runs.toSorted()).toEqual(['', 'ant bee cat dog']);
  const kept = await session.proposals.all();
  expect(kept.map(({ status }) => status)).toEqual(['kept', 'kept', 'kept', 'kept']);
  for (const proposal of kept) {
    const others = kept.map(({ id }) => id).filter((id) => id !== proposal.id);
    expect(listIdsCheckedTogether(proposal).toSorted()).toEqual(others.toSorted());
    expect(proposal.verdicts.find(({ gate }) => gate === 'tests')?.reason).toMatch(/together with 3 other changes/);
    expect(await session.verification.verifyChange(proposal.id, null, { signal: never })).toMatchObject({
      holds: true,
    });
  }
  expect(await session.changes.checkpoints()).toHaveLength(4);
});

test('the same, each alone, if the setting is 1, a person waits, or only other claims may be joined', async () => {
  for (const request of [
    { ...night, maxCheckedTogether: 1 },
    { ...night, personWaits: true },
    { ...night, joinableClaims: ['tests'] as const },
  ]) {
    const { world, runs, session: open } = await worldWith();
    await using _ = world;
    const session = await open();
    expect(await session.improve(request)).toMatchObject({ kept: 4 });
    expect(runs.toSorted()).toEqual(['', 'ant', 'ant bee', 'ant bee cat', 'ant bee cat dog'].toSorted());
    expect((await session.proposals.all()).flatMap(listIdsCheckedTogether)).toEqual([]);
  }
});

test('if the run fails, halves find the change that breaks the tests; the others are kept', async () => {
  const { world, runs, session: open, changedNow } = await worldWith((changed) => changed.includes('cat'));
  await using _ = world;
  const session = await open();
  expect(await session.improve(night)).toMatchObject({ proposed: 4, verified: 3, refused: 1, kept: 3, rolledBack: 0 });
  expect(runs).toContain('ant bee');
  expect(changedNow()).toEqual(['ant', 'bee', 'dog']);
  const refused = await ofPath(session, 'src/cat.ts');
  expect(refused).toMatchObject({ status: 'refused' });
  expect(refused.verdicts.at(-1)).toMatchObject({ gate: 'tests', outcome: 'failed' });
  // It is not known that the one beside it passes with it, so both were checked alone.
  expect(listIdsCheckedTogether(await ofPath(session, 'src/dog.ts'))).toEqual([]);
  expect(listIdsCheckedTogether(await ofPath(session, 'src/ant.ts'))).toHaveLength(1);
});

test('two changes that pass alone and fail together do not both stay', async () => {
  const {
    world,
    session: open,
    changedNow,
  } = await worldWith((changed) => changed.includes('ant') && changed.includes('dog'));
  await using _ = world;
  const session = await open();
  await session.improve(night);
  const changed = changedNow();
  expect(changed).toHaveLength(3);
  expect(changed).toEqual(expect.arrayContaining(['bee', 'cat']));
});

test('if a person leaves one out, the others are checked without it before they are applied', async () => {
  const { world, runs, session: open, changedNow } = await worldWith(beeNeedsCat);
  await using _ = world;
  const session = await open({ 'charter.approval': 'strict' });
  const written: string[] = [];
  const summary = await session.improve({
    ...night,
    cycles: 4,
    decide: async ({ edits: [edit] }) => {
      written.push(changedNow().join(' '));
      return { verdict: edit?.path === 'src/cat.ts' ? 'rejected' : 'approved', reason: null };
    },
  });
  expect(runs).toContain('ant bee dog');
  expect(summary).toMatchObject({ kept: 2, rolledBack: 0 });
  expect(written[0]).toBe('');
  expect(changedNow()).toEqual(['ant', 'dog']);
  expect(world.written.flat().map(({ path }) => path)).not.toContain('src/bee.ts');
});

test('a change that was checked with others is checked in the tree if a person applies it alone later', async () => {
  const { world, runs, session: open, changedNow } = await worldWith(beeNeedsCat);
  await using _ = world;
  const session = await open({ 'charter.approval': 'strict' });
  await session.improve({ ...night, cycles: 4, decide: async () => ({ verdict: 'deferred', reason: null }) });
  const { id } = await ofPath(session, 'src/bee.ts');
  const { proposal } = await session.changes.apply({ proposal: id, by: 'person', signal: never });
  expect(runs).toContain('bee');
  expect(proposal).toMatchObject({ status: 'rolledBack' });
  expect(changedNow()).toEqual([]);
});

test('if one is undone, the others are checked again without it, once', async () => {
  const { world, runs, session: open, changedNow } = await worldWith();
  await using _ = world;
  const session = await open();
  await session.improve(night);
  const undone = await ofPath(session, 'src/cat.ts');
  await session.changes.rollback(undone.checkpoint!, { signal: never });
  expect(changedNow()).toEqual(['ant', 'bee', 'dog']);
  runs.length = 0;
  const [checked, ...more] = await session.changes.checkRemaining({ signal: never });
  expect(more).toEqual([]);
  expect(checked).toMatchObject({ undone: { id: undone.id }, failing: [] });
  expect(checked!.rest.map(({ edits }) => edits[0]?.path)).toEqual(['src/ant.ts', 'src/bee.ts', 'src/dog.ts']);
  expect(checked!.verdicts).toContainEqual(expect.objectContaining({ gate: 'tests', outcome: 'passed' }));
  expect(runs).toContain('ant bee dog');
  runs.length = 0;
  expect(await session.changes.checkRemaining({ signal: never })).toEqual([]);
  expect(runs).toEqual([]);
});

test('a change that needs the undone one is named, and stays until the person decides', async () => {
  const { world, session: open, changedNow } = await worldWith(beeNeedsCat);
  await using _ = world;
  const session = await open();
  await session.improve(night);
  await session.changes.rollback((await ofPath(session, 'src/cat.ts')).checkpoint!, { signal: never });
  const bee = await ofPath(session, 'src/bee.ts');
  // The next run looks first whether something is due.
  await session.changes.judge({ signal: never });
  const { notices } = await session.status();
  const told = notices.filter(({ severity }) => severity === 'error');
  expect(told.map(({ action }) => action)).toEqual([
    `To undo it, too: \`selfware checkpoints rollback ${bee.checkpoint}\`.`,
  ]);
  expect(told[0]?.message).toContain(bee.title);
  expect(changedNow()).toEqual(['ant', 'bee', 'dog']);
});

test('a change that passes only with a later one of its set holds when it is proven again, with that one', async () => {
  const { world, runs, session: open } = await worldWith(beeNeedsCat);
  await using _ = world;
  const session = await open();
  expect(await session.improve(night)).toMatchObject({ kept: 4 });
  const { id } = await ofPath(session, 'src/bee.ts');
  const exported = await session.ledger.receipt(id);
  const receipt = JSON.parse((JSON.parse(exported) as { readonly receipt: string }).receipt) as Receipt;
  expect(receipt.verifiedOnBase).toBe(false);
  expect(receipt.companions?.flatMap(({ edits }) => edits.map(({ path }) => path))).toEqual([
    'src/ant.ts',
    'src/cat.ts',
    'src/dog.ts',
  ]);
  for (const text of [null, exported]) {
    runs.length = 0;
    const proof = await session.verification.verifyChange(id, text, { signal: never });
    expect(proof).toMatchObject({ holds: true, problems: [] });
    expect(proof.notes).toContain('Types and tests count for the tree with 3 changes that it was checked with.');
    expect(proof.verdicts).toContainEqual(expect.objectContaining({ gate: 'tests', then: 'passed', now: 'passed' }));
    // The ant was there before the bee.
    expect(runs.toSorted()).toEqual(['ant', 'ant bee cat dog']);
  }
});

test('companions that do not fit the tree before a change are not put into it', async () => {
  const texts = new Map(['old', 'new', 'mine'].map((text) => [sha256(text), text]));
  const [before, after, mine] = [...texts.keys()];
  const companion = { change: 'p', edits: [{ path: 'src/cat.ts', before: before!, after: after! }] };
  const read = { receipt: createPart<Receipt>({ companions: [companion] }), contents: texts };
  const context = createPart<SessionContext>({
    ports: { git: { readAt: async () => new TextEncoder().encode('old') } },
  });
  const at = (...content: (string | undefined)[]) => ({
    head: '1',
    files: content.map((hash) => ({ path: 'src/cat.ts', content: hash ?? null })),
  });
  const edited = [{ path: 'src/cat.ts', before: 'old', after: 'mine' }];
  const fitting = [{ path: 'src/cat.ts', before: 'old', after: 'new' }];
  expect(await findCompanionEdits(context, at(), read, [])).toEqual(fitting);
  expect(await findCompanionEdits(context, at(before), read, [])).toEqual(fitting);
  expect(await findCompanionEdits(context, at(after), read, edited)).toEqual([]);
  for (const base of [at(mine), at(undefined), at(`base64:${mine}`)])
    expect(await findCompanionEdits(context, base, read, [])).toBeNull();
  expect(await findCompanionEdits(context, at(), read, edited)).toBeNull();
});

test('before the next change is applied, the rest of a set is checked without one that was undone', async () => {
  const { world, runs, session: open } = await worldWith(beeNeedsCat);
  await using _ = world;
  const session = await open({ 'charter.approval': 'strict' });
  await session.improve({
    ...night,
    cycles: 4,
    decide: async ({ edits: [edit] }) => ({
      verdict: edit?.path === 'src/dog.ts' ? 'deferred' : 'approved',
      reason: null,
    }),
  });
  await session.changes.rollback((await ofPath(session, 'src/cat.ts')).checkpoint!, { signal: never });
  runs.length = 0;
  const dog = await ofPath(session, 'src/dog.ts');
  await session.changes.apply({ proposal: dog.id, by: 'person', signal: never });
  const dogs = runs.findIndex((changed) => changed.includes('dog'));
  expect(runs.slice(0, dogs)).toContain('ant bee');
  expect(await blamed(session)).toEqual([(await ofPath(session, 'src/bee.ts')).checkpoint]);
});

test('a change that has to be verified alone shares no run of the tests, as the first one or as a later one', async () => {
  for (const position of [0, 1]) {
    const { world, runs, session: open } = await worldWith();
    await using _ = world;
    const session = await open();
    const first = (await session.proposals.propose({ signal: never })).proposal!;
    const excludedProposals = new Set([first.id]);
    const second = (await session.proposals.propose({ signal: never, excludedProposals })).proposal!;
    const alone = new Set([[first, second][position]!.id]);
    expect(await session.improve({ ...night, proposalsVerifiedAlone: alone })).toMatchObject({ verified: 4, kept: 4 });
    expect(runs.toSorted()).toEqual(
      position === 0 ? ['', 'ant', 'ant bee cat dog'] : ['', 'ant bee cat dog', 'ant cat dog'],
    );
  }
});

test('if one of a set is undone while they are judged, those kept before it are checked without it at once', async () => {
  const { world, session: open, changedNow } = await worldWith(beeNeedsCat);
  await using _ = world;
  let kept = 0;
  const session = await open({}, (type) => {
    // A person undoes the cat by hand, right before it is judged.
    if (type === 'kept' && ++kept === 2) world.tree.set('src/cat.ts', four['src/cat.ts'] ?? '');
  });
  const summary = await session.improve({ ...night, cycles: 4 });
  expect(summary).toMatchObject({ applied: 4, kept: 3, rolledBack: 1 });
  expect(changedNow()).toEqual(['ant', 'bee', 'dog']);
  expect(await blamed(session)).toEqual([(await ofPath(session, 'src/bee.ts')).checkpoint]);
});

/** Checkpoints of the changes that notices name as failing without an undone one. */
async function blamed(session: Session): Promise<readonly (string | undefined)[]> {
  const { notices } = await session.status();
  return notices
    .filter(({ message }) => message.includes('was checked together with'))
    .map(({ action }) => action?.match(/rollback ([^`]+)`/)?.[1]);
}
