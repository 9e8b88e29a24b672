// Makes the edit that writes a suppression, with a reason, or, if the editor supports snippets, with a place to type
// one.

import type { CodeAction } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ServerContext } from '../serverContext.ts';
import type { ActionRequest } from './actionRequest.ts';
import { findSuppressionPlace } from './suppression.ts';

/**
 * The edit. `reason` null: the person types it into the snippet. Null if the opportunity is gone, if no comment works
 * there, or if the document has changed in the meantime.
 */
export async function suppressionEdit(
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
  const position = document.positionAt(place.at);
  const range = { start: position, end: position };
  if (reason === null) {
    const snippet = {
      kind: 'snippet' as const,
      value: `${escapeText(place.before)}\${0:reason}${escapeText(place.after)}`,
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

/** The text with escapes, so that a snippet shows it as it is. */
function escapeText(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
