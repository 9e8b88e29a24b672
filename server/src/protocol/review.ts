// A proposal laid out for review: whole texts for the diff, hunks for the buttons, verdicts as evidence.

export interface ProposalRef {
  readonly proposal: string;
}

export interface ReviewHunk {
  /** Index to send back in ApplyParams.hunks; counted over all files. */
  readonly index: number;
  /** 1-based line in the `after` text that the hunk's button sits above. */
  readonly afterLine: number;
  readonly beforeLine: number;
  readonly added: number;
  readonly removed: number;
}

export interface ReviewFile {
  readonly path: string;
  readonly uri: string;
  readonly before: string;
  readonly after: string;
  readonly created: boolean;
  readonly deleted: boolean;
  readonly hunks: readonly ReviewHunk[];
}

export interface ReviewVerdict {
  readonly gate: string;
  readonly outcome: 'passed' | 'failed' | 'unknown';
  readonly reason: string;
  readonly millis: number;
}

export interface Review {
  readonly id: string;
  readonly title: string;
  readonly rationale: string;
  readonly status: string;
  readonly recipe: string;
  readonly safety: string;
  readonly files: readonly ReviewFile[];
  readonly verdicts: readonly ReviewVerdict[];
  readonly pointsBefore: number | null;
  readonly pointsAfter: number | null;
  readonly reason: string | null;
}

export interface ImproveParams {
  /** Opportunity id; without it the best one. */
  readonly opportunity?: string;
}

/** An opportunity as it stands in a document. */
export interface DecisionParams {
  readonly uri: string;
  readonly opportunity: string;
  /** Its rule, for who opens the page without asking the server. */
  readonly rule?: string;
  /** Why, in own words; without it the person is asked. */
  readonly reason?: string;
  /** For a dismissal, one of the kinds that the server offers; without it the person is asked. */
  readonly kind?: string;
}

export interface ApplyParams {
  readonly proposal: string;
  readonly hunks?: readonly number[];
}

export interface RejectParams {
  readonly proposal: string;
  readonly reason?: string;
}

export interface RollbackParams {
  readonly checkpoint: string;
}

export interface SaveParams {
  readonly uris: readonly string[];
}

export interface SaveResult {
  readonly saved: readonly string[];
  readonly failed: readonly { readonly uri: string; readonly reason: string }[];
}

/** Answer of improve, apply, reject and rollback: a sentence for the user, and the review where there is one. */
export interface CommandOutcome {
  readonly ok: boolean;
  readonly message: string;
  readonly review: Review | null;
}

/** `initializationOptions` that a client may send. */
export interface InitializationOptions {
  readonly trusted?: boolean;
  /** The client answers `selfware/save`. */
  readonly canSave?: boolean;
  /** The client shows reviews on `selfware/reviewReady`. Default: as `canSave`. False: the server asks by window/showMessageRequest. */
  readonly canReview?: boolean;
  readonly settings?: unknown;
}
