// A proposal laid out for review: whole texts for the diff, hunks for the buttons, verdicts as evidence.

import type { ConsentQuestion, ModelChoices } from './models.ts';
import type { BaseChoice, ReportPage } from './reports.ts';
import type { StrengthState } from './strength.ts';

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
  /** Lines of either text from its first to its last changed one, unchanged ones between them included. */
  readonly afterLines: number;
  readonly beforeLines: number;
  /** It can be applied, or left out, without the other hunks. */
  readonly alone: boolean;
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

export interface Review extends StrengthState {
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
  /** What the change itself gains: what came to be known meanwhile is left out. */
  readonly pointsDelta: number | null;
  readonly reason: string | null;
  readonly rule: string;
  /** A gate has found a counterexample that can be adopted as a test. */
  readonly hasTest: boolean;
  /** Set once applied: the way back. */
  readonly checkpoint: string | null;
}

/** For a client that shows Markdown beside the diff. */
export interface EvidenceAnswer {
  readonly title: string;
  readonly markdown: string;
  /** A counterexample as a test that may be adopted, or null. */
  readonly test: { readonly language: string; readonly text: string } | null;
}

/** An opportunity as it is in a document. */
export interface ExplainParams {
  readonly uri: string;
  readonly opportunity: string;
}

export interface ExplainAnswer {
  readonly rule: string;
  readonly markdown: string;
}

/** What became of a change by itself. */
export interface Outcome {
  readonly proposal: string;
  readonly title: string;
  /** `conflicted`: it failed, cannot be rolled back automatically, and waits for a person. */
  readonly status: 'rolledBack' | 'conflicted';
  /** One sentence for a person. */
  readonly message: string;
  readonly checkpoint: string | null;
}

export interface ImproveParams {
  /** Opportunity id; without it the best one. */
  readonly opportunity?: string;
  /** The best one in these files and folders. */
  readonly uris?: readonly string[];
  /** With an opportunity: also what was refused, rejected or rolled back before. */
  readonly again?: boolean;
}

/** An opportunity as it is in a document. */
export interface DecisionParams {
  readonly uri: string;
  readonly opportunity: string;
  /** Its rule, for whoever opens the page without asking the server. */
  readonly rule?: string;
  /** Why, in own words; without it the person is asked. */
  readonly reason?: string;
  /** For a dismissal, one of the kinds that the server offers; without it the person is asked. */
  readonly kind?: string;
}

export interface ApplyParams {
  readonly proposal: string;
  readonly hunks?: readonly number[];
  /** Whole texts of files of the proposal as the person has corrected them; verified again before they are written. */
  readonly texts?: readonly CorrectedText[];
}

export interface CorrectedText {
  readonly path: string;
  readonly after: string;
}

export interface RejectParams {
  readonly proposal: string;
  readonly reason?: string;
  /** What is wrong, as one of the kinds of a dismissal: the rule learns from it, and its opportunity is dismissed. */
  readonly kind?: string;
}

export interface KeepParams {
  readonly proposal: string;
  readonly reason?: string;
}

export interface CommitParams {
  /** Ids of proposals or checkpoints; without any all kept changes that were not committed yet. */
  readonly changes?: readonly string[];
  /** Without it as the settings say. */
  readonly branch?: string;
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

/**
 * Answer of every command: a sentence for the user, the review where there is one, and a page where there is more to
 * read.
 */
export interface CommandOutcome {
  readonly ok: boolean;
  readonly message: string;
  readonly review: Review | null;
  /**
   * What is left of a proposal of which some hunks were applied: it keeps waiting, and is verified in the background.
   */
  readonly rest?: Review;
  readonly page?: ReportPage;
  /** What the page is about runs once a person has agreed: asked for with this hash, it is done. */
  readonly approve?: string;
  /** What a change may be judged from, the likeliest first. */
  readonly bases?: readonly BaseChoice[];
  /** Who can be asked for a change, and for which. */
  readonly models?: ModelChoices;
  /** Nothing was sent: the person is asked first. */
  readonly consent?: ConsentQuestion;
  /** The opportunity whose change was turned down before: asked for `again`, it is tried once more. */
  readonly again?: string;
  /** Somebody has stopped it: no trouble, and nothing to look up. */
  readonly cancelled?: true;
}

/** `initializationOptions` that a client may send. */
export interface InitializationOptions {
  readonly trusted?: boolean;
  /** The client answers `selfware/save`. */
  readonly canSave?: boolean;
  /**
   * The client shows reviews on `selfware/reviewReady`. Default: as `canSave`. False: the server asks by
   * window/showMessageRequest.
   */
  readonly canReview?: boolean;
  /** The client answers `selfware/model/*`. */
  readonly canAskModels?: boolean;
  /** URI of the workspace folder that requests without one are about. Default: the first. */
  readonly folder?: string;
  readonly settings?: unknown;
}
