// Rebases a proposal whose files were edited while it waited: its hunks are merged into the current texts and verified
// again.

import { checkLabel } from '../../../protocol/plainWords.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { mergeTexts } from '../../apply/mergeTexts.ts';
import { isSettled } from '../../ledger/proposalLife.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import { authorOf } from '../../model/authors.ts';
import { DEPENDS_ON_TIME } from '../../verify/busyMachine.ts';
import { notify, type SessionContext } from '../context.ts';
import { recordProposal } from './recordProposal.ts';
import { withVerificationLock } from '../verify/verificationLock.ts';
import { verifyReplacement } from '../verify/verifying.ts';
import type { Operation } from '../../operation.ts';
import { decodeUtf8 } from '../../../util/values/bytes.ts';

/** The byte-order mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Returns the proposal itself if its files have not changed. Otherwise returns another, verified proposal with the same
 * hunks in the current texts, and withdraws the old one. Throws `stale` if the hunks touch edited lines (then the old
 * proposal is withdrawn as well, and its place is planned again), or if the result does not pass the gates. If a check
 * may have failed only because it ran out of time, `stale` is thrown as well, but the old proposal keeps waiting.
 * Throws `locked` while another process verifies the old one.
 */
export async function rebaseIfOutdated(
  context: SessionContext,
  proposal: Proposal,
  operation: Operation,
): Promise<Proposal> {
  if (isSettled(proposal.status) || proposal.edits.length === 0) return proposal;
  const rebased = await rebaseEdits(context, proposal.edits);
  if (rebased === 'fits') return proposal;
  if (!Array.isArray(rebased)) {
    await withdrawProposal(
      context,
      proposal,
      rebased.isGone
        ? `It was deleted or renamed since: ${rebased.touched}.`
        : `Its lines were edited since: ${rebased.touched}.`,
    );
    throw createOutdatedError(rebased);
  }
  // The lock keeps other processes from treating the replacement as a leftover of a dead process.
  return withVerificationLock(context, proposal.id, () => replaceProposal(context, proposal, rebased, operation));
}

/**
 * Files the rebased edits, verifies them and withdraws the old proposal. Throws `stale` if the result does not pass, or
 * if that is unknown because a check ran out of time.
 */
async function replaceProposal(
  context: SessionContext,
  proposal: Proposal,
  rebased: readonly FileEdit[],
  operation: Operation,
): Promise<Proposal> {
  operation.report?.({
    stage: 'verifying',
    done: 0,
    total: null,
    message: `${proposal.title}: files were edited, so it is checked again`,
  });
  const replacement = await recordProposal(
    context,
    { ...proposal.opportunity, recipe: proposal.recipe },
    { edits: rebased, title: proposal.title, rationale: proposal.rationale },
    proposal.base,
    operation.signal,
    { ...copyInheritedFacts(proposal), replaces: proposal.id },
  );
  // The old proposal waits until the new one is verified, so that a dead process or a cancel does not lose it.
  const verifiedReplacement = await verifyReplacement(context, replacement.id, operation);
  const lateVerdict = verifiedReplacement.status === 'verified' ? null : findLateVerdict(verifiedReplacement);
  if (lateVerdict)
    throw new SelfwareError(
      'stale',
      'Whether the change passes together with your later edits was not known in time: ' +
        `${checkLabel(lateVerdict.gate)}: ${lateVerdict.reason}`,
      { action: 'Try again while the machine does little else. The proposal keeps waiting.' },
    );
  await withdrawProposal(context, proposal, `Its files were edited since; ${replacement.id} takes its place.`);
  if (verifiedReplacement.status !== 'verified')
    throw new SelfwareError(
      'stale',
      `Together with your later edits, the change does not pass: ${verifiedReplacement.reason ?? 'refused'}`,
      { action: 'Propose the change again.' },
    );
  notify(context, {
    severity: 'info',
    message: `${proposal.title}: its files were edited since, so it was merged into the new texts, and its checks ran again.`,
    action: null,
  });
  return verifiedReplacement;
}

/** The check that ran out of time, if that may be the only reason for the refusal; otherwise null. */
function findLateVerdict({ verdicts }: Proposal): Proposal['verdicts'][number] | null {
  const dependsOnTime = ({ evidence }: Proposal['verdicts'][number]) => DEPENDS_ON_TIME in evidence;
  const hasFailed = verdicts.some((verdict) => verdict.outcome === 'failed' && !dependsOnTime(verdict));
  return hasFailed
    ? null
    : (verdicts.find((verdict) => verdict.outcome !== 'passed' && dependsOnTime(verdict)) ?? null);
}

/** The facts that a proposal hands on to a proposal that replaces it. */
type InheritedFacts = Pick<
  Proposal,
  'partOf' | 'restOf' | 'isCorrected' | 'claimed' | 'addresses' | 'nearby' | 'author'
>;

/** Copies these facts. Absent ones stay absent. */
function copyInheritedFacts({
  partOf,
  restOf,
  isCorrected,
  claimed,
  addresses,
  nearby,
  ...origin
}: Proposal): InheritedFacts {
  return {
    author: authorOf(origin),
    ...(partOf === undefined ? {} : { partOf }),
    ...(restOf === undefined ? {} : { restOf }),
    ...(isCorrected ? { isCorrected } : {}),
    ...(claimed === undefined ? {} : { claimed }),
    ...(addresses === undefined ? {} : { addresses }),
    ...(nearby ? { nearby } : {}),
  };
}

/** A file to whose current state a proposal no longer fits. */
export interface OutdatedFile {
  readonly touched: string;
  /** True if the file no longer exists. */
  readonly isGone: boolean;
}

/** The error `stale`, which says what has happened to the file, with advice. */
export function createOutdatedError({ touched, isGone }: OutdatedFile): SelfwareError {
  return new SelfwareError(
    'stale',
    isGone
      ? `${touched} was deleted or renamed since the change was proposed.`
      : `${touched} was edited where the change is to be made.`,
    { action: isGone ? 'Improve the file where it is now.' : 'Propose the change again.' },
  );
}

/**
 * Merges the edits into the current texts. `fits` if no file has changed. `OutdatedFile` for the first file that cannot
 * be merged, or for all files if somebody made the same changes by hand. Throws `stale` if a file is no longer text.
 */
export async function rebaseEdits(
  { ports }: SessionContext,
  edits: readonly FileEdit[],
): Promise<FileEdit[] | 'fits' | OutdatedFile> {
  const rebasedEdits: FileEdit[] = [];
  let hasChanged = false;
  for (const edit of edits) {
    const current = await readCurrentText(ports, edit.path, edit.before);
    if (current === edit.before) rebasedEdits.push(edit);
    else {
      const after =
        current === null || edit.before === null || edit.after === null
          ? null
          : mergeTexts(edit.before, current, edit.after);
      if (after === null) return { touched: edit.path, isGone: current === null };
      hasChanged = true;
      // If the texts are equal, somebody made the same change by hand.
      if (after !== current) rebasedEdits.push({ path: edit.path, before: current, after });
    }
  }
  if (!hasChanged) return 'fits';
  return rebasedEdits.length === 0
    ? { touched: edits.map(({ path }) => path).join(', '), isGone: false }
    : rebasedEdits;
}

/**
 * Reads the text of a file. Its byte-order mark is removed if `sample`, an earlier text of the file, has none. Null if
 * the file does not exist. Throws `stale` if its bytes are not text.
 */
export async function readCurrentText(
  ports: SessionContext['ports'],
  path: string,
  sample: string | null,
): Promise<string | null> {
  const bytes = await ports.files.read(path);
  if (bytes === null) return null;
  const text = decodeUtf8(bytes);
  if (text === null)
    throw new SelfwareError('stale', `${path} is no longer a text file.`, { action: 'Propose the change again.' });
  return text.startsWith(BYTE_ORDER_MARK) && sample !== null && !sample.startsWith(BYTE_ORDER_MARK)
    ? text.slice(BYTE_ORDER_MARK.length)
    : text;
}

/** Withdraws a proposal that will never be applied. No gate is recorded as the cause. */
export async function withdrawProposal(
  { ledger, emit }: SessionContext,
  { id, verdicts, pointsBefore, pointsAfter }: Proposal,
  reason: string,
): Promise<void> {
  const status = (await ledger.proposal(id))?.status;
  // Another process or a person has settled the proposal meanwhile.
  if (status === undefined || isSettled(status)) return;
  // Refusing the proposal while it is in verification would count as a refusal by the gates.
  if (status === 'verifying')
    await ledger.record({
      type: 'deferred',
      data: { proposal: id, by: 'charter', reason: 'The verification did not finish.' },
    });
  await ledger.record({ type: 'refused', data: { proposal: id, verdicts, pointsBefore, pointsAfter, reason } });
  emit({ type: 'status' });
}
