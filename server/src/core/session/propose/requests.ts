// The types of requests for proposals, and of their results.

import type { Author } from '../../model/authors.ts';
import type { ClaimKind } from '../../model/claims.ts';
import type { PassedOver } from '../../model/passedOver.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import type { Operation } from '../../operation.ts';

export interface ProposeRequest extends Operation {
  /** Realise this opportunity; left out: the best that a recipe can realise and that was not refused before. */
  readonly opportunity?: string;
  /** Only opportunities in these files or folders, relative to the root; left out: everywhere. */
  readonly places?: readonly string[];
  /** Include what was refused, rejected or rolled back before, because the person who names it wants another try. */
  readonly again?: boolean;
  /**
   * Path of a file: make all safe, shown fixes in it one change, if there are at least two. Other fields do not count.
   */
  readonly fixesOf?: string;
  /** Ids of proposals that are not returned again, because they wait for a quieter machine. */
  readonly without?: ReadonlySet<string>;
}

/** Edits from outside, each with the exact text that it starts from. */
export interface BroughtEdits {
  readonly title: string;
  readonly rationale: string;
  readonly edits: readonly FileEdit[];
  /** What they make better, as their author states; left out: whatever the checks show. */
  readonly claim?: ClaimKind;
  /** As in `Proposal`. */
  readonly addresses?: readonly string[];
  /** Left out: an agent, because the author is unknown. */
  readonly author?: Author;
}

/** A place without a result, with the reason. */
export interface Tried {
  /** Id of the opportunity. */
  readonly opportunity: string;
  readonly rule: string;
  readonly path: string;
  readonly refused: string;
}

export interface ProposeOutcome {
  readonly proposal: Proposal | null;
  readonly tried: readonly Tried[];
  /** Everything that a recipe could fix and that was passed over, including the tried places. */
  readonly passedOver: readonly PassedOver[];
  /** True: the limit of tries was reached, and another request would try further places. */
  readonly more?: boolean;
}
