// A process that applies, judges, rolls back in any order, commits and prunes, until it is killed: `node
// crashProcess.ts ROOT
// STATE work SEED STEP`. Step 0 = until it is killed from outside; otherwise it kills itself at that call of a port.
// `settle` does what a start does. Prints what it found as JSON.

import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createDiskWriter, diskFiles } from '../../server/src/adapters/files/diskWriter.ts';
import { createDocuments } from '../../server/src/adapters/files/documents.ts';
import { createJournal } from '../../server/src/adapters/files/journal.ts';
import { createLock } from '../../server/src/adapters/files/lock.ts';
import { createWorkingTree } from '../../server/src/adapters/files/workingTree.ts';
import { createBranchWriter } from '../../server/src/adapters/git/branchWriter.ts';
import { createGit } from '../../server/src/adapters/git/git.ts';
import { createContentStore } from '../../server/src/adapters/sqlite/contentStore.ts';
import { createLedgerStore } from '../../server/src/adapters/sqlite/ledgerStore.ts';
import { createIds, systemClock } from '../../server/src/adapters/system/system.ts';
import { createCharter } from '../../server/src/core/charter/charter.ts';
import { createLedger } from '../../server/src/core/ledger/ledger.ts';
import type { Proposal, Verdict } from '../../server/src/core/model.ts';
import {
  apply,
  pruneCheckpoints,
  recoverChanges,
  rollback,
} from '../../server/src/core/session/apply/applyAndRollBack.ts';
import { commitChanges } from '../../server/src/core/session/apply/commitChanges.ts';
import type { SessionContext } from '../../server/src/core/session/context.ts';
import {
  findInProbation,
  judgeAppliedChange,
  keepWithoutCheckpoint,
} from '../../server/src/core/session/apply/probation.ts';
import { loadReceipt } from '../../server/src/core/session/ledger/receiptFile.ts';
import { determineStrength } from '../../server/src/core/verify/strength.ts';
import { defaultSettings } from '../../server/src/settings/schema.ts';
import { SelfwareError } from '../../server/src/util/typedError.ts';
import { createRandom, editsFor, PATHS, SLOTS } from './crashWorld.ts';
import { createPart } from '../helpers/createPart.ts';

const [rootDir = '', stateDir = '', action = '', seedText = '0', stepText = '0'] = process.argv.slice(2);
const random = createRandom(Number(seedText));
const lastStep = Number(stepText);
let step = 0;

/** Each call of a port may be the one before which the process dies. */
function mortal<T extends object>(port: T): T {
  return new Proxy(port, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        mayEnd();
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
}

function mayEnd(): void {
  step += 1;
  if (step === lastStep) process.kill(process.pid, 'SIGKILL');
}

const files = await createWorkingTree(rootDir);
const raw = mortal({
  ...diskFiles,
  async writeTemporary(place: string, bytes: Uint8Array, mode: number) {
    // A disk that refuses, where the machine of the test cannot make one.
    const { CRASH_TROUBLE: code } = process.env;
    if (code && random() < 0.5) throw Object.assign(new Error(code), { code });
    await diskFiles.writeTemporary(place, bytes, mode);
  },
  async rename(from: string, to: string) {
    await diskFiles.rename(from, to);
    mayEnd();
    // Typed in the very moment.
    if (action === 'work' && random() < 0.1) type(relative(files.rootDir, realpathSync(to)));
  },
});
const lock = createLock(stateDir);
const contents = await createContentStore(join(stateDir, 'contents.db'));
const ledgerStore = await createLedgerStore(join(stateDir, 'ledger.db'));
const ids = createIds(systemClock);
const charter = createCharter({ files, protectedPaths: [], approval: 'minimal', maxChanges: 1_000_000 });
const branches = createBranchWriter(files.rootDir, stateDir);
const notices: string[] = [];
const context = createPart<SessionContext>({
  ports: {
    clock: systemClock,
    ids,
    files: mortal(files),
    writer: mortal(createDiskWriter(files.rootDir, raw)),
    journal: mortal(createJournal(stateDir)),
    git: mortal(await createGit(files.rootDir, stateDir)),
    branches: {
      open: async (...args: Parameters<typeof branches.open>) => (mayEnd(), mortal(await branches.open(...args))),
    },
    documents: mortal(createDocuments(stateDir)),
    log: { write: () => undefined },
    lock: {
      async acquire(name: 'apply' | 'index' | 'probation') {
        mayEnd();
        const held = await lock.acquire(name);
        return held && mortal(held);
      },
    },
  },
  settings: {
    ...defaultSettings,
    'apply.probation': 'points',
    'charter.maxChanges': 1_000_000,
    'charter.approval': 'minimal',
  },
  trusted: true,
  ledger: createLedger(mortal(ledgerStore), systemClock, ids, mortal(contents), determineStrength),
  charter,
  tools: {},
  state: { points: null, notices: [], openedAt: 0, stopped: false, applied: new Set(), inWindow: new Set() },
  emit: (event: { readonly type: string; readonly notice?: { readonly message: string; readonly severity: string } }) =>
    event.notice && notices.push(`${event.notice.severity}: ${event.notice.message}`),
  // What a crash run does not touch is not there.
});

const operation = { signal: new AbortController().signal };
const text = (path: string): string => readFileSync(join(files.rootDir, path), 'utf8');
const verdicts: readonly Verdict[] = [
  { gate: 'tests', outcome: 'passed', reason: 'All pass.', evidence: {}, millis: 1 },
];

if (action === 'work') {
  process.stdout.write('works\n');
  await work();
}
if (action === 'settle') await settle();
await Promise.all([ledgerStore.close(), contents.close()]);

/** One change after the other, for ever or up to a step. */
async function work(): Promise<void> {
  const first = (await context.ledger.proposals()).length;
  for (let number = first; number < first + (lastStep > 0 ? 2 : 10_000); number += 1) {
    if (random() < 0.3) type(PATHS[Math.floor(random() * 3)]!);
    if (
      (await context.ledger.proposals()).some(
        ({ title, status }) => Number(title) % SLOTS === number % SLOTS && (status === 'kept' || status === 'applied'),
      )
    )
      await free(number);
    await change(number);
    const kept = (await context.ledger.proposals()).filter(({ status }) => status === 'kept');
    const middle = kept[Math.floor(random() * kept.length)];
    if (middle && random() < 0.5) await unlessExpected(() => rollback(context, middle.checkpoint ?? '', operation));
    if (random() < 0.4)
      await unlessExpected(() =>
        commitChanges(context, { ...operation, changes: [], branch: 'selfware/improvements', checkedOut: false }),
      );
    if (random() < 0.2) await pruneCheckpoints(context, 50);
    if (random() < 0.1) await context.ledger.tidyTexts(200_000);
  }
}

/** Takes back what holds the slot. */
async function free(number: number): Promise<void> {
  for (const { title, status, checkpoint } of await context.ledger.proposals()) {
    if (Number(title) % SLOTS === number % SLOTS && status === 'kept' && checkpoint)
      await unlessExpected(() => rollback(context, checkpoint, operation));
  }
}

async function change(number: number): Promise<void> {
  const edits = editsFor(number, text).filter(({ before, after }) => before !== after);
  if (edits.length < 2) return;
  const id = ids.next('proposal');
  const proposal: Proposal = {
    id,
    title: String(number),
    rationale: 'Because.',
    recipe: 'crash',
    opportunity: { id: `o-${id}`, rule: 'crash', path: PATHS[0], symbol: null },
    base: null,
    edits,
    safety: 'additive',
    createdAt: 0,
    status: 'proposed',
    verdicts: [],
    pointsBefore: null,
    pointsAfter: null,
    reason: null,
    checkpoint: null,
  };
  await context.ledger.record({ type: 'proposed', data: { proposal } });
  await context.ledger.record({ type: 'verifying', data: { proposal: id } });
  await context.ledger.record({
    type: 'verified',
    data: { proposal: id, verdicts, pointsBefore: null, pointsAfter: null },
  });
  await unlessExpected(async () => {
    const applied = await apply(context, { ...operation, proposal: id, by: 'person' });
    await judgeAppliedChange(context, applied.proposal, applied.checkpoint, null, operation);
  });
}

/** Lines that the user has typed are noted once they are on the disk. */
function type(path: string): void {
  const line = `typed ${process.pid} ${Math.floor(random() * 1e9)}`;
  const old = text(path);
  const end = old.includes('\r\n') ? '\r\n' : '\n';
  // Added in one step: a user's editor that dies half-way through its own writing is not what is looked at here.
  appendFileSync(join(files.rootDir, path), `${old.endsWith('\n') ? '' : end}${line}${end}`);
  appendFileSync(join(stateDir, 'typed.log'), `${path}\t${line}\n`);
  const log = openSync(join(stateDir, 'typed.log'), 'r');
  fsyncSync(log);
  closeSync(log);
}

/** Somebody may have typed over the lines, or there is nothing to do. Whatever else is thrown is a fault. */
async function unlessExpected(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (
      !(
        error instanceof SelfwareError &&
        ['conflict', 'stale', 'notFound', 'illegalStep', 'diskFull', 'readOnly'].includes(error.reason)
      )
    )
      throw error;
  }
}

/** What a start does, and what the parent wants to know. */
async function settle(): Promise<void> {
  await recoverChanges(context);
  for (const { proposal, checkpoint } of await findInProbation(context))
    await (checkpoint
      ? judgeAppliedChange(context, proposal, checkpoint, null, operation)
      : keepWithoutCheckpoint(context, proposal));
  const proposals = await context.ledger.proposals();
  const receipts: string[] = [];
  for (const { receipt, edits } of proposals)
    if (receipt && edits.length > 0) receipts.push(...(await loadReceipt(context, receipt)).problems);
  process.stdout.write(
    JSON.stringify({
      notices,
      receipts,
      steps: step,
      ledger: await context.ledger.verify(),
      open: (await context.ports.journal.openEntries()).entries.length,
      proposals: proposals.map(({ id, title, status, receipt, edits }) => ({
        id,
        number: Number(title),
        status,
        receipt: receipt ?? null,
        whole: edits.length > 0,
      })),
    }),
  );
}
