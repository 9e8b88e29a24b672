// Messages about proposals: a proposal prepared for review, the decisions of a person on it, and the answer of every
// command.

import type {
  ComponentChoice,
  ConsentChoice,
  ConsentQuestion,
  InstallQuestion,
  ModelChoices,
  ResearchQuestion,
} from './models.ts';
import type { NightChoices, ShownAcceptance } from './nights.ts';
import type { RequestState, WaitingTask } from './requests.ts';
import type { RecipeChoice } from './recipes.ts';
import type { BaseChoice, ReportPage } from './reports.ts';
import type { StrengthState } from './strength.ts';

/** Names a proposal. */
export interface ProposalRef {
  readonly proposal: string;
}

/** One hunk of a file, with its places in the text before and after the change. */
export interface ReviewHunk {
  /** The index of the hunk among those of all files, for `ApplyParams.hunks`. */
  readonly index: number;
  /** The 1-based first line in the text `after`. The button of the hunk is placed above it. */
  readonly afterLine: number;
  /** The 1-based first line in the text `before`. */
  readonly beforeLine: number;
  /** Number of added lines. */
  readonly added: number;
  /** Number of removed lines. */
  readonly removed: number;
  /**
   * The number of lines in the text `after` from the first to the last changed line, including unchanged lines between
   * them.
   */
  readonly afterLines: number;
  /** The number of such lines in the text `before`. */
  readonly beforeLines: number;
  /** True if the hunk can be applied or skipped independently of the others. */
  readonly alone: boolean;
}

/** A file that a proposal changes, with its complete texts. */
export interface ReviewFile {
  readonly path: string;
  readonly uri: string;
  readonly before: string;
  readonly after: string;
  readonly created: boolean;
  readonly deleted: boolean;
  readonly hunks: readonly ReviewHunk[];
}

/** The verdict of one gate. */
export interface ReviewVerdict {
  readonly gate: string;
  readonly outcome: 'passed' | 'failed' | 'unknown';
  readonly reason: string;
  readonly millis: number;
  /** The reason why this change does not need the gate, as a clause; set only with the outcome `unknown`. */
  readonly notNeeded?: string;
}

/** A proposal as a client shows it for review. */
export interface Review extends StrengthState {
  readonly id: string;
  readonly title: string;
  readonly rationale: string;
  readonly status: string;
  readonly recipe: string;
  readonly safety: string;
  /** True if the comparison of old and new code has proved that both do the same. */
  readonly isShownSame?: boolean;
  readonly files: readonly ReviewFile[];
  readonly verdicts: readonly ReviewVerdict[];
  readonly pointsBefore: number | null;
  readonly pointsAfter: number | null;
  /** The gain of the change itself, without inputs of the score that were measured only after it. */
  readonly pointsDelta: number | null;
  readonly reason: string | null;
  readonly rule: string;
  /** True if a gate has found a counterexample that can be adopted as a test. */
  readonly hasTest: boolean;
  /** The checkpoint for rolling back; null until the proposal is applied. */
  readonly checkpoint: string | null;
}

/** The evidence for clients that show Markdown next to the diff. */
export interface EvidenceAnswer {
  readonly title: string;
  readonly markdown: string;
  /** A counterexample as a test that can be adopted; null if there is none. */
  readonly test: { readonly language: string; readonly text: string } | null;
}

/** Identifies an opportunity in a document. */
export interface ExplainParams {
  readonly uri: string;
  readonly opportunity: string;
}

/** The reason for an opportunity and the page of its rule, as Markdown. */
export interface ExplainAnswer {
  readonly rule: string;
  readonly markdown: string;
}

/** A change whose probation has failed without a request of the person. */
export interface Outcome {
  readonly proposal: string;
  readonly title: string;
  /** `conflicted`: it failed, cannot be rolled back automatically, and waits for a person. */
  readonly status: 'rolledBack' | 'conflicted';
  /** One sentence for a person. */
  readonly message: string;
  readonly checkpoint: string | null;
}

/** Argument of the command `improve`. If no field is set, the best opportunity of the repository is improved. */
export interface ImproveParams {
  /** Id of the opportunity; if absent, the best one is chosen. */
  readonly opportunity?: string;
  /** Limits the choice to these files and folders. */
  readonly uris?: readonly string[];
  /** With an opportunity: true to try again even if its change was refused, rejected or rolled back before. */
  readonly again?: boolean;
}

/** Parameters of a person's decision against an opportunity: to dismiss it, or to suppress it in the code. */
export interface DecisionParams {
  readonly uri: string;
  readonly opportunity: string;
  /** The rule of the opportunity, so that a client can open its page without asking the server. */
  readonly rule?: string;
  /** The reason in the person's own words; if absent, the person is asked. */
  readonly reason?: string;
  /** For a dismissal: one of the kinds that the server offers; if absent, the person is asked. */
  readonly kind?: string;
}

/** Argument of the command `apply`. */
export interface ApplyParams {
  readonly proposal: string;
  /** Indexes of the hunks to apply; if absent, all. */
  readonly hunks?: readonly number[];
  /**
   * Complete texts of files of the proposal, as the person has corrected them. They are verified before they are
   * written.
   */
  readonly texts?: readonly CorrectedText[];
}

/** The complete text of a file, as the person has corrected it. */
export interface CorrectedText {
  readonly path: string;
  readonly after: string;
}

/** Argument of the command `reject`. */
export interface RejectParams {
  readonly proposal: string;
  readonly reason?: string;
  /**
   * The objection, as one of the kinds of a dismissal. If it is set, the confidence in the rule is adjusted, and the
   * opportunity is dismissed.
   */
  readonly kind?: string;
}

/** Argument of the command `keep`. */
export interface KeepParams {
  readonly proposal: string;
  readonly reason?: string;
}

/** Argument of the command `commit`. */
export interface CommitParams {
  /** Ids of proposals or checkpoints; if absent, all kept changes that were not committed yet. */
  readonly changes?: readonly string[];
  /** The branch; if absent, the branch in the settings. */
  readonly branch?: string;
}

/** Argument of the command `rollback`. */
export interface RollbackParams {
  readonly checkpoint: string;
}

/** Parameters of `selfware/save`. */
export interface SaveParams {
  readonly uris: readonly string[];
}

/** Result of `selfware/save`: the URIs of the saved documents, and of those that could not be saved. */
export interface SaveResult {
  readonly saved: readonly string[];
  readonly failed: readonly { readonly uri: string; readonly reason: string }[];
}

/**
 * An update of a dependency to a version. If `version` is null, no update is possible: the entry then describes a known
 * vulnerability, or says what is unknown. `detail`: its advisories, or the reason why its versions are unknown.
 */
export interface UpdateChoice {
  readonly name: string;
  /** Path of the package.json that lists it. */
  readonly manifest: string;
  readonly version: string | null;
  readonly description: string;
  readonly detail: string;
  /** Set if the entry stands for all minor and patch updates as one change; `name` is then a label. */
  readonly isGroup?: true;
}

/**
 * Answer of every command: a sentence for the user, the review of a proposal if the command has one, and a page if
 * there is more to read.
 */
export interface CommandOutcome {
  readonly ok: boolean;
  readonly message: string;
  readonly review: Review | null;
  /**
   * The remaining part of a proposal of which some hunks were applied. It keeps waiting, and is verified in the
   * background.
   */
  readonly rest?: Review;
  readonly page?: ReportPage;
  /** An opportunity on the page that has tests to propose, and the name of its function. */
  readonly proposable?: { readonly opportunity: string; readonly name: string };
  /** The hash of the plan on the page. The plan runs if the client sends it back as the approval. */
  readonly approve?: string;
  /** Possible bases for judging a change, the likeliest first. */
  readonly bases?: readonly BaseChoice[];
  /** The proposers that can be asked for a change, and the possible tasks. */
  readonly models?: ModelChoices;
  /** The recipes that were found, those with most places first. */
  readonly recipes?: readonly RecipeChoice[];
  /** The choices for an unattended run. */
  readonly night?: NightChoices;
  /** The acceptance test of a wish, for the person's decision. */
  readonly acceptance?: ShownAcceptance;
  /** The queue of wishes, in the order in which they are tried. */
  readonly wishes?: readonly RequestState[];
  /**
   * All tasks about which no model or agent is asked until the person acts, newest first; absent after a change of the
   * queue.
   */
  readonly waitingTasks?: readonly WaitingTask[];
  /** The id of the wish that was added, or of the one that was in the queue already. */
  readonly wish?: string;
  /** Set if nothing was sent, because the person must agree first. */
  readonly consent?: ConsentQuestion;
  /** The consents of the person: what may be sent where. */
  readonly consents?: readonly ConsentChoice[];
  /** Set if nothing was sent, because the person must first answer whether their search program may be used. */
  readonly research?: ResearchQuestion;
  /** The address of the pull request that was opened. */
  readonly address?: string;
  /**
   * Set if no registry was asked, because the person must first agree to these registries. `sends`: what they would
   * receive. `agreement`: the text that the client sends back as the agreement.
   */
  readonly registries?: { readonly hosts: readonly string[]; readonly sends: string; readonly agreement: string };
  /** The updates of dependencies that can be proposed, the most urgent first. */
  readonly updates?: readonly UpdateChoice[];
  /** The optional components. */
  readonly components?: readonly ComponentChoice[];
  /** Set if nothing was installed, because the person must agree first. */
  readonly installation?: InstallQuestion;
  /** The opportunity, recipe or update whose change was turned down before; with `again`, it is tried once more. */
  readonly again?: string;
  /** Set if somebody has cancelled the command, which is not an error. */
  readonly cancelled?: true;
}

/** `initializationOptions` of a client. */
export interface InitializationOptions {
  readonly trusted?: boolean;
  /** True if the client answers `selfware/save`. */
  readonly canSave?: boolean;
  /**
   * True if the client shows reviews on `selfware/reviewReady`. Default: the value of `canSave`. If false, the server
   * uses window/showMessageRequest.
   */
  readonly canReview?: boolean;
  /** True if the client answers `selfware/model/*`. */
  readonly canAskModels?: boolean;
  /** True if the client stores keys of models and sends them by `selfware/model/keys`. */
  readonly canStoreKeys?: boolean;
  /** URI of the workspace folder for requests without a folder. Default: the first. */
  readonly folder?: string;
  readonly settings?: unknown;
}
