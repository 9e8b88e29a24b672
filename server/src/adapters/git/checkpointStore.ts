// Stores the files before a change as commits under refs/selfware/checkpoints/, which are created with a private index.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SelfwareError } from '../../util/typedError.ts';
import { hasExitCode, withTypedErrors, type GitRunner } from './runGit.ts';
import type { Git } from '../../core/ports/git.ts';

type CheckpointStore = Pick<Git, 'saveCheckpoint' | 'readCheckpoint' | 'deleteCheckpoint'>;
/** A file with its bytes and its permission bits. */
type FileImage = Parameters<Git['saveCheckpoint']>[2][number];

const REF_PREFIX = 'refs/selfware/checkpoints/';
/** Author and committer of checkpoints. */
const CHECKPOINT_AUTHOR = { name: 'Selfware', email: 'selfware@localhost' };
/** Number of blobs that are written at the same time. */
const PARALLEL_BLOBS = 4;
const WRITE_ADVICE = 'Check that the .git folder is writable and the disk has room.';

/**
 * Creates the store. Its commits have no parent, so that a checkpoint does not keep the user's history alive. Throws
 * `writeFailed` and `unreadable` if git fails, and `internal` for an invalid ref.
 */
export function createCheckpointStore(runner: GitRunner, stateDir: string): CheckpointStore {
  return {
    saveCheckpoint: (id, title, files) =>
      withTypedErrors(
        'writeFailed',
        'No checkpoint could be saved, so nothing was changed.',
        WRITE_ADVICE,
        async () => {
          const ref = createRefName(id);
          const tree = await writeTree(runner, stateDir, id, files);
          const message = Buffer.from(`${title.trim() || 'Checkpoint'}\n`);
          const commit = (
            await runner.text(['commit-tree', tree], { stdin: message, identity: CHECKPOINT_AUTHOR })
          ).trim();
          // The empty old value means that the ref must not exist yet.
          await runner.text(['update-ref', ref, commit, '']);
          return ref;
        },
      ),

    readCheckpoint: (ref, path) =>
      withTypedErrors(
        'unreadable',
        `The checkpoint ${ref} could not be read from the git repository.`,
        'Run `git fsck` to see whether the repository is damaged.',
        async () => {
          const commit = await findCommit(runner, requireRef(ref));
          return commit === null || path === '' ? null : readCommittedFile(runner, commit, path);
        },
      ),

    deleteCheckpoint: (ref) =>
      withTypedErrors(
        'writeFailed',
        `The checkpoint ${ref} could not be deleted from the git repository.`,
        WRITE_ADVICE,
        async () => {
          await runner.text(['update-ref', '-d', requireRef(ref)]);
        },
      ),
  };
}

/** The bytes of a file in a commit, by its path from the top; null if the commit does not contain such a file. */
export async function readCommittedFile(runner: GitRunner, commit: string, path: string): Promise<Uint8Array | null> {
  const listing = await runner.text(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', path]);
  for (const entry of listing.split('\0')) {
    const [description = '', name] = splitOnce(entry, '\t');
    const [, type, blob] = description.split(' ');
    if (name === path && type === 'blob' && blob) return runner.blob(blob);
  }
  return null;
}

async function findCommit(runner: GitRunner, ref: string): Promise<string | null> {
  try {
    return (await runner.text(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])).trim();
  } catch (error) {
    if (hasExitCode(error, 1)) return null;
    throw error;
  }
}

/** Writes a tree with exactly these files, and returns its id. The private index for it is deleted afterwards. */
async function writeTree(
  runner: GitRunner,
  stateDir: string,
  id: string,
  files: readonly FileImage[],
): Promise<string> {
  const indexFile = join(stateDir, `checkpoint-${id}.index`);
  try {
    const blobs = await writeBlobs(runner, stateDir, files);
    await rm(indexFile, { force: true });
    if (files.length > 0)
      await runner.text(['update-index', '-z', '--index-info'], { indexFile, stdin: formatIndexInfo(files, blobs) });
    return (await runner.text(['write-tree'], { indexFile })).trim();
  } finally {
    await rm(indexFile, { force: true });
    await rm(`${indexFile}.lock`, { force: true });
  }
}

/**
 * Writes the exact bytes of the files, without filters and conversion of line ends, and returns the ids of the blobs.
 */
async function writeBlobs(
  runner: GitRunner,
  stateDir: string,
  files: readonly FileImage[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let start = 0; start < files.length; start += PARALLEL_BLOBS) {
    const batch = files.slice(start, start + PARALLEL_BLOBS);
    ids.push(
      ...(await Promise.all(
        batch.map((file) => (file.bytes.length > 0 ? writeBlob(runner, file.bytes) : writeEmptyBlob(runner, stateDir))),
      )),
    );
  }
  return ids;
}

async function writeBlob(runner: GitRunner, bytes: Uint8Array): Promise<string> {
  return (await runner.text(['hash-object', '-w', '--no-filters', '--stdin'], { stdin: bytes })).trim();
}

/**
 * Writes an empty blob. Empty input cannot be sent through standard input (`GitCall`), so it is read from an empty
 * file.
 */
async function writeEmptyBlob(runner: GitRunner, stateDir: string): Promise<string> {
  const file = join(stateDir, 'empty');
  await writeFile(file, '');
  return (await runner.text(['hash-object', '-w', '--no-filters', '--', file])).trim();
}

/** Lines for `update-index --index-info`, each ended by NUL. Git has only two modes for files: executable or not. */
function formatIndexInfo(files: readonly FileImage[], blobs: readonly string[]): Uint8Array {
  return Buffer.from(
    files.map((file, index) => `${file.mode & 0o111 ? '100755' : '100644'} ${blobs[index]}\t${file.path}\0`).join(''),
  );
}

function createRefName(id: string): string {
  return requireRef(`${REF_PREFIX}${id}`);
}

/**
 * Returns the ref if it belongs to Selfware. Throws `internal` for any other, so that none of the user's refs is
 * written or deleted.
 */
function requireRef(ref: string): string {
  if (ref.startsWith(REF_PREFIX) && /^[a-z0-9][a-z0-9-]{0,63}$/.test(ref.slice(REF_PREFIX.length))) return ref;
  throw new SelfwareError('internal', `Not the name of a checkpoint: ${JSON.stringify(ref)}.`);
}

function splitOnce(text: string, separator: string): readonly string[] {
  const offset = text.indexOf(separator);
  return offset < 0 ? [text] : [text.slice(0, offset), text.slice(offset + 1)];
}
