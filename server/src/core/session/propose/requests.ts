// What may be asked of proposals, and what comes of it.

import type { Author } from '../../model/authors.ts';
import type { ClaimKind } from '../../model/claims.ts';
import type { PassedOver } from '../../model/passedOver.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import type { Operation } from '../../operation.ts';

export interface ProposeRequest extends Operation {
  /** Realise this one; without it the best that a recipe can realise and that was not refused before. */
  readonly opportunity?: string;
  /** Only opportunities in these files or folders, relative to the root; left out: everywhere. */
  readonly places?: readonly string[];
  /** Also what was refused, rejected or rolled back before: the person who names it wants it once more. */
  readonly again?: boolean;
  /** All safe fixes that are shown in this file as one change, where they come from more than one recipe. */
  readonly fixesOf?: string;
  /** Ids of proposals that had their turn and wait for a quieter machine. */
  readonly without?: ReadonlySet<string>;
}

/** Edits from outside, each with the exact text that it starts from. */
export interface BroughtEdits {
  readonly title: string;
  readonly rationale: string;
  readonly edits: readonly FileEdit[];
  /** What they make better, as their author states it; left out: what the checks show. */
  readonly claim?: ClaimKind;
  /** As in `Proposal`. */
  readonly addresses?: readonly string[];
  /** Left out: an agent, because nobody knows. */
  readonly author?: Author;
}

/** A place that nothing came of, with the reason. */
export interface Tried {
  /** Id. */
  readonly opportunity: string;
  readonly rule: string;
  readonly path: string;
  readonly refused: string;
}

export interface ProposeOutcome {
  readonly proposal: Proposal | null;
  readonly tried: readonly Tried[];
  /** All that a recipe could fix and that was left alone on the way, those tried among them. */
  readonly passedOver: readonly PassedOver[];
  /** True: the tries of one request were used up, and another request would try places that this one did not. */
  readonly more?: boolean;
}
