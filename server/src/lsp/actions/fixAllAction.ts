// "Fix all safe" for one document: all changes that recipes may make without a person's review, as one edit. Editors
// can run it on save (`source.fixAll.selfware`).

import type { CodeAction, TextDocumentEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { SelfwareError } from '../../util/typedError.ts';
import type { ServerContext } from '../serverContext.ts';
import { computeTextEdits } from '../textEdits.ts';
import { UNTRUSTED_REASON, type ActionRequest } from './actionRequest.ts';

/** The kind with which clients request the action. */
export const FIX_ALL_KIND = 'source.fixAll.selfware';
const TITLE = 'Selfware: fix all safe';

/**
 * A list with the action; empty if there is nothing to do. `isRequested`: true if the client asks for this kind of
 * action, as an editor does on save; the action then includes the edit, because such an editor does not resolve it
 * later. In a menu, the edit is computed when the action is chosen.
 */
export async function listFixAllActions(
  request: ActionRequest,
  isRequested: boolean,
  signal: AbortSignal,
): Promise<CodeAction[]> {
  const { context, repository, document, path, uri } = request;
  const { abilities } = context;
  if (!document || !abilities.codeActionLiterals) return [];
  if (!repository.trusted)
    return !isRequested && abilities.disabledCodeActions
      ? [{ title: TITLE, kind: FIX_ALL_KIND, disabled: { reason: UNTRUSTED_REASON } }]
      : [];
  if (!isRequested && abilities.resolvesEdit)
    return [{ title: TITLE, kind: FIX_ALL_KIND, data: { action: 'fixAll', uri, version: document.version } }];
  const edit = await computeFixAllEdit(context, { repository, path, document }, signal);
  return edit ? [{ title: TITLE, kind: FIX_ALL_KIND, edit: { ...edit } }] : [];
}

/**
 * The edit of the document; null if there is nothing to fix, if the document has changed in the meantime, or if changes
 * are not allowed now.
 */
export async function computeFixAllEdit(
  { abilities, documents, log }: ServerContext,
  { repository, path, document }: Pick<ActionRequest, 'repository' | 'path'> & { readonly document: TextDocument },
  signal: AbortSignal,
): Promise<CodeAction['edit'] | null> {
  const { version, uri } = document;
  const textBefore = document.getText();
  const session = await repository.session();
  try {
    const { text, fixed } = await session.texts.fix(path, textBefore, signal);
    if (fixed.length === 0 || text === textBefore || documents.get(uri)?.version !== version) return null;
    const edits = computeTextEdits(textBefore, text);
    if (!abilities.versionedEdits) return { changes: { [uri]: edits } };
    return { documentChanges: [{ textDocument: { uri, version }, edits } satisfies TextDocumentEdit] };
  } catch (error) {
    // If the file is protected or Selfware is stopped, the editor saves without fixes.
    if (!(error instanceof SelfwareError) || !['forbidden', 'illegalStep', 'untrusted'].includes(error.reason))
      throw error;
    log.write('info', `${path}: nothing is fixed.`, error);
    return null;
  }
}
