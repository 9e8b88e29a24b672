// Makes the edit that inserts a suppression (a comment that hides an opportunity), with the reason or with a snippet in
// which the person types it.

import type { CodeAction } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ServerContext } from '../serverContext.ts';
import type { ActionRequest } from './actionRequest.ts';
import { findSuppressionPlace } from './suppression.ts';

/**
 * The edit. `reason`: null to insert a snippet in which the person types the reason. Returns null if the opportunity no
 * longer exists, if no comment would suppress it, or if the document has changed in the meantime.
 */
export async function createSuppressionEdit(
  { live, abilities }: Pick<ServerContext, 'live' | 'abilities'>,
  { repository, path, document }: Pick<ActionRequest, 'repository' | 'path'> & { readonly document: TextDocument },
  opportunityId: string,
  reason: string | null,
  signal: AbortSignal,
): Promise<NonNullable<CodeAction['edit']> | null> {
  const { uri } = document;
  const { opportunities } = await live.analyse(uri);
  const opportunity = opportunities.find(({ id }) => id === opportunityId);
  if (!opportunity) return null;
  const { version } = document;
  const place = await findSuppressionPlace(await repository.session(), path, document.getText(), opportunity, signal);
  if (!place || document.version !== version) return null;
  const position = document.positionAt(place.insertOffset);
  const range = { start: position, end: position };
  if (reason === null) {
    const snippet = {
      kind: 'snippet' as const,
      value: `${escapeForSnippet(place.before)}\${0:reason}${escapeForSnippet(place.after)}`,
    };
    return { documentChanges: [{ textDocument: { uri, version }, edits: [{ range, snippet }] }] };
  }
  const edit = {
    range,
    newText: `${place.before}${reason.replace(/\s+/g, ' ').replaceAll('*/', '* /').trim()}${place.after}`,
  };
  return abilities.versionedEdits
    ? { documentChanges: [{ textDocument: { uri, version }, edits: [edit] }] }
    : { changes: { [uri]: [edit] } };
}

/** The text with the special characters of snippets escaped. */
function escapeForSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
