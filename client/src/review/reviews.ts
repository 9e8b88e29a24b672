// Holds the loaded reviews of proposals, and stores the hunks that the person has skipped. Skipped hunks survive a
// reload of the window.

import * as vscode from 'vscode';
import type { Review } from '#protocol/review';
import type { Server } from '../server/languageClient.ts';

/** The reviews that this window has loaded, by the id of the proposal. */
export interface Reviews {
  /** Fires with the id of a proposal whose review or skipped hunks have changed. */
  readonly onChange: vscode.Event<string>;
  /**
   * The review of a proposal: the loaded one, otherwise from the server. Rejects if the server does not know the
   * proposal.
   */
  get(proposal: string): Promise<Review>;
  put(review: Review): void;
  /** Loads the review again from the server. */
  refresh(proposal: string): Promise<void>;
  /** Indices of the skipped hunks. */
  skipped(proposal: string): ReadonlySet<number>;
  /** Skips the hunks, or includes them again if all of them are skipped. */
  toggleSkipped(proposal: string, hunks: readonly number[]): Promise<void>;
  /** Indices of the hunks that "Apply All" applies; undefined if none is skipped. */
  chosenHunks(review: Review): readonly number[] | undefined;
  /** Forgets the review and its skipped hunks. */
  forget(proposal: string): Promise<void>;
}

const memoryKey = 'selfware.skippedHunks';

/** Creates a store without loaded reviews. `memory`: where skipped hunks are stored. */
export function createReviews(server: Server, memory: vscode.Memento): Reviews {
  const loaded = new Map<string, Review>();
  const changed = new vscode.EventEmitter<string>();

  return {
    onChange: changed.event,
    get: async (proposal) => {
      const review = loaded.get(proposal) ?? (await server.review(proposal));
      loaded.set(proposal, review);
      return review;
    },
    put: store,
    refresh: async (proposal) => store(await server.review(proposal)),
    skipped: skippedHunksOf,
    toggleSkipped: async (proposal, hunks) => {
      const before = skippedHunksOf(proposal);
      const toggled = new Set(hunks);
      const otherHunks = [...before].filter((hunk) => !toggled.has(hunk));
      await remember(proposal, hunks.every((hunk) => before.has(hunk)) ? otherHunks : [...otherHunks, ...toggled]);
      changed.fire(proposal);
    },
    chosenHunks: (review) => {
      const skippedHunks = skippedHunksOf(review.id);
      if (skippedHunks.size === 0) return undefined;
      return review.files
        .flatMap((file) => file.hunks.map(({ index }) => index))
        .filter((index) => !skippedHunks.has(index));
    },
    forget: async (proposal) => {
      loaded.delete(proposal);
      await remember(proposal, []);
      // Makes the views of the proposal request its review again.
      changed.fire(proposal);
    },
  };

  function store(review: Review): void {
    loaded.set(review.id, review);
    changed.fire(review.id);
  }

  function skippedHunksOf(proposal: string): ReadonlySet<number> {
    return new Set(all()[proposal] ?? []);
  }

  function all(): Readonly<Record<string, readonly number[]>> {
    return memory.get(memoryKey, {});
  }

  async function remember(proposal: string, hunks: readonly number[]): Promise<void> {
    const { [proposal]: _, ...others } = all();
    await memory.update(memoryKey, hunks.length ? { ...others, [proposal]: hunks } : others);
  }
}
