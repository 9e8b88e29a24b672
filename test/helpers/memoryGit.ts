// A git repository in memory that implements the port `Git`; its state is set by tests.
import { SelfwareError } from '../../server/src/util/typedError.ts';
import type { Git, RepositoryState } from '../../server/src/core/ports/git.ts';

/** The uncommitted changes of the working tree. */
type Dirty = Awaited<ReturnType<Git['listUncommittedChanges']>>;

/** The repository. */
export interface MemoryGit extends Git {
  /** Null: there is no repository. */
  setState(state: RepositoryState | null): void;
  setDirty(dirty: Dirty): void;
  /** Refs of the checkpoints that exist, sorted. */
  refs(): readonly string[];
}

const REFS = 'refs/selfware/checkpoints/';

/** Creates the repository; by default on the branch `main` without uncommitted changes. */
export function createMemoryGit(
  initial: { readonly state?: RepositoryState | null; readonly dirty?: Dirty } = {},
): MemoryGit {
  let state: RepositoryState | null =
    initial.state === undefined ? { head: '1'.repeat(40), branch: 'main' } : initial.state;
  let dirty: Dirty = initial.dirty ?? [];
  const checkpoints = new Map<string, ReadonlyMap<string, Uint8Array>>();
  return {
    setState(next) {
      state = next;
    },
    setDirty(next) {
      dirty = next;
    },
    refs: () => [...checkpoints.keys()].sort(),
    state: async () => state,
    explainUnavailable: async () => null,
    async listUncommittedChanges() {
      if (!state) throw new SelfwareError('notARepository', 'Not a git repository.');
      return dirty;
    },
    async saveCheckpoint(id, _title, files) {
      const ref = checkRef(`${REFS}${id}`);
      if (!state || checkpoints.has(ref))
        throw new SelfwareError('writeFailed', `The checkpoint ${id} could not be saved.`);
      checkpoints.set(ref, new Map(files.map((file) => [file.path, Uint8Array.from(file.bytes)])));
      return ref;
    },
    async readCheckpoint(ref, path) {
      const bytes = checkpoints.get(checkRef(ref))?.get(path);
      return bytes ? Uint8Array.from(bytes) : null;
    },
    listFilesChangedSince: async () => dirty.map(({ path }) => path),
    readAt: async () => null,
    async deleteCheckpoint(ref) {
      checkpoints.delete(checkRef(ref));
    },
  };
}

/** The ref, if it is a valid name of a checkpoint; otherwise throws `internal`. */
function checkRef(ref: string): string {
  if (ref.startsWith(REFS) && /^[a-z0-9][a-z0-9-]{0,63}$/.test(ref.slice(REFS.length))) return ref;
  throw new SelfwareError('internal', `Not the name of a checkpoint: ${ref}.`);
}
