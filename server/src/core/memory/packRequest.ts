// The input of a pack, and what is asked of it.

import type { FileRecord } from '../ports/catalogue.ts';
import type { Commit } from '../ports/git.ts';
import type { Episode, Similarity } from './episodic.ts';
import type { Millis } from '../model.ts';
import type { Snapshot } from './adaptation.ts';
import type { WorkingItem } from './working.ts';
import type { Packer } from './order.ts';
import type { TaskType } from './contextPack.ts';

export interface PackContext {
  readonly records: readonly FileRecord[];
  /** Number of files that import each file. */
  readonly inDegree: ReadonlyMap<string, number>;
  /** Text of a file that is not in the records; null = only indexed files can be active. */
  readonly read: ((path: string) => Promise<string | null>) | null;
  /** PageRank of files. */
  readonly rank?: ReadonlyMap<string, number>;
  /** Newest first. */
  readonly commits?: readonly Commit[];
  /**
   * Relation to the task by `path` or `path#symbol`, 0–1, from search. Without it the words of the task are compared
   * with names.
   */
  readonly related?: ReadonlyMap<string, number>;
  readonly episodes?: { readonly all: readonly Episode[]; readonly now: Millis; readonly similarity?: Similarity };
  /** What earlier packs used, oldest first. */
  readonly snapshots?: readonly Snapshot[];
  /** Conversation, task and files as working memory holds them. */
  readonly working?: readonly WorkingItem[];
  /** Keeps what does not change between calls; without it each call starts afresh. */
  readonly packer?: Packer;
  /** False: the semantic layer keeps to its own share. */
  readonly lend?: boolean;
}

export interface PackRequest {
  readonly task: string;
  readonly taskType: TaskType;
  /** Tokens of the whole window. */
  readonly budget: number;
  /** Most important first. */
  readonly activeFiles: readonly string[];
}
