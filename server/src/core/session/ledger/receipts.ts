// Receipts, which prove a kept change without other data: the tree before, the edits, the verdicts, and the tools that
// gave them.

import { canonicalJson } from '../../../util/canonicalJson.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { redact } from '../../ledger/redact.ts';
import type { FileEdit, Points, Proposal, SafetyLevel, Strength, Verdict } from '../../model.ts';
import type { SessionContext } from '../context.ts';

/** A receipt. It refers to texts by their hash, see `Ledger.text`. */
export interface Receipt {
  readonly version: 1;
  readonly change: string;
  readonly title: string;
  readonly recipe: string;
  readonly opportunity: Proposal['opportunity'];
  readonly safety: SafetyLevel;
  readonly at: number;
  /** Hash of the `TreeRecord` of the tree right before the change; null if it is unknown. */
  readonly base: string | null;
  /** False if the gates ran on a tree with other uncommitted work. */
  readonly verifiedOnBase: boolean;
  readonly edits: readonly { readonly path: string; readonly before: string | null; readonly after: string | null }[];
  readonly verdicts: readonly Verdict[];
  /** The strength of the verdicts; receipts of older versions have none. */
  readonly strength?: Strength | null;
  /** Verdicts in the tree to which the change was applied. */
  readonly probation: readonly Verdict[];
  readonly keptBy: 'person' | 'charter';
  readonly points: { readonly before: Points | null; readonly after: Points | null; readonly inTree: Points | null };
  readonly ruler: Points['ruler'] | null;
  /** Seeds of generated inputs, by gate. */
  readonly seeds: Readonly<Record<string, string | number>>;
  readonly tools: Readonly<Record<string, string>>;
}

/**
 * Writes the receipt and returns its hash. Null if it cannot be written: the change is kept anyway, but cannot be
 * proved later.
 */
export async function writeReceipt(
  context: SessionContext,
  proposal: Proposal,
  how: { readonly by: 'person' | 'charter'; readonly verdicts: readonly Verdict[]; readonly points: Points | null },
): Promise<string | null> {
  const { ledger, ports } = context;
  try {
    const base = (await ledger.bases()).get(proposal.id) ?? null;
    const receipt: Receipt = {
      version: 1,
      change: proposal.id,
      title: proposal.title,
      recipe: proposal.recipe,
      opportunity: proposal.opportunity,
      safety: proposal.safety,
      at: ports.clock.now(),
      base,
      verifiedOnBase: base !== null && base === proposal.verifiedOn,
      edits: await storedEdits(context, proposal.edits),
      verdicts: proposal.verdicts,
      strength: proposal.strength ?? null,
      probation: redact(how.verdicts) as readonly Verdict[],
      keptBy: how.by,
      points: { before: proposal.pointsBefore, after: proposal.pointsAfter, inTree: how.points },
      ruler: (how.points ?? proposal.pointsAfter)?.ruler ?? null,
      seeds: Object.fromEntries(
        [...proposal.verdicts, ...how.verdicts].flatMap(({ gate, evidence }) =>
          evidence['seed'] === undefined || evidence['seed'] === null ? [] : [[gate, evidence['seed']]],
        ),
      ),
      tools: context.tools,
    };
    return await ledger.putText(canonicalJson(receipt));
  } catch (error) {
    if (!(error instanceof SelfwareError)) throw error;
    ports.log.write('warn', `No receipt could be written for ${proposal.id}.`, error);
    return null;
  }
}

async function storedEdits({ ledger }: SessionContext, edits: readonly FileEdit[]): Promise<Receipt['edits']> {
  const stored: { path: string; before: string | null; after: string | null }[] = [];
  for (const { path, before, after } of edits) {
    stored.push({
      path,
      before: before === null ? null : await ledger.putText(before),
      after: after === null ? null : await ledger.putText(after),
    });
  }
  return stored;
}
