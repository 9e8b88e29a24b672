// The edit that writes a suppression: with a reason, or with a snippet to type one if the editor supports snippets.

import type { CodeAction } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ServerContext } from '../serverContext.ts';
import type { ActionRequest } from './actionRequest.ts';
import { placeOfSuppression } from './suppression.ts';

/** `reason` null: the person types it into the snippet. Null if the opportunity is gone or no comment works there. */
export async function suppressionEdit(
  { live, abilities }: Pick<ServerContext, 'live' | 'abilities'>,
  { repository, path, document }: Pick<ActionRequest, 'repository' | 'path'> & { readonly document: TextDocument },
  opportunityId: string,
  reason: string | null,
  signal: AbortSignal,
): Promise<NonNullable<CodeAction['edit']> | null> {
  const { uri } = document;
  const { opportunities } = await live.look(uri);
  const opportunity = opportunities.find(({ id }) => id === opportunityId);
  if (!opportunity) return null;
  const { version } = document;
  const place = await placeOfSuppression(await repository.session(), path, document.getText(), opportunity, signal);
  if (!place || document.version !== version) return null;
  const position = document.positionAt(place.at);
  const range = { start: position, end: position };
  if (reason === null) {
    const snippet = {
      kind: 'snippet' as const,
      value: `${escaped(place.before)}\${0:reason}${escaped(place.after)}`,
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

/** Escapes the text, so that nothing in it is a placeholder of a snippet. */
function escaped(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
