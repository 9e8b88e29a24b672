// The domain model as plain data. Every value survives JSON: there are no classes, functions or Dates.

import type { Author } from './model/authors.ts';
import type { Claim, ClaimKind } from './model/claims.ts';
import type { Points } from './model/points.ts';
export type { Service, ServiceKind } from './model/setup.ts';
import type { GateName } from './model/gates.ts';

/** Milliseconds since the Unix epoch, as the port `Clock` returns them. */
export type Millis = number;

/** A range in a text. Lines and columns are 1-based; `endColumn` is exclusive; columns count UTF-16 code units. */
export interface Range {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export const LANGUAGES = [
  'typescript',
  'tsx',
  'javascript',
  'python',
  'rust',
  'go',
  'java',
  'c',
  'cpp',
  'ruby',
  'php',
  'csharp',
  'scala',
  'elixir',
  'swift',
  'bash',
  'lua',
  'kotlin',
  'haskell',
  'zig',
] as const;
/**
 * A language with a grammar. A file of any other kind has the language `null`: it is indexed in windows of lines, and
 * never analysed.
 */
export type Language = (typeof LANGUAGES)[number];

/** A named definition found in a file. `range` is the whole definition, `nameRange` its name. */
export interface SymbolInfo {
  readonly name: string;
  /** Enclosing names joined by dots, ending in `name`: `Store.get`. */
  readonly path: string;
  readonly kind:
    | 'function'
    | 'method'
    | 'class'
    | 'interface'
    | 'type'
    | 'enum'
    | 'variable'
    | 'module'
    | 'constant'
    | 'macro';
  readonly range: Range;
  readonly nameRange: Range;
  readonly exported: boolean;
}

/**
 * A piece of a file that search returns. Its id is a hash of its content and path, so an unchanged chunk keeps its id.
 */
export interface Chunk {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The symbol in which the chunk starts; null for a window of lines. */
  readonly symbol: string | null;
  readonly text: string;
  /**
   * Search terms, split and stemmed, separated by single spaces. Empty if they are stored as numbers (`PackedFile`).
   */
  readonly terms: string;
}

/** A chunk as it is written to the store. */
export interface WrittenChunk extends Omit<Chunk, 'text' | 'terms'> {
  /** The terms of the chunk, or the same text as UTF-8. */
  readonly terms: string | Uint8Array;
  readonly vector: Float32Array;
}

/** A file or folder that is not indexed or not analysed, with the reason. */
export interface SkippedPath {
  readonly path: string;
  readonly reason:
    | 'too large'
    | 'binary'
    | 'not utf-8'
    | 'unreadable'
    | 'nested repository'
    | 'symlink out of the repository'
    | 'parse failed'
    | 'analysis timed out';
}

export const SEVERITIES = ['hint', 'information', 'warning'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A place where the repository could be better, with evidence. */
export interface Opportunity {
  /**
   * Stable under edits elsewhere in the file: a hash of rule, path, symbol, enclosing blocks and the text of the place.
   */
  readonly id: string;
  readonly rule: string;
  readonly path: string;
  /** The range of the whole construct. */
  readonly range: Range;
  /** The range that the editor underlines: the symbol's name or the smallest significant token. */
  readonly nameRange: Range;
  readonly symbol: string | null;
  readonly severity: Severity;
  /** 0–100: estimated improvement of the repository if the opportunity is realised. */
  readonly impact: number;
  /** 0–1: probability that a maintainer would act on it. */
  readonly confidence: number;
  readonly message: string;
  /** Measured figures behind the message, by name. */
  readonly evidence: Readonly<Record<string, number | string>>;
  /** The recipe that can realise it; null if there is none. */
  readonly recipe: string | null;
  /** Other places to which the message refers, in this file or another. */
  readonly related?: readonly RelatedPlace[];
}

export interface RelatedPlace {
  readonly path: string;
  readonly range: Range;
  readonly message: string;
}

export const DISMISSAL_KINDS = ['notAProblem', 'wrong', 'later', 'generated', 'other'] as const;
/**
 * The reason why a person does not want to see an opportunity. `wrong`: a false positive; `later`: it is hidden for a
 * while.
 */
export type DismissalKind = (typeof DISMISSAL_KINDS)[number];

/** The record that a person does not want to see an opportunity. It can be undone. */
export interface Dismissal {
  readonly opportunity: string;
  readonly kind: DismissalKind;
  /** The reason in the person's own words; null if none was given. */
  readonly reason: string | null;
  /** The rule of the opportunity; null in records of older versions. */
  readonly rule: string | null;
  readonly path: string | null;
  readonly at: Millis;
  /** The time at which the opportunity reappears automatically; null if it never does. */
  readonly until: Millis | null;
}

/** Figures of one function. `halstead` and `maintainability` are null if the language has no token model. */
export interface FunctionMetrics {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly name: string;
  readonly kind: string;
  readonly cyclomatic: number;
  readonly cognitive: number;
  readonly nesting: number;
  readonly statements: number;
  readonly parameters: number;
  readonly halstead: { readonly volume: number; readonly difficulty: number; readonly effort: number } | null;
  readonly maintainability: number | null;
}

/** Additive measurements of one file; the ruler computes points from them. An absent key means unknown, never zero. */
export type Measures = Readonly<Record<string, number>>;

/** The contents of one file's code. Comparing those of two trees reveals code that the ruler would no longer see. */
export interface Inventory {
  readonly path: string;
  /**
   * True if the ruler measures this file. It does not measure tests, generated files, files of declarations only, and
   * languages without a grammar.
   */
  readonly measured: boolean;
  /** True if the language has types that the ruler counts. */
  readonly typed: boolean;
  /** Empty if the file is not measured. */
  readonly pieces: readonly CodePiece[];
  /** Imported names, and whether each is unused. */
  readonly imports: readonly ImportedName[];
  /** Aliases of `any`, and functions that accept any value as a type. */
  readonly anyTypes: readonly string[];
  /** The checks of the file's tests; null if it has none. */
  readonly tests: { readonly cases: number; readonly skipped: number; readonly assertions: number } | null;
}

export interface ImportedName {
  readonly name: string;
  readonly dead: boolean;
  /** The amount of code that becomes dead with the name if its whole statement is removed, too; otherwise 1. */
  readonly mass?: number;
}

/** A top-level declaration, a member of a class, or (named '') all other code of a module. */
export interface CodePiece {
  readonly name: string;
  /** True if nothing uses it. */
  readonly dead: boolean;
  /** True if it is exported and no file of the project uses it. */
  readonly deadExport?: true;
  /** Number of statements. */
  readonly mass: number;
  /** Number of branches and loops. */
  readonly decisions: number;
  /** Hash of its structure, without the names of locals. */
  readonly shape: string;
  /**
   * The content that would be lost without it: words in strings, numbers, and names that it calls and accesses. Sorted,
   * with repetitions.
   */
  readonly atoms: readonly string[];
  /** Names that it calls. */
  readonly calls: readonly string[];
}

export {
  CATEGORIES,
  type Category,
  type CategoryPoints,
  type InputPoints,
  type PointCost,
  type PointPlace,
  type Points,
} from './model/points.ts';

/** The risk of a change, lowest first. It is computed from the edits, never taken from the proposer. */
export const SAFETY_LEVELS = ['additive', 'behaviorPreserving', 'behaviorChanging', 'critical'] as const;
export type SafetyLevel = (typeof SAFETY_LEVELS)[number];

/**
 * One file of a proposal. Contents are whole texts, so a hunk is derived, never stored. `before`: null if the file is
 * created. `after`: null if it is deleted. Paths are relative to the root, with `/`.
 */
export interface FileEdit {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The answer of a gate about a candidate. */
export interface Verdict {
  readonly gate: GateName;
  readonly outcome: 'passed' | 'failed' | 'unknown';
  /** One sentence for a person. */
  readonly reason: string;
  /** The commands and measurements: command line, counts, first lines of output. */
  readonly evidence: Readonly<Record<string, string | number | null>>;
  readonly millis: number;
}

export const STRENGTHS = ['proven', 'tested', 'checked', 'unchecked'] as const;
/**
 * The strength of the evidence that a change does no harm, strongest first. It is computed from the verdicts, never
 * claimed by the author.
 */
export type Strength = (typeof STRENGTHS)[number];

/**
 * `applied`: the change is in probation. `conflicted`: the change failed its probation and cannot be rolled back,
 * because its lines have been edited since.
 */
export type ProposalStatus =
  | 'proposed'
  | 'verifying'
  | 'verified'
  | 'refused'
  | 'approved'
  | 'rejected'
  | 'deferred'
  | 'applied'
  | 'kept'
  | 'conflicted'
  | 'rolledBack';

/** A set of edits to a known base, with the expected gain in points and, once verified, the measured one. */
export interface Proposal {
  readonly id: string;
  readonly title: string;
  readonly rationale: string;
  readonly recipe: string;
  /** Absent in older records; `authorOf` then derives it. */
  readonly author?: Author;
  readonly opportunity: Pick<Opportunity, 'id' | 'rule' | 'path' | 'symbol'>;
  /** HEAD at the time of the proposal; null if there is no commit. */
  readonly base: string | null;
  readonly edits: readonly FileEdit[];
  readonly safety: SafetyLevel;
  readonly createdAt: Millis;
  readonly status: ProposalStatus;
  readonly verdicts: readonly Verdict[];
  /** Null or absent as long as there are no verdicts. */
  readonly strength?: Strength | null;
  /** The improvement that the author claims; if absent, the verdicts decide. */
  readonly claimed?: ClaimKind;
  /** Mutants that its tests should notice, as described by `describeMutant`; they are tried first. */
  readonly addresses?: readonly string[];
  /** True if only the nearest tests were known not to notice these mutants when the proposal was made. */
  readonly nearby?: true;
  /** The improvement that its verdicts show. Null or absent as long as they show none. */
  readonly claim?: Claim | null;
  readonly pointsBefore: Points | null;
  readonly pointsAfter: Points | null;
  /** Reason given with a refusal, rejection or deferral. */
  readonly reason: string | null;
  /** Number of deferrals because the machine was busy; absent if there were none. */
  readonly deferredBusy?: number;
  /** Set once the proposal is applied. */
  readonly checkpoint: string | null;
  /** Hash of the state of the tree on which it was verified. */
  readonly verifiedOn?: string | null;
  /** The proposal that it replaces once it is verified. */
  readonly replaces?: string;
  /** The proposal from which a person has chosen some hunks for this one. */
  readonly partOf?: string;
  /** The proposal whose other hunks were applied; this one contains the remaining hunks. */
  readonly restOf?: string;
  /** True if a person has changed its texts. */
  readonly isCorrected?: true;
  /** The proposal that a person derived from it, by omitting hunks or by editing it. */
  readonly replacedBy?: string;
  /** The commit that has undone a kept change, or has changed its lines. */
  readonly rework?: { readonly undone: boolean; readonly subject: string };
  /** Hash of the receipt of a kept change. */
  readonly receipt?: string | null;
  /**
   * The proposal was open, and its edits of this file are lost or damaged. It is shown as refused, and is reported
   * until it is settled.
   */
  readonly lost?: string;
}

/** The previous contents of exactly the files that a change writes; used to roll it back. */
export interface Checkpoint {
  readonly id: string;
  readonly proposal: string | null;
  readonly title: string;
  readonly createdAt: Millis;
  readonly head: string | null;
  /** Private git ref of the pre-images; null without git (the pre-images are then in the state folder). */
  readonly ref: string | null;
  /** sha-256 of the raw bytes; null if the file did not exist (before) or was deleted (after). */
  readonly files: readonly {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
    readonly mode: number;
  }[];
  readonly rolledBackAt: Millis | null;
}

/** An expected problem, reported to the user as a sentence. The work continues. */
export interface Notice {
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  /** The next step for the user; null if there is none. */
  readonly action: string | null;
  /** The optional component whose installation helps. */
  readonly component?: string;
  /** The change that ended automatically, if the notice is about one. */
  readonly change?: {
    readonly proposal: string;
    readonly title: string;
    readonly status: 'rolledBack' | 'conflicted';
    readonly checkpoint: string | null;
  };
}
