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
  /** Replaces the loaded review of its proposal. */
  put(review: Review): void;
  /** Loads the review again from the server. */
  refresh(proposal: string): Promise<void>;
  /** Indices of the hunks of a proposal that the person has skipped; empty if none are. */
  skipped(proposal: string): ReadonlySet<number>;
  /** Skips the hunks, or includes them again if all of them are skipped. */
  toggleSkipped(proposal: string, hunks: readonly number[]): Promise<void>;
  /** Indices of the hunks that "Apply All" applies; undefined if none is skipped. */
  chosenHunks(review: Review): readonly number[] | undefined;
  /** Forgets the review and its skipped hunks. */
  forget(proposal: string): Promise<void>;
}

/** The key under which VS Code stores the indices of skipped hunks, by the id of the proposal, for each workspace. */
const SKIPPED_KEY = 'selfware.skippedHunks';

/** Creates a store without loaded reviews. `memory`: where skipped hunks are stored. */
export function createReviews(server: Server, memory: vscode.Memento): Reviews {
  const loadedReviews = new Map<string, Review>();
  const reviewChanged = new vscode.EventEmitter<string>();

  return {
    onChange: reviewChanged.event,
    get: async (proposal) => {
      const review = loadedReviews.get(proposal) ?? (await server.review(proposal));
      loadedReviews.set(proposal, review);
      return review;
    },
    put: storeReview,
    refresh: async (proposal) => storeReview(await server.review(proposal)),
    skipped: findSkippedHunks,
    toggleSkipped: async (proposal, hunks) => {
      const skippedBefore = findSkippedHunks(proposal);
      const toggledHunks = new Set(hunks);
      const otherHunks = [...skippedBefore].filter((hunk) => !toggledHunks.has(hunk));
      await storeSkippedHunks(
        proposal,
        hunks.every((hunk) => skippedBefore.has(hunk)) ? otherHunks : [...otherHunks, ...toggledHunks],
      );
      reviewChanged.fire(proposal);
    },
    chosenHunks: (review) => {
      const skippedHunks = findSkippedHunks(review.id);
      if (skippedHunks.size === 0) return undefined;
      return review.files
        .flatMap((file) => file.hunks.map(({ index }) => index))
        .filter((index) => !skippedHunks.has(index));
    },
    forget: async (proposal) => {
      loadedReviews.delete(proposal);
      await storeSkippedHunks(proposal, []);
      // Makes the views of the proposal request its review again.
      reviewChanged.fire(proposal);
    },
  };

  function storeReview(review: Review): void {
    loadedReviews.set(review.id, review);
    reviewChanged.fire(review.id);
  }

  function findSkippedHunks(proposal: string): ReadonlySet<number> {
    return new Set(readSkippedHunks()[proposal] ?? []);
  }

  function readSkippedHunks(): Readonly<Record<string, readonly number[]>> {
    return memory.get(SKIPPED_KEY, {});
  }

  async function storeSkippedHunks(proposal: string, hunks: readonly number[]): Promise<void> {
    const { [proposal]: _, ...others } = readSkippedHunks();
    await memory.update(SKIPPED_KEY, hunks.length ? { ...others, [proposal]: hunks } : others);
  }
}
