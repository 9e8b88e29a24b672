// The section `changes` of the small session in `memorySession.ts`: applied changes and their checkpoints.

import type { Checkpoint, Proposal } from '../../server/src/core/model.ts';
import type { Operation } from '../../server/src/core/operation.ts';
import type { Session } from '../../server/src/core/session.ts';
import { SelfwareError } from '../../server/src/util/typedError.ts';
import type { MemorySessionOptions } from './memorySession.ts';

/** The parts of the session that this section uses. */
interface SessionParts {
  readonly options: MemorySessionOptions;
  mustTrust(): void;
  existing(id: string): Proposal;
  replace(next: Proposal): Proposal;
  index(operation: Operation): Promise<unknown>;
}

/** Creates the section. `options.writer` writes a change, which is kept immediately. */
export function createMemoryChanges({
  options,
  mustTrust,
  existing: findProposal,
  replace,
  index,
}: SessionParts): Session['changes'] {
  let checkpoints: (Checkpoint & {
    readonly bytes: readonly { readonly path: string; readonly before: Uint8Array; readonly after: Uint8Array }[];
  })[] = [];
  return {
    async apply({ proposal: id, signal }) {
      mustTrust();
      const proposal = findProposal(id);
      const bytes = proposal.edits.map(({ path, before, after }) => ({
        path,
        before: Buffer.from(before ?? ''),
        after: Buffer.from(after ?? ''),
      }));
      await options.writer.write(
        bytes.map((file) => ({ ...file, mode: 0o644 })),
        proposal.title,
      );
      const checkpoint = {
        id: `c-${checkpoints.length + 1}`,
        proposal: id,
        title: proposal.title,
        createdAt: checkpoints.length,
        head: null,
        ref: null,
        files: bytes.map(({ path }) => ({ path, before: '', after: '', mode: 0o644 })),
        rolledBackAt: null,
        bytes,
      };
      checkpoints = [...checkpoints, checkpoint];
      await index({ signal });
      return {
        proposal: replace({ ...proposal, status: 'kept', checkpoint: checkpoint.id }),
        checkpoint,
        rest: null,
      };
    },
    applyTogether: async () => null,
    judge: async () => [],
    checkRemaining: async () => [],
    keep: async (id) => replace({ ...findProposal(id), status: 'kept' }),
    applyPause: async () => null,
    commit: async () => ({ branch: 'none', committed: [], refused: [] }),
    checkpoints: async () => checkpoints,
    async rollback(id, { signal }) {
      const checkpoint = checkpoints.find((candidate) => candidate.id === id);
      if (!checkpoint) throw new SelfwareError('notFound', `There is no checkpoint ${id}.`);
      if (checkpoint.rolledBackAt !== null) throw new SelfwareError('illegalStep', `${id} was rolled back already.`);
      await options.writer.write(
        checkpoint.bytes.map(({ path, before, after }) => ({ path, before: after, after: before, mode: 0o644 })),
        'Roll back',
      );
      const rolledBack = { ...checkpoint, rolledBackAt: 1 };
      checkpoints = checkpoints.map((candidate) => (candidate.id === id ? rolledBack : candidate));
      await index({ signal });
      return rolledBack;
    },
    pruneCheckpoints: async () => [],
  };
}
