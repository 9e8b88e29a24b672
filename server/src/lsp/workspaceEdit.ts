// Converts writes of files to one workspace edit (LSP), in a form that the client supports.

import type { AnnotatedTextEdit, TextDocumentEdit, TextEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ClientAbilities } from './clientAbilities.ts';
import { computeTextEdits } from './textEdits.ts';
import type { FileWrite } from '../core/ports/files.ts';
import { decodeUtf8 } from '../util/values/bytes.ts';

/** A file to write, with its texts before and after. */
export interface EditorFile {
  readonly write: FileWrite;
  /** The open document; null if the file is not open. */
  readonly document: TextDocument | null;
  readonly uri: string;
  /** The text before; null if the file does not exist or is not valid UTF-8. */
  readonly before: string | null;
  /** The text after; null if the file is to be deleted or its new text is not valid UTF-8. */
  readonly after: string | null;
}

/** The id under which all edits share one annotation with the label of the change. */
const ANNOTATION_ID = 'selfware';

/**
 * The edit. If the client supports versions, it contains those of open documents, so that the client refuses to edit a
 * newer text.
 */
export function createWorkspaceEdit(
  files: readonly EditorFile[],
  label: string,
  abilities: Pick<ClientAbilities, 'versionedEdits' | 'changeAnnotations'>,
): WorkspaceEdit {
  const needsOperations = files.some(({ write }) => write.before === null || write.after === null);
  if (!abilities.versionedEdits && !needsOperations)
    return {
      changes: Object.fromEntries(
        files.map(({ uri, before, after }) => [uri, computeTextEdits(before ?? '', after ?? '')]),
      ),
    };

  const annotationPart = abilities.changeAnnotations ? { annotationId: ANNOTATION_ID } : {};
  const documentChanges: WorkspaceEdit['documentChanges'] = [];
  for (const file of files) {
    const { write, uri } = file;
    if (write.after === null) {
      documentChanges.push({ kind: 'delete', uri, ...annotationPart });
      continue;
    }
    if (write.before === null) documentChanges.push({ kind: 'create', uri, ...annotationPart });
    documentChanges.push(createDocumentEdit(file, annotationPart));
  }
  return {
    documentChanges,
    ...(abilities.changeAnnotations
      ? { changeAnnotations: { [ANNOTATION_ID]: { label, needsConfirmation: false } } }
      : {}),
  };
}

/** The text of UTF-8 bytes, with a byte-order mark if there is one; null if `bytes` is null or not valid UTF-8. */
export function decodeDocumentText(bytes: Uint8Array | null): string | null {
  return bytes && decodeUtf8(bytes);
}

function createDocumentEdit(
  { uri, document, before, after }: EditorFile,
  annotationPart: { readonly annotationId?: string },
): TextDocumentEdit {
  const edits = computeTextEdits(before ?? '', after ?? '').map((edit): TextEdit | AnnotatedTextEdit => ({
    ...edit,
    ...annotationPart,
  }));
  return { textDocument: { uri, version: document?.version ?? null }, edits };
}
