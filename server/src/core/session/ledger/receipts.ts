// Writes receipts, which prove a kept change without other data: they contain the tree before, the edits, the verdicts,
// and the versions of the tools that gave them.

import { canonicalJson } from '../../../util/canonicalJson.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { redact } from '../../ledger/redact.ts';
import type { FileEdit, Points, Proposal, SafetyLevel, Strength, Verdict } from '../../model.ts';
import { listIdsCheckedTogether } from '../../verify/checkedTogether.ts';
import type { SessionContext } from '../context.ts';

/** An edit whose texts are given by their hashes; null if the file does not exist on that side. */
interface StoredEdit {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A receipt. It refers to texts by their hashes, with which the ledger returns them. */
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
  /** False if the gates ran on a tree with other uncommitted work, or together with other changes. */
  readonly verifiedOnBase: boolean;
  readonly edits: readonly StoredEdit[];
  /**
   * The changes that were checked together with this one and were in the tree when it was kept. Types and tests have
   * run only with them. Absent if there are none.
   */
  readonly companions?: readonly { readonly change: string; readonly edits: readonly StoredEdit[] }[];
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
  /** Versions of the tools that judged the change, by name. */
  readonly tools: Readonly<Record<string, string>>;
}

/**
 * Writes the receipt and returns its hash. Null if it cannot be written: the change is kept anyway, but cannot be
 * proved later.
 */
export async function writeReceipt(
  context: SessionContext,
  proposal: Proposal,
  options: { readonly by: 'person' | 'charter'; readonly verdicts: readonly Verdict[]; readonly points: Points | null },
): Promise<string | null> {
  const { ledger, ports } = context;
  try {
    const base = (await ledger.bases()).get(proposal.id) ?? null;
    const companions = await collectCompanions(context, proposal);
    const receipt: Receipt = {
      version: 1,
      change: proposal.id,
      title: proposal.title,
      recipe: proposal.recipe,
      opportunity: proposal.opportunity,
      safety: proposal.safety,
      at: ports.clock.now(),
      base,
      verifiedOnBase: base !== null && base === proposal.verifiedOn && listIdsCheckedTogether(proposal).length === 0,
      edits: await storeEdits(context, proposal.edits),
      ...(companions.length > 0 ? { companions } : {}),
      verdicts: proposal.verdicts,
      strength: proposal.strength ?? null,
      probation: redact(options.verdicts) as readonly Verdict[],
      keptBy: options.by,
      points: { before: proposal.pointsBefore, after: proposal.pointsAfter, inTree: options.points },
      ruler: (options.points ?? proposal.pointsAfter)?.ruler ?? null,
      seeds: Object.fromEntries(
        [...proposal.verdicts, ...options.verdicts].flatMap(({ gate, evidence }) =>
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

/** The changes that were checked together with this one and are in the tree, with their edits. */
async function collectCompanions(
  context: SessionContext,
  proposal: Proposal,
): Promise<NonNullable<Receipt['companions']>> {
  const ids = listIdsCheckedTogether(proposal);
  if (ids.length === 0) return [];
  const companions: { readonly change: string; readonly edits: readonly StoredEdit[] }[] = [];
  for (const { id, status, edits } of await context.ledger.proposals())
    if (ids.includes(id) && (status === 'applied' || status === 'kept'))
      companions.push({ change: id, edits: await storeEdits(context, edits) });
  return companions;
}

/** Stores the texts of edits in the ledger, and returns the edits with the hashes of their texts. */
async function storeEdits({ ledger }: SessionContext, edits: readonly FileEdit[]): Promise<readonly StoredEdit[]> {
  const storedEdits: StoredEdit[] = [];
  for (const { path, before, after } of edits) {
    storedEdits.push({
      path,
      before: before === null ? null : await ledger.putText(before),
      after: after === null ? null : await ledger.putText(after),
    });
  }
  return storedEdits;
}
