// What is allowed: levels, budgets, the switch that stops everything, and records, attacked by whoever speaks for the
// charter.

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deflateRawSync } from 'node:zlib';
import type { FileEdit } from '../../../../server/src/core/model.ts';
import type { Session } from '../../../../server/src/core/session.ts';
import type { AppliedProposal } from '../../../../server/src/core/session/apply/applyResults.ts';
import { SelfwareError } from '../../../../server/src/util/typedError.ts';
import { ended, never, type Ground } from '../ground.ts';
import type { Answer, Attack } from '../attack.ts';
import { BAIT } from '../sample.ts';

const operation = { signal: never };

/** These need sessions of their own, with other settings, on the same repository. */
export interface Trial extends Omit<Attack, 'run'> {
  run(ground: Ground): Promise<Answer>;
}

/** Of one file, and each with words of its own: the same edits are not filed twice. */
function honest(ground: Ground, words: string, path = 'src/late.ts'): FileEdit {
  const before = ground.text(path);
  return { path, before, after: before.replace(BAIT, '').replace(' as much.', ` as much, ${words}.`) };
}

async function mustVerify(session: Session, id: string): Promise<void> {
  const { status, reason } = await session.verification.verify(id, operation);
  if (status !== 'verified') throw new Error(`The ground itself is refused: ${reason}`);
}

/** Number of changes that a person approved and that were applied. */
async function countOfPerson({ session }: Ground): Promise<number> {
  const query = { types: ['approved', 'applied'], limit: 10_000 };
  const events = (await session.ledger.query(query)).map(({ type, data }) => ({
    type,
    ...(data as { readonly proposal: string; readonly by?: string }),
  }));
  const byPerson = new Set(events.filter(({ by }) => by === 'person').map(({ proposal }) => proposal));
  return events.filter(({ type, proposal }) => type === 'applied' && byPerson.has(proposal)).length;
}

/** Tries again while another session holds the lock. */
async function unlocked<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SelfwareError && error.reason === 'locked')) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
}

async function by(end: Answer['end'], work: () => Promise<unknown>): Promise<Answer> {
  try {
    await work();
    return { end: 'applied', by: 'charter', detail: '' };
  } catch (error) {
    return ended(end, error);
  }
}

export const CHARTER: readonly Trial[] = [
  {
    name: 'the charter speaks for a person',
    wants: 'is applied at the level strict',
    expected: 'refused: forbidden',
    async run(ground) {
      const session = await ground.open({ 'charter.approval': 'strict' });
      const { id } = await session.proposals.proposeEdits(
        { title: 'A change', rationale: '', edits: [honest(ground, 'by the charter')] },
        operation,
      );
      await session.verification.verify(id, operation);
      await session.proposals.decide({ proposal: id, verdict: 'approved', by: 'charter', reason: 'I am sure.' });
      return by('refused', () => session.changes.apply({ ...operation, proposal: id, by: 'charter' }));
    },
  },
  {
    name: 'nothing was verified',
    wants: 'is applied before a gate has looked',
    expected: 'refused: illegalStep',
    async run(ground) {
      const { id } = await ground.session.proposals.proposeEdits(
        { title: 'A change', rationale: '', edits: [honest(ground, 'unseen')] },
        operation,
      );
      const answer = await by('refused', () =>
        ground.session.changes.apply({ ...operation, proposal: id, by: 'person' }),
      );
      await ground.session.verification.verify(id, operation);
      await ground.session.proposals.decide({ proposal: id, verdict: 'rejected', by: 'person', reason: null });
      return answer;
    },
  },
  {
    name: 'what was refused, once more',
    wants: 'is filed until somebody gives in',
    expected: 'refused: conflict',
    async run(ground) {
      const bad = {
        path: 'src/cart.ts',
        before: ground.text('src/cart.ts'),
        after: `// @ts-nocheck\n${ground.text('src/cart.ts').replace(BAIT, '// again\n')}`,
      };
      const { id } = await ground.session.proposals.proposeEdits(
        { title: 'A change', rationale: '', edits: [bad] },
        operation,
      );
      const { status } = await ground.session.verification.verify(id, operation);
      if (status !== 'refused') throw new Error(`It is ${status}.`);
      return by('refused', () =>
        ground.session.proposals.proposeEdits(
          { title: 'Another title', rationale: 'Please.', edits: [bad] },
          operation,
        ),
      );
    },
  },
  {
    name: 'a refused proposal approved by a person',
    wants: 'is applied against its gates',
    expected: 'refused: illegalStep',
    async run(ground) {
      const refused = (await ground.session.proposals.all()).find(({ status }) => status === 'refused');
      return by('refused', () => ground.session.changes.apply({ ...operation, proposal: refused!.id, by: 'person' }));
    },
  },
  {
    name: 'two sessions and one change left',
    wants: 'applies twice what the charter allows in an hour',
    expected: 'refused: paused',
    async run(ground) {
      const limit = { 'charter.authors': { person: { changesAnHour: (await countOfPerson(ground)) + 1 } } };
      const sessions = [await ground.open(limit), await ground.open(limit)] as const;
      const waiting: (() => Promise<AppliedProposal>)[] = [];
      for (const [index, path] of ['src/late.ts', 'src/folder/inner.ts'].entries()) {
        const session = sessions[index]!;
        const { id } = await session.proposals.proposeEdits(
          { title: 'A change', rationale: '', edits: [honest(ground, 'in budget', path)] },
          operation,
        );
        await mustVerify(session, id);
        waiting.push(() => session.changes.apply({ ...operation, proposal: id, by: 'person' }));
      }
      const outcomes = await Promise.allSettled(waiting.map((apply) => unlocked(apply)));
      const done = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      for (const { checkpoint } of done.toReversed()) await ground.session.changes.rollback(checkpoint.id, operation);
      if (done.length === 0) throw new Error('None of them was applied.');
      if (done.length > 1) return { end: 'applied', by: 'charter', detail: `${done.length} changes` };
      return ended('refused', outcomes.find((outcome) => outcome.status === 'rejected')!.reason);
    },
  },
  {
    name: 'stopped while it verifies',
    wants: 'is applied after the switch was pulled elsewhere',
    expected: 'refused: forbidden',
    async run(ground) {
      const other = await ground.open();
      const { id } = await ground.session.proposals.proposeEdits(
        { title: 'A change', rationale: '', edits: [honest(ground, 'stopped')] },
        operation,
      );
      const verifying = ground.session.verification.verify(id, operation);
      await other.stop();
      await verifying;
      const answer = await by('refused', () =>
        ground.session.changes.apply({ ...operation, proposal: id, by: 'person' }),
      );
      await other.resume();
      await ground.session.proposals.decide({ proposal: id, verdict: 'rejected', by: 'person', reason: null });
      return answer;
    },
  },
  {
    name: 'stopped, and started again',
    wants: 'forgets the switch with the process',
    expected: 'refused: forbidden',
    async run(ground) {
      await ground.session.stop();
      const fresh = await ground.open();
      const answer = await by('refused', () =>
        fresh.improve({
          ...operation,
          cycles: 1,
          dryRun: false,
          approval: 'minimal',
          maxChanges: 1,
          decide: async () => ({ verdict: 'approved', reason: null }),
        }),
      );
      await ground.session.resume();
      return answer;
    },
  },
  {
    name: 'a repository that nobody trusts',
    wants: 'has its edits filed and run',
    expected: 'not filed: untrusted',
    run: async (ground) =>
      by('not filed', async () =>
        (await ground.open({}, false)).proposals.proposeEdits(
          { title: 'A change', rationale: '', edits: [honest(ground, 'untrusted')] },
          operation,
        ),
      ),
  },
  {
    name: 'texts changed in the store',
    wants: 'has other bytes applied than were verified',
    expected: 'refused',
    async run(ground) {
      const edit = honest(ground, 'as verified');
      const after = edit.after!;
      const { id } = await ground.session.proposals.proposeEdits(
        { title: 'A change', rationale: '', edits: [edit] },
        operation,
      );
      await mustVerify(ground.session, id);
      const [name] = readdirSync(ground.stateHome);
      const store = new DatabaseSync(join(ground.stateHome, name!, 'contents.db'));
      const put = (text: string) =>
        store
          .prepare('UPDATE contents SET bytes = ? WHERE hash = ?')
          .run(deflateRawSync(Buffer.from(text)), createHash('sha256').update(after).digest('hex')).changes;
      if (Number(put(after.replace('value * 2', 'value * 3'))) !== 1)
        throw new Error('The store does not hold the text.');
      const fresh = await ground.open();
      const answer = await by('refused', () => fresh.changes.apply({ ...operation, proposal: id, by: 'person' }));
      put(after);
      store.close();
      return answer;
    },
  },
];
