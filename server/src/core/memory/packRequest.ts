// Types of the input of a context pack: what is known of the repository, and the task and window of the request.

import type { FileRecord } from '../ports/catalogue.ts';
import type { Commit } from '../ports/git.ts';
import type { Episode, Similarity } from './episodic.ts';
import type { Millis } from '../model.ts';
import type { Snapshot } from './adaptation.ts';
import type { TaskRelatedPlace } from './related.ts';
import type { WorkingItem } from './working.ts';
import type { DetailOrderer } from './order.ts';
import type { TaskType } from './contextPack.ts';

/** The input from which a pack is made. */
export interface PackContext {
  readonly records: readonly FileRecord[];
  /** By path: the number of files that import the file. */
  readonly inDegree: ReadonlyMap<string, number>;
  /**
   * Returns the current text of a file. If this is null, only indexed files can be active, and search does not
   * contribute to the order.
   */
  readonly read: ((path: string) => Promise<string | null>) | null;
  /** PageRank by path. */
  readonly rank?: ReadonlyMap<string, number>;
  /** The history, newest commit first. */
  readonly commits?: readonly Commit[];
  /**
   * The places that search relates to the task, best first. Requires `read`. If absent, all files are equally related.
   */
  readonly relatedPlaces?: readonly TaskRelatedPlace[];
  /** Everything that episodic memory may recall. `now`: the time of the pack. */
  readonly episodes?: { readonly all: readonly Episode[]; readonly now: Millis; readonly similarity?: Similarity };
  /** The use of layers by earlier packs, oldest first. */
  readonly snapshots?: readonly Snapshot[];
  /** Conversation, task and files in working memory. */
  readonly working?: readonly WorkingItem[];
  /** Keeps data that does not change between calls; if absent, each call starts from scratch. */
  readonly packer?: DetailOrderer;
  /** If false, the semantic layer borrows nothing. */
  readonly canLend?: boolean;
}

/** The task and the window for which a pack is made. */
export interface PackRequest {
  readonly task: string;
  readonly taskType: TaskType;
  /** Number of tokens of the whole window. */
  readonly budget: number;
  /** Paths of the files being worked on, most important first. */
  readonly activeFiles: readonly string[];
}
