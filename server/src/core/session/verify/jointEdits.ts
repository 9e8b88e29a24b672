// Finds the edits that were verified together with a kept change and applied after it. Proving the change again needs
// them, because types and tests ran on a tree that included them.

import type { FileEdit } from '../../model.ts';
import type { SessionContext } from '../context.ts';
import type { ReadReceipt } from '../ledger/receiptFile.ts';
import { BINARY_PREFIX, type TreeRecord } from './treeState.ts';
import { decodeUtf8 } from '../../../util/values/bytes.ts';

/**
 * Companion edits of the receipt that the base tree still lacks; null if they conflict with it, or edit a file in
 * `edits`.
 */
export async function findCompanionEdits(
  context: SessionContext,
  base: TreeRecord,
  { receipt, contents }: ReadReceipt,
  edits: readonly FileEdit[],
): Promise<readonly FileEdit[] | null> {
  const textOfHash = (hash: string | null) => (hash === null ? null : (contents.get(hash) ?? ''));
  const companionEdits: FileEdit[] = [];
  for (const storedEdit of (receipt.companions ?? []).flatMap((companion) => companion.edits)) {
    const { path } = storedEdit;
    const [before, after] = [textOfHash(storedEdit.before), textOfHash(storedEdit.after)];
    const baseText = await findTextAt(context, base, path, contents);
    if (baseText === after) continue;
    if (baseText !== before || edits.some((edit) => edit.path === path)) return null;
    companionEdits.push({ path, before, after });
  }
  return companionEdits;
}

/** The text of a file in an earlier tree: null if it is not there, undefined if it is not text. */
async function findTextAt(
  { ports }: SessionContext,
  base: TreeRecord,
  path: string,
  contents: ReadonlyMap<string, string>,
): Promise<string | null | undefined> {
  const uncommittedFile = base.files.find((file) => file.path === path);
  if (uncommittedFile === undefined) {
    const bytes = await ports.git.readAt(base.head, path);
    return bytes && (decodeUtf8(bytes) ?? undefined);
  }
  if (uncommittedFile.content === null) return null;
  return uncommittedFile.content.startsWith(BINARY_PREFIX) ? undefined : contents.get(uncommittedFile.content);
}
