// Fills a ledger with changes that were kept or rejected, or that wait for a decision, as if a person had used Selfware
// for some weeks.

import { openLedger } from '../../server/src/app/nights/sharedKnowledge.ts';
import type { Ledger } from '../../server/src/core/ledger/ledger.ts';
import type { FileEdit, Proposal, Verdict } from '../../server/src/core/model.ts';

/** A change, and what a person has decided on it. */
export interface DecidedChange {
  readonly id: string;
  readonly title?: string;
  readonly edits: readonly FileEdit[];
  /** `waiting`: verified, and waiting for a decision. */
  readonly outcome: 'kept' | 'rejected' | 'waiting';
  /** Id of the change that a person has made from a rejected one. */
  readonly correctedAs?: string;
}

/**
 * Creates `number` changes, numbered from `from`, each to another file. Every seventh was rejected, the others kept.
 */
export function createDecidedChanges(number: number, from = 0): readonly DecidedChange[] {
  return Array.from({ length: number }, (_, index): DecidedChange => {
    const n = from + index;
    const before = `let total${n} = 0;\nexport function add${n}(value: number): number {\n  return total${n} + value;\n}\n`;
    const after = before.replace('let', 'const');
    return {
      id: `p-${n}`,
      edits: [{ path: `src/part${n}.ts`, before, after }],
      outcome: n % 7 === 6 ? 'rejected' : 'kept',
    };
  });
}

const PASSED: Verdict = { gate: 'syntax', outcome: 'passed', reason: '', evidence: {}, millis: 1 };

/** Records the changes in the ledger of a state folder. */
export async function recordDecided(stateDir: string, changes: readonly DecidedChange[]): Promise<void> {
  const opened = await openLedger(stateDir, { write: () => undefined });
  try {
    for (const change of changes) await recordOne(opened.ledger, change);
  } finally {
    await opened.close();
  }
}

/** Records the events in the life of one change. */
async function recordOne(ledger: Ledger, change: DecidedChange): Promise<void> {
  const { id, title = 'Use const', edits, outcome, correctedAs } = change;
  const path = edits[0]!.path;
  const proposal: Proposal = {
    id,
    title,
    rationale: '',
    recipe: 'prefer-const',
    opportunity: { id: `o-${id}`, rule: 'prefer-const', path, symbol: null },
    base: null,
    edits,
    safety: 'behaviorPreserving',
    createdAt: 1,
    status: 'proposed',
    verdicts: [],
    pointsBefore: null,
    pointsAfter: null,
    reason: null,
    checkpoint: null,
  };
  await ledger.record({ type: 'proposed', data: { proposal } });
  await ledger.record({ type: 'verifying', data: { proposal: id } });
  const points = { pointsBefore: null, pointsAfter: null };
  await ledger.record({ type: 'verified', data: { proposal: id, verdicts: [PASSED], ...points } });
  if (outcome === 'waiting') return;
  if (outcome === 'rejected') {
    const correction = correctedAs === undefined ? {} : { replacedBy: correctedAs, correction: true as const };
    const reason = `Not in part ${id}`;
    await ledger.record({ type: 'rejected', data: { proposal: id, by: 'person', reason, ...correction } });
    return;
  }
  await recordKept(ledger, { id, title });
}

/** Records that a person has approved a verified proposal, and that its change was applied and kept. */
export async function recordKept(
  ledger: Pick<Ledger, 'record'>,
  { id, title }: { readonly id: string; readonly title: string },
): Promise<void> {
  await ledger.record({ type: 'approved', data: { proposal: id, by: 'person', reason: null } });
  const nowhere = { head: null, ref: null, files: [], rolledBackAt: null };
  const checkpoint = { id: `c-${id}`, title, proposal: id, createdAt: 1, ...nowhere };
  await ledger.record({ type: 'applied', data: { proposal: id, checkpoint } });
  await ledger.record({ type: 'kept', data: { proposal: id, points: null } });
}
