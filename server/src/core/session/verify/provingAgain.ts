// Runs the gates of a kept change again, using only its receipt, in a sandbox with the tree before the change.

import { SelfwareError, describeError } from '../../../util/typedError.ts';
import type { FileEdit, Proposal, Verdict } from '../../model.ts';
import { GATE_ORDER, type GateName } from '../../model/gates.ts';
import { formatCount } from '../../../util/counted.ts';
import { TREE_GATES } from '../../verify/sharedVerdicts.ts';
import type { ChangeProof } from '../apply/keptChanges.ts';
import type { CheckedTogether } from '../../verify/checkedTogether.ts';
import type { VerifyContext } from '../../verify/context.ts';
import { verifyProposal } from '../../verify/verify.ts';
import type { SessionContext } from '../context.ts';
import {
  parseReceiptHash,
  loadReceipt,
  readExportedReceipt,
  findReceiptHash,
  type ReadReceipt,
} from '../ledger/receiptFile.ts';
import type { Receipt } from '../ledger/receipts.ts';
import { findCompanionEdits } from './jointEdits.ts';
import { BINARY_PREFIX, type TreeRecord } from './treeState.ts';
import { requireProposal, createVerifyContext } from './verifying.ts';
import type { Operation } from '../../operation.ts';
import type { Sandbox, Worktree } from '../../ports/sandbox.ts';
import { decodeUtf8 } from '../../../util/values/bytes.ts';

/** The result for a change that has no receipt. */
const NO_RECEIPT = { read: null, problems: [] };

const UNKNOWN_CHANGE_NOTE =
  'The ledger of this clone does not know the change: the receipt is taken as the file has it, and every gate is run.';

/**
 * Proves a kept change again. `exported`: the text of an exported receipt, used instead of the stored one. The change
 * holds if neither the ledger's chain nor the receipt was altered and no gate that passed then fails now; a gate that
 * did not run again is reported as unknown. `holds` is null if the commit or the tree before the change is unknown. If
 * the change is not in the ledger, only the exported receipt is checked: all gates except `score` run, whatever the
 * receipt contains, and none may fail. Throws `notFound` for a change without a receipt, `usage` if `id` and `exported`
 * are both null, `untrusted`, `cancelled`.
 */
export async function proveAgain(
  context: SessionContext,
  id: string | null,
  exported: string | null,
  operation: Operation,
): Promise<ChangeProof> {
  const { ledger } = context;
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing of it is run.', {
      action: 'Trust the workspace first.',
    });
  const recordedChange = await findChangeInLedger(context, id, exported);
  const hash = recordedChange?.hash ?? parseReceiptHash(exported ?? '');
  const chain = await ledger.verify();
  const { read, problems } =
    exported === null ? await loadReceipt(context, hash) : readExportedReceipt(exported, hash, recordedChange !== null);
  const allProblems = [
    ...(chain.intact ? [] : [`The ledger is damaged: ${chain.reason ?? 'unknown reason'}`]),
    ...problems,
  ];
  const proof = {
    change: recordedChange?.proposal.id ?? read?.receipt.change ?? id ?? '',
    title: recordedChange?.proposal.title ?? read?.receipt.title ?? 'A receipt',
    receipt: hash,
  };
  if (!read || allProblems.length > 0) return { ...proof, holds: false, problems: allProblems, verdicts: [] };

  const { receipt, contents } = read;
  const proposal = recordedChange?.proposal ?? createProposalFromReceipt(receipt);
  const unknownChangeNotes = recordedChange === null ? [UNKNOWN_CHANGE_NOTE] : [];
  const notes = [...unknownChangeNotes, ...formatCompanionNotes(receipt)].concat(
    Object.entries(receipt.tools).flatMap(([tool, version]) =>
      context.tools[tool] === version
        ? []
        : [`${tool} was ${version} then and is ${context.tools[tool] ?? 'unknown'} now.`],
    ),
  );
  if (receipt.base === null)
    return {
      ...proof,
      holds: null,
      problems: [],
      notes: [
        ...notes,
        'The receipt does not say what the tree held before the change, so its gates cannot be run again.',
      ],
      verdicts: compareVerdicts(receipt.verdicts, []),
    };
  const edits = receipt.edits.map(
    ({ path, before, after }): FileEdit => ({
      path,
      before: before === null ? null : (contents.get(before) ?? ''),
      after: after === null ? null : (contents.get(after) ?? ''),
    }),
  );
  const base = JSON.parse(contents.get(receipt.base) ?? '') as TreeRecord;
  const differingPaths = await context.ports.git.listFilesChangedSince(base.head);
  if (differingPaths === null)
    return {
      ...proof,
      holds: null,
      problems: [],
      notes: [...notes, `The commit ${base.head} that the change was made on is no longer in this repository.`],
      verdicts: compareVerdicts(receipt.verdicts, []),
    };

  // The gate `score` is skipped: the points of the complete earlier tree are not computed again, and the points of the
  // current tree must not be used instead.
  const gates = GATE_ORDER.filter(
    (gate) =>
      gate !== 'score' && (recordedChange === null || receipt.verdicts.some((verdict) => verdict.gate === gate)),
  );
  const verdicts = await verifyAtBase(
    context,
    { base, differing: differingPaths, read },
    { ...proposal, edits },
    gates,
    operation,
  );
  const pairs =
    recordedChange === null
      ? compareAllVerdicts(receipt.verdicts, verdicts)
      : compareVerdicts(receipt.verdicts, verdicts);
  const isFailing = pairs.some(({ then, now }) => now === 'failed' && (recordedChange === null || then === 'passed'));
  return {
    ...proof,
    holds: !isFailing,
    problems: [],
    notes,
    verdicts: pairs,
  };
}

/** The tree before a change, as the receipt of the change describes it. */
interface BaseTree {
  readonly base: TreeRecord;
  /** Paths that differ between that commit and the current working tree. */
  readonly differing: readonly string[];
  readonly read: ReadReceipt;
}

/**
 * Runs gates on a change in a sandbox with an earlier tree; if the change has companions, types and tests run on that
 * tree with the companions. If the companions do not fit that tree, types and tests do not run.
 */
async function verifyAtBase(
  context: SessionContext,
  baseTree: BaseTree,
  proposal: Proposal,
  onlyGates: readonly GateName[],
  operation: Operation,
): Promise<readonly Verdict[]> {
  const { base, differing, read } = baseTree;
  const verifyContext = await createVerifyContext(context, operation);
  const sandbox: Sandbox = {
    ...context.ports.sandbox,
    open: (...args) => openBaseWorktree(context, args, base, differing, read),
  };
  const run = async (change: Proposal, options: Pick<VerifyContext, 'only' | 'together' | 'onReach'>) =>
    (await verifyProposal({ ...verifyContext, sandbox, ...options, treeKey: () => null }, change, operation.signal))
      .verdicts;
  const companionEdits = await findCompanionEdits(context, base, read, proposal.edits);
  if (companionEdits?.length === 0) return run(proposal, { only: onlyGates });
  let reach: CheckedTogether['reach'] = null;
  const shared = companionEdits
    ? await run(
        { ...proposal, edits: [...proposal.edits, ...companionEdits] },
        {
          only: onlyGates.filter((gate) => gate === 'applies' || TREE_GATES.includes(gate)),
          onReach: (files) => void (reach = files),
        },
      )
    : [];
  const verdicts = shared.filter(({ gate }) => TREE_GATES.includes(gate));
  const companions = (read.receipt.companions ?? []).map(({ change }) => change);
  return run(proposal, {
    only: onlyGates.filter((gate) => !TREE_GATES.includes(gate) || verdicts.some((verdict) => verdict.gate === gate)),
    together: { proposals: [proposal.id, ...companions], verdicts, reach },
  });
}

/**
 * The verdicts on edits that replace the edits of a kept change, on the tree before it. Null if that tree cannot be
 * recreated, or if no receipt describes it. The points are not computed.
 */
export async function judgeInstead(
  context: SessionContext,
  change: Proposal,
  edits: readonly FileEdit[],
  operation: Operation,
): Promise<readonly Verdict[] | null> {
  const { read, problems } = change.receipt ? await loadReceipt(context, change.receipt) : NO_RECEIPT;
  if (!read?.receipt.base || problems.length > 0) return null;
  const base = JSON.parse(read.contents.get(read.receipt.base) ?? '') as TreeRecord;
  const differing = await context.ports.git.listFilesChangedSince(base.head);
  if (differing === null) return null;
  const gates = GATE_ORDER.filter((gate) => gate !== 'score');
  const changeToJudge = { ...change, edits, verdicts: [] };
  return verifyAtBase(context, { base, differing, read }, changeToJudge, gates, operation);
}

/** A note about the changes that were checked together with this one; empty if there are none. */
function formatCompanionNotes({ companions = [] }: Receipt): readonly string[] {
  if (companions.length === 0) return [];
  return [
    `Types and tests count for the tree with ${formatCount(companions.length, 'change')} that it was checked with.`,
  ];
}

/**
 * Finds the change in the ledger, with the hash of its receipt. `id`: the id of the change or of its checkpoint; if
 * null, the exported receipt identifies the change. Null if the change is not in the ledger, so that only the exported
 * receipt is checked. Throws `usage` if `id` is null and no known change has the exported receipt to name, and
 * `notFound` if the change has no receipt.
 */
async function findChangeInLedger(
  context: SessionContext,
  id: string | null,
  exported: string | null,
): Promise<{ readonly hash: string; readonly proposal: Proposal } | null> {
  const { ledger } = context;
  const proposals = await ledger.proposals();
  const namedHash = exported === null ? null : parseReceiptHash(exported);
  const knownId =
    id ??
    proposals.find(({ receipt }) => receipt !== null && receipt !== undefined && receipt === namedHash)?.id ??
    null;
  const isKnown = proposals.some(
    ({ id: eventId, checkpoint }) => eventId === knownId || (knownId !== null && checkpoint === knownId),
  );
  if (knownId === null || (!isKnown && exported !== null)) {
    if (exported !== null) return null;
    throw new SelfwareError('usage', 'Name a change or a receipt.');
  }
  const hash = await findReceiptHash(context, knownId);
  return {
    hash,
    proposal: proposals.find(({ receipt }) => receipt === hash) ?? (await requireProposal(context, knownId)),
  };
}

/** Creates the change from its receipt, for a ledger that does not know the change. */
function createProposalFromReceipt({ change, title, recipe, opportunity, safety, at }: Receipt): Proposal {
  return {
    id: change,
    title,
    rationale: '',
    recipe,
    opportunity,
    base: null,
    edits: [],
    safety,
    createdAt: at,
    status: 'verifying',
    verdicts: [],
    pointsBefore: null,
    pointsAfter: null,
    reason: null,
    checkpoint: null,
  };
}

/**
 * Compares the verdicts as `compareVerdicts` does, and adds the gates that only this run had, because a receipt that no
 * ledger confirms may omit a gate.
 */
function compareAllVerdicts(oldVerdicts: readonly Verdict[], newVerdicts: readonly Verdict[]): ChangeProof['verdicts'] {
  const additionalVerdicts = newVerdicts.filter(({ gate }) => !oldVerdicts.some((verdict) => verdict.gate === gate));
  return [
    ...compareVerdicts(oldVerdicts, newVerdicts),
    ...additionalVerdicts.map(({ gate, outcome, reason }) => ({ gate, then: 'unknown', now: outcome, reason })),
  ];
}

/** The verdicts of the receipt, each with the verdict of this run: `unknown` for a gate that did not run again. */
function compareVerdicts(oldVerdicts: readonly Verdict[], newVerdicts: readonly Verdict[]): ChangeProof['verdicts'] {
  return oldVerdicts.map(({ gate, outcome }) => {
    const newVerdict = newVerdicts.find((verdict) => verdict.gate === gate);
    return {
      gate,
      then: outcome,
      now: newVerdict?.outcome ?? 'unknown',
      reason: newVerdict?.reason ?? 'It was not run again.',
    };
  });
}

/**
 * Opens a sandbox with the earlier tree: the commit, and the uncommitted files of that time. Throws `unavailable` if a
 * binary file would have to be restored.
 */
async function openBaseWorktree(
  { ports }: SessionContext,
  args: Parameters<Sandbox['open']>,
  base: TreeRecord,
  differing: readonly string[],
  { contents }: ReadReceipt,
): Promise<Worktree> {
  const worktree = await ports.sandbox.open(...args);
  try {
    const contentByUncommittedPath = new Map(base.files.map(({ path, content }) => [path, content]));
    for (const path of new Set([...differing, ...contentByUncommittedPath.keys()])) {
      const content = contentByUncommittedPath.get(path);
      const baseText =
        content === undefined
          ? await ports.git.readAt(base.head, path)
          : content === null
            ? null
            : decodeContent(content, contents);
      const currentText = await worktree.read(path);
      if (
        baseText === null ? currentText === null : currentText !== null && Buffer.compare(baseText, currentText) === 0
      )
        continue;
      const text = baseText && decodeUtf8(baseText);
      if (baseText !== null && text === null)
        throw new SelfwareError(
          'unavailable',
          `${path} is not a text file and has changed since: the tree from before the change cannot be recreated.`,
        );
      await worktree.write([{ path, before: currentText && decodeUtf8(currentText), after: text }]);
    }
    return worktree;
  } catch (error) {
    ports.log.write('warn', `The tree from before a change could not be recreated: ${describeError(error)}`, error);
    await worktree.dispose();
    throw error;
  }
}

/** The bytes of a file in the record of a tree. */
function decodeContent(content: string, contents: ReadonlyMap<string, string>): Uint8Array {
  const isBinary = content.startsWith(BINARY_PREFIX);
  return Buffer.from(
    contents.get(isBinary ? content.slice(BINARY_PREFIX.length) : content) ?? '',
    isBinary ? 'base64' : 'utf8',
  );
}
