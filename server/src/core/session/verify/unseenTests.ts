// Finds tests in the tree that no person has seen and that come from the same author or the same run as a proposal.

import { mergeTexts } from '../../apply/mergeTexts.ts';
import { authorOf } from '../../model/authors.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import type { SessionContext } from '../context.ts';

/**
 * Edits that lead from the proposal's files without the unseen tests to the proposal's files. A person counts as having
 * seen a test that a person has proposed, approved, kept, committed outside of an unattended run, or edited since.
 */
export async function findUnseenTests(
  { ledger, ports, state, onBranch }: Pick<SessionContext, 'ledger' | 'ports' | 'state' | 'onBranch'>,
  proposal: Proposal,
): Promise<readonly FileEdit[]> {
  const events = await ledger.query({ types: ['approved', 'kept', 'committed', 'applied'] });
  const idsSeenByPerson = new Set<string>();
  const idsOfThisRun = new Set<string>();
  for (const { type, at, data } of events) {
    const { proposal: id, by } = data as { readonly proposal: string; readonly by?: string };
    // An unattended run commits without a person.
    if ((type === 'committed' && !onBranch) || by === 'person') idsSeenByPerson.add(id);
    if (type === 'applied' && at >= state.openedAt) idsOfThisRun.add(id);
  }
  const author = authorOf(proposal);
  const unseenProposals = (await ledger.proposals()).filter(
    (pastProposal) =>
      (pastProposal.status === 'applied' || pastProposal.status === 'kept') &&
      pastProposal.id !== proposal.id &&
      !idsSeenByPerson.has(pastProposal.id) &&
      // A person knows the changes that a person has proposed.
      authorOf(pastProposal) !== 'person' &&
      (authorOf(pastProposal) === author || idsOfThisRun.has(pastProposal.id)),
  );
  const textsWithoutUnseen = new Map<string, string | null>();
  const currentTexts = new Map<string, string | null>();
  // Newest first, because later edits are based on earlier ones.
  for (const { path, before, after } of unseenProposals.toReversed().flatMap(({ edits }) => edits)) {
    if (!isTestEdit({ path, before, after }) || after === null) continue;
    if (!currentTexts.has(path)) currentTexts.set(path, findText(await ports.files.read(path)));
    const text = textsWithoutUnseen.has(path) ? textsWithoutUnseen.get(path)! : currentTexts.get(path)!;
    if (text === after) textsWithoutUnseen.set(path, before);
    else if (text !== null && before !== null) {
      const mergedText = mergeTexts(after, text, before);
      // If the lines cannot be removed, a person has edited them since, and so has seen them.
      if (mergedText !== null) textsWithoutUnseen.set(path, mergedText);
    }
  }
  return [...textsWithoutUnseen]
    .map(([path, text]) => createCandidateEdit(proposal.edits, path, text, currentTexts.get(path) ?? null))
    .filter(({ before, after }) => before !== after);
}

/** The text of these bytes; null if there is no file. */
function findText(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/**
 * The edit that leads from a file of the proposal without the unseen tests to the same file with them. The proposal's
 * own edits are on both sides.
 */
function createCandidateEdit(
  edits: readonly FileEdit[],
  path: string,
  textWithoutUnseen: string | null,
  current: string | null,
): FileEdit {
  const edit = edits.find((candidate) => candidate.path === path);
  if (!edit) return { path, before: textWithoutUnseen, after: current };
  const { after } = edit;
  const merged =
    current !== null && textWithoutUnseen !== null && after !== null
      ? mergeTexts(current, after, textWithoutUnseen)
      : null;
  return { path, before: merged ?? textWithoutUnseen, after };
}
