// What a question says of its task, and which files it shows; a file for each kind of task makes one.

import type { AskedTask } from '../../model/asks.ts';
import type { ClaimKind } from '../../model/claims.ts';
import type { ShownFile } from '../../proposers/prompt.ts';

export interface TaskText {
  /** One paragraph. */
  readonly sentence: string;
  /** Further demands, one sentence each. */
  readonly demands: readonly string[];
  /** What is to be changed, shown first; cut to fit already. */
  readonly targets: readonly ShownFile[];
  /** True: what has to be changed may be in the other files that are shown. */
  readonly elsewhere: boolean;
  /** Files that are shown before what search finds, best first. */
  readonly near: readonly string[];
  /** Mistakes that the change is asked to notice; absent where it is asked for something else. */
  readonly addresses?: readonly string[];
  /** What else is looked for. */
  readonly search: string;
}

/** Nothing can be asked, with the reason for a person. */
export interface NoTask {
  readonly refused: string;
}

/** What a change for this kind of task claims; absent = what its form allows. */
export const CLAIMED: Readonly<Partial<Record<AskedTask['kind'], ClaimKind>>> = {
  request: 'request',
  tests: 'tests',
  fix: 'fix',
};
