// Writes changes through the editor, so that its buffers, its undo history and the files stay consistent. What the
// editor cannot write is written to disk.

import { join } from 'node:path';
import { clientRequests } from '#protocol/methods';
import type { SaveParams, SaveResult } from '#protocol/review';
import { mergeTexts } from '../core/apply/mergeTexts.ts';
import { containsChange } from '../core/apply/writes.ts';
import { readRegular } from '../adapters/files/safeRead.ts';
import { SelfwareError } from '../util/typedError.ts';
import { findOpenDocuments } from './openDocuments.ts';
import type { ServerContext, Repository } from './serverContext.ts';
import { decodeDocumentText, createWorkspaceEdit, type EditorFile } from './workspaceEdit.ts';
import type { FileWrite, TreeWriter } from '../core/ports/files.ts';
import { haveSameBytes } from '../util/values/bytes.ts';

/**
 * Maximum time in ms until the editor reports the edited text. Editors report changes after a short pause (Neovim: 150
 * ms).
 */
const SYNC_MS = 3000;
/** Maximum time in ms, after a failure, until a buffer shows the change, which is then undone in it. */
const REVERT_MS = 500;
/** Maximum time in ms for an editor to reload a file that was written outside of it. */
const REREAD_MS = 2000;
/** Maximum time in ms for an editor to save automatically. */
const AUTO_SAVE_MS = 1000;

/**
 * Creates a writer that changes all files by one `workspace/applyEdit`. Then it has them saved and compares the bytes
 * on disk, because the journal of the change may be closed only if the files contain exactly what was approved.
 *
 * A client that answers `selfware/save` gets the edits of all files. Other clients get only edits of open documents: an
 * edit of a closed file would leave a hidden buffer with unsaved text. Closed files are written to disk, which editors
 * can handle. The server cannot make such a client save its buffers, so it also writes the bytes to disk, once the
 * buffer has the same text. The editor may then report that the file has changed; whatever its user answers, buffer and
 * file are equal. If the change were written only to disk, the buffer would keep the old text, and saving it would undo
 * the change.
 *
 * A person who types meanwhile loses no keystroke. If they type before the edit, the client refuses the edit, or it is
 * found to be stale. If they type after it, their text stays in the buffer or the file, together with the change.
 *
 * Throws `stale` if a touched document has unsaved changes or a file has changed, `writeFailed` if the editor refuses
 * the edit or saves other bytes, and the errors of `disk`. The caller then undoes what has reached the disk; what is
 * only in buffers is undone here.
 */
export function createEditorWriter(
  context: Pick<ServerContext, 'connection' | 'abilities' | 'documents' | 'log'>,
  repository: Pick<Repository, 'pathOf' | 'uriOf'>,
  rootDir: string,
  disk: TreeWriter,
): TreeWriter {
  const { connection, abilities } = context;
  return {
    async write(writes, label) {
      const files = writes.map((write) => createEditorFile(write));
      for (const { write, document, before } of files) {
        if (!document || isSameText(document.getText(), before ?? '')) continue;
        throw isSameText(document.getText(), await readTextAt(rootDir, write.path))
          ? createOutdatedError(write.path)
          : createUnsavedError('stale', write.path);
      }
      const editorFiles = abilities.appliesEdits ? files.filter(isForEditor) : [];
      const diskWrites = files.filter((file) => !editorFiles.includes(file)).map(({ write }) => write);
      if (diskWrites.length > 0) await disk.write(diskWrites, label);
      if (editorFiles.length === 0) return;

      await refuseStale(editorFiles);
      const edit = { label, edit: createWorkspaceEdit(editorFiles, label, abilities) };
      const answer = await connection.workspace.applyEdit(edit).catch(throwNoAnswer);
      if (!answer?.applied)
        throw new SelfwareError(
          'writeFailed',
          `The editor did not apply the change${answer?.failureReason ? `: ${answer.failureReason}` : '.'}`,
          { action: 'Try again.' },
        );
      try {
        if (abilities.canSave) await saveInEditor(editorFiles);
        else await saveOnDisk(editorFiles, label);
      } catch (error) {
        await revertInEditor(editorFiles, label);
        throw error;
      }
    },
    ...(disk.removeTemporaryFiles
      ? { removeTemporaryFiles: (paths) => disk.removeTemporaryFiles?.(paths) ?? Promise.resolve() }
      : {}),
  };

  function createEditorFile(write: FileWrite): EditorFile {
    const document = findOpenDocuments(context, repository).get(write.path) ?? null;
    return {
      write,
      document,
      uri: document?.uri ?? repository.uriOf(write.path),
      before: decodeDocumentText(write.before),
      after: decodeDocumentText(write.after),
    };
  }

  /** True if the client can write the file so that its bytes are exactly the approved ones. */
  function isForEditor({ write, document, before, after }: EditorFile): boolean {
    if ((write.before !== null && before === null) || (write.after !== null && after === null)) return false;
    if (before?.startsWith('\uFEFF') || after?.startsWith('\uFEFF')) return false;
    // If the editor shows other line endings or no byte-order mark, the document cannot be edited by position. As it
    // has no unsaved text, the editor reloads the file after it was written to disk.
    if (document && document.getText() !== before) return false;
    if (write.before === null) return abilities.canSave && abilities.createsFiles && (write.mode & 0o111) === 0;
    if (write.after === null) return abilities.canSave && abilities.deletesFiles;
    return abilities.canSave || document !== null;
  }

  async function refuseStale(files: readonly EditorFile[]): Promise<void> {
    for (const { write } of files) {
      if (!haveSameBytes(await readBytesAt(rootDir, write.path), write.before)) throw createOutdatedError(write.path);
    }
  }

  async function saveInEditor(files: readonly EditorFile[]): Promise<void> {
    const filesToSave = files.filter(({ write }) => write.after !== null);
    if (filesToSave.length > 0) {
      const result = await connection
        .sendRequest<SaveResult>(clientRequests.save, { uris: filesToSave.map(({ uri }) => uri) } satisfies SaveParams)
        .catch(throwNoAnswer);
      // Clients written in Lua (Neovim) send an empty list as an empty object.
      const failed = Array.isArray(result?.failed) ? result.failed[0] : undefined;
      if (failed)
        throw new SelfwareError('writeFailed', `The editor could not save ${failed.uri}: ${failed.reason}`, {
          action: 'Save it by hand or undo the change.',
        });
    }
    for (const { write, after } of files) {
      const savedBytes = await readBytesAt(rootDir, write.path);
      if (haveSameBytes(savedBytes, write.after)) continue;
      const text = savedBytes && decodeDocumentText(savedBytes);
      // The editor has trimmed white space or added a final newline. The approved bytes are written to disk, and the
      // editor, whose buffer has no unsaved text, reloads the file.
      if (text !== null && after !== null && isTrimmed(text, after))
        await disk.write([{ ...write, before: savedBytes }], write.path);
      // If the person has typed before the save, the file contains the change and their text, which are judged
      // together.
      else if (!containsChange(write, savedBytes))
        throw new SelfwareError(
          'writeFailed',
          `The editor saved ${write.path} with a different text from the approved one.`,
          {
            action: 'Switch off what changes files on save (a formatter?) and try again.',
          },
        );
    }
  }

  /**
   * Undoes the change in buffers whose files do not contain it, because otherwise somebody might save it by accident.
   * Text that the person has typed stays.
   */
  async function revertInEditor(files: readonly EditorFile[], label: string): Promise<void> {
    const filesToRevert: EditorFile[] = [];
    for (const file of files) {
      const { write, uri, before, after } = file;
      await waitUntil(REVERT_MS, () => context.documents.get(uri)?.getText() === after);
      const document = context.documents.get(uri);
      const text = document?.getText();
      if (
        !document ||
        text === undefined ||
        after === null ||
        before === null ||
        !haveSameBytes(await readBytesAt(rootDir, write.path), write.before)
      )
        continue;
      // A three-way merge removes the change and keeps text that was typed since then.
      const textWithoutChange = mergeTexts(after, text, before);
      if (textWithoutChange !== null && textWithoutChange !== text)
        filesToRevert.push({ ...file, document, before: text, after: textWithoutChange });
    }
    if (filesToRevert.length === 0) return;
    try {
      await connection.workspace.applyEdit({
        label: `Undo: ${label}`,
        edit: createWorkspaceEdit(filesToRevert, label, abilities),
      });
    } catch (error) {
      context.log.write('warn', 'The editor did not undo the change.', error);
    }
  }

  async function saveOnDisk(files: readonly EditorFile[], label: string): Promise<void> {
    for (const { write, uri, after } of files) {
      const isSynced = await waitUntil(SYNC_MS, () => {
        const document = context.documents.get(uri);
        return !document || containsAllEdits(document.getText());
      });
      if (!isSynced)
        throw new SelfwareError(
          'writeFailed',
          `The editor says that it has applied the change, but its text of ${write.path} differs.`,
          { action: 'Undo the change in the editor and try again.' },
        );
      if (
        await waitUntil(AUTO_SAVE_MS, async () =>
          containsAllEdits(decodeDocumentText((await readBytesAt(rootDir, write.path)) ?? Buffer.of()) ?? ''),
        )
      )
        continue;
      await disk.write([write], label);

      /** True if the text is the approved one, or contains the change together with text that was typed later. */
      function containsAllEdits(text: string): boolean {
        return text === after || containsChange(write, Buffer.from(text));
      }
    }
  }
}

/**
 * Throws `conflict` if a file is open with unsaved text. Waits up to `REREAD_MS` before, because the editor may not
 * have reloaded a file that has just changed on disk.
 */
export async function refuseUnsaved(
  context: Pick<ServerContext, 'documents'>,
  repository: Pick<Repository, 'pathOf'>,
  rootDir: string,
  paths: readonly string[],
): Promise<void> {
  const documentByPath = findOpenDocuments(context, repository);
  for (const path of paths) {
    const uri = documentByPath.get(path)?.uri;
    const isSaved = async (): Promise<boolean> => {
      const document = uri === undefined ? undefined : context.documents.get(uri);
      return !document || isSameText(document.getText(), await readTextAt(rootDir, path));
    };
    if (!(await waitUntil(REREAD_MS, isSaved))) throw createUnsavedError('conflict', path);
  }
}

async function readTextAt(rootDir: string, path: string): Promise<string> {
  return decodeDocumentText(await readBytesAt(rootDir, path)) ?? '';
}

function createOutdatedError(path: string): SelfwareError {
  return new SelfwareError('stale', `${path} has changed since the change was planned.`, {
    action: 'Propose the change again.',
  });
}

function createUnsavedError(reason: 'stale' | 'conflict', path: string): SelfwareError {
  return new SelfwareError(reason, `${path} has unsaved changes in the editor.`, {
    action: 'Save or undo them, then apply again.',
  });
}

/**
 * True if both texts are equal except for line endings and a byte-order mark, which an editor may show differently
 * although nobody has changed them.
 */
function isSameText(shownText: string, storedText: string): boolean {
  const normalise = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  return normalise(shownText) === normalise(storedText);
}

function throwNoAnswer(cause: unknown): never {
  throw new SelfwareError('writeFailed', 'The editor did not carry out the request.', {
    action: 'Try again.',
    cause,
  });
}

/**
 * True if `text` differs from `approved` only as editors change files on save: white space trimmed at the ends of
 * lines, newlines at the end trimmed, or one final newline added.
 */
function isTrimmed(text: string, approved: string): boolean {
  const [savedLines, approvedLines] = [text, approved].map((side) => side.replace(/(?<!\n)\n+$/, '').split('\n')) as [
    string[],
    string[],
  ];
  const [savedNewlineCount, approvedNewlineCount] = [text, approved].map(
    (side) => side.length - side.replace(/(?<!\n)\n+$/, '').length,
  ) as [number, number];
  if (savedNewlineCount > approvedNewlineCount && !(approvedNewlineCount === 0 && savedNewlineCount === 1))
    return false;
  return (
    savedLines.length === approvedLines.length &&
    savedLines.every(
      (line, index) =>
        approvedLines[index]?.startsWith(line) === true && approvedLines[index].slice(line.length).trim() === '',
    )
  );
}

/** The bytes of a file on disk; null if there is none. Throws `unreadable` for other errors. */
async function readBytesAt(rootDir: string, path: string): Promise<Uint8Array | null> {
  try {
    return await readRegular(join(rootDir, path), path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw new SelfwareError('unreadable', `${path} cannot be read.`, { cause: error });
  }
}

/**
 * True once `isReached` returns true; false if it does not within `millis`. It is called every 25 ms, because there is
 * no event for a file or a document that has the expected text.
 */
async function waitUntil(millis: number, isReached: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + millis;
  for (;;) {
    if (await isReached()) return true;
    if (Date.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
