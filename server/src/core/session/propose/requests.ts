// Types of requests for proposals, and of their results.

import type { Author } from '../../model/authors.ts';
import type { ClaimKind } from '../../model/claims.ts';
import type { SkippedPlace } from '../../model/skippedPlaces.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import type { WorkScope } from '../../model/workScope.ts';
import type { Operation } from '../../operation.ts';

/**
 * A request for a proposal. The scope restricts the search, but a named opportunity is realised even outside of the
 * scope.
 */
export interface ProposeRequest extends Operation, WorkScope {
  /** The opportunity to realise; if absent, the best one that a recipe can realise and that was not refused before. */
  readonly opportunity?: string;
  /**
   * Restricts the search to the findings of these rules. A rule that is off finds nothing unless a setting switches it
   * on.
   */
  readonly rules?: readonly string[];
  /** True to skip places in tests, because changes of existing tests wait for a person. */
  readonly exceptTests?: boolean;
  /** True to include places that were refused, rejected or rolled back before, because the person wants another try. */
  readonly again?: boolean;
  /**
   * Path of a file. All safe, shown fixes in it become one change, if there are at least two. Other fields are ignored.
   */
  readonly fixesOf?: string;
  /** Ids of proposals that are not returned again, because they wait for a quieter machine. */
  readonly excludedProposals?: ReadonlySet<string>;
  /**
   * Files that the proposal may not edit, because it is to be checked together with proposals for these. Then only
   * places that a recipe can improve immediately are tried, and no waiting proposal is returned.
   */
  readonly besides?: ReadonlySet<string>;
}

/** The part of a request that selects among the proposals that were deferred on a busy machine. */
export type DeferredRequest = WorkScope & Pick<ProposeRequest, 'rules' | 'exceptTests' | 'excludedProposals'>;

/** Edits from outside, each with the exact text on which it is based. */
export interface ExternalEdits {
  readonly title: string;
  readonly rationale: string;
  /** A sentence by Selfware about its own changes to the edits before they were filed. */
  readonly note?: string;
  readonly edits: readonly FileEdit[];
  /** The claim that the author makes; if absent, any claim that the checks show. */
  readonly claim?: ClaimKind;
  /** Descriptions of the mistakes that the new tests should notice. */
  readonly addresses?: readonly string[];
  /** The author; if absent, an agent, because the author is unknown. */
  readonly author?: Author;
  /** True to file the edits even if the same ones were refused, rejected or rolled back before. */
  readonly again?: boolean;
}

/** A place without a result, and the reason. */
export interface PlaceWithoutResult {
  /** Id of the opportunity. */
  readonly opportunity: string;
  readonly rule: string;
  readonly path: string;
  readonly refused: string;
}

/** The result of a request for a proposal. */
export interface ProposeOutcome {
  /** The proposal; null if nothing could be proposed. */
  readonly proposal: Proposal | null;
  /** The places that were tried, or found to be blocked, in this request, with the reasons. */
  readonly tried: readonly PlaceWithoutResult[];
  /** All places that a recipe could improve and that were skipped, including those in `tried`. */
  readonly passedOver: readonly SkippedPlace[];
  /** True if the limit of tries was reached, and another request would try further places. */
  readonly hasMore?: boolean;
}
