// The words of the domain as plain data. Everything here survives JSON: no classes, no functions, no Dates.

import type { Author } from './model/authors.ts';
import type { Claim, ClaimKind } from './model/claims.ts';
import type { Points } from './model/points.ts';
export type { Service, ServiceKind } from './model/setup.ts';
import type { GateName } from './model/gates.ts';

/** Milliseconds since the Unix epoch, as the Clock port gives it. */
export type Millis = number;

/** A position range in a text. Lines and columns are 1-based; `endColumn` is exclusive; columns count UTF-16 units. */
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
/** A language with a grammar. A file of any other kind is `null`: indexed by line windows, never analysed. */
export type Language = (typeof LANGUAGES)[number];

/** A named definition found in a file. `range` is the whole definition, `nameRange` its name. */
export interface SymbolInfo {
  readonly name: string;
  /** Enclosing names joined by a dot, ending in `name`: `Store.get`. */
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
  /** Symbol that the chunk starts in, or null for a line window. */
  readonly symbol: string | null;
  readonly text: string;
  /**
   * Search terms, split and stemmed, separated by single blanks. Empty where they go along as numbers (`PackedFile`).
   */
  readonly terms: string;
}

/** A chunk as it is stored. */
export interface WrittenChunk extends Omit<Chunk, 'text' | 'terms'> {
  /** As in a chunk, or that as UTF-8. */
  readonly terms: string | Uint8Array;
  readonly vector: Float32Array;
}

export interface Skipped {
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
   * Stable under edits elsewhere in the file: hash of rule, path, symbol, the blocks around it and the text it is
   * about.
   */
  readonly id: string;
  readonly rule: string;
  readonly path: string;
  /** The whole construct. */
  readonly range: Range;
  /** Where the editor underlines: the symbol's name or the smallest telling token. */
  readonly nameRange: Range;
  readonly symbol: string | null;
  readonly severity: Severity;
  /** 0–100: how much better the repository would be. */
  readonly impact: number;
  /** 0–1: how sure we are that a maintainer would act on it. */
  readonly confidence: number;
  readonly message: string;
  /** Measured figures behind the message, by name. */
  readonly evidence: Readonly<Record<string, number | string>>;
  /** Recipe that can realise it, or null. */
  readonly recipe: string | null;
  /** Other places that the message speaks of, in this file or another. */
  readonly related?: readonly RelatedPlace[];
}

export interface RelatedPlace {
  readonly path: string;
  readonly range: Range;
  readonly message: string;
}

export const DISMISSAL_KINDS = ['notAProblem', 'wrong', 'later', 'generated', 'other'] as const;
/** Why a person does not want to see an opportunity. `wrong`: a false positive; `later` hides it for a while. */
export type DismissalKind = (typeof DISMISSAL_KINDS)[number];

/** An opportunity that a person does not want to see. It can be undone. */
export interface Dismissal {
  readonly opportunity: string;
  readonly kind: DismissalKind;
  /** In own words. */
  readonly reason: string | null;
  /** Null in records of older versions. */
  readonly rule: string | null;
  readonly path: string | null;
  readonly at: Millis;
  /** When it comes back by itself; null = never. */
  readonly until: Millis | null;
}

/** Figures of one function. `halstead` and `maintainability` are null where the language has no token model. */
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

/** Additive measurements of one file; the ruler folds them into points. Absent key = unknown, never zero. */
export type Measures = Readonly<Record<string, number>>;

/**
 * What one file's code consists of. Two trees are compared by it, so that nothing gets out of the ruler's sight unseen.
 */
export interface Inventory {
  readonly path: string;
  /** False: the ruler does not look at this file (a test, generated, declarations only, a language without grammar). */
  readonly measured: boolean;
  /** Types are part of the language, and so is what the ruler counts about them. */
  readonly typed: boolean;
  /** Empty where nothing is measured. */
  readonly pieces: readonly CodePiece[];
  /** Names that are imported, and whether nothing uses them. */
  readonly imports: readonly ImportedName[];
  /** Types that are `any` by another name, and functions that take anything for a type. */
  readonly anyTypes: readonly string[];
  /** What its tests check; null where none are found. */
  readonly tests: { readonly cases: number; readonly skipped: number; readonly assertions: number } | null;
}

export interface ImportedName {
  readonly name: string;
  readonly dead: boolean;
  /** What counts as dead with it, where its statement goes too; else 1. */
  readonly mass?: number;
}

/** A declaration of the top level, a member of a class, or (named '') all else that a module does. */
export interface CodePiece {
  readonly name: string;
  /** Nothing uses it. */
  readonly dead: boolean;
  /** It is exported, and no file of the project uses it. */
  readonly deadExport?: true;
  /** Statements. */
  readonly mass: number;
  /** Branches and loops. */
  readonly decisions: number;
  /** Hash of its structure; the names of locals are no part of it. */
  readonly shape: string;
  /**
   * What would be missed without it: words of texts, numbers, what it calls and reaches. Sorted, as often as they stand
   * there.
   */
  readonly atoms: readonly string[];
  /** Names of what it calls. */
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

/** Computed from the edits, never taken from whoever proposed them. Ordered from harmless to critical. */
export const SAFETY_LEVELS = ['additive', 'behaviorPreserving', 'behaviorChanging', 'critical'] as const;
export type SafetyLevel = (typeof SAFETY_LEVELS)[number];

/**
 * One file of a proposal. Contents are whole texts, so a hunk is derived, never stored.
 * `before` null = the file is created; `after` null = deleted. Paths are relative to the root, with `/`.
 */
export interface FileEdit {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface Verdict {
  readonly gate: GateName;
  readonly outcome: 'passed' | 'failed' | 'unknown';
  /** One sentence for a person. */
  readonly reason: string;
  /** What was run and measured: command line, counts, first lines of output. */
  readonly evidence: Readonly<Record<string, string | number | null>>;
  readonly millis: number;
}

export const STRENGTHS = ['proven', 'tested', 'checked', 'unchecked'] as const;
/**
 * How strongly a change is shown to do no harm, strongest first. Computed from its verdicts (`verify/strength.ts`),
 * never claimed.
 */
export type Strength = (typeof STRENGTHS)[number];

/**
 * `applied` = in probation. `conflicted` = it failed its probation and cannot be rolled back, because its lines were
 * edited since.
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

/** A set of edits against a known base, with what is expected of it and, once verified, what was measured. */
export interface Proposal {
  readonly id: string;
  readonly title: string;
  readonly rationale: string;
  readonly recipe: string;
  /** Absent in records from before there were authors: see `authorOf`. */
  readonly author?: Author;
  readonly opportunity: Pick<Opportunity, 'id' | 'rule' | 'path' | 'symbol'>;
  /** HEAD when it was proposed, or null without a commit. */
  readonly base: string | null;
  readonly edits: readonly FileEdit[];
  readonly safety: SafetyLevel;
  readonly createdAt: Millis;
  readonly status: ProposalStatus;
  readonly verdicts: readonly Verdict[];
  /** Null or absent as long as there are no verdicts. */
  readonly strength?: Strength | null;
  /** What its author states that it makes better; absent = nothing, and its verdicts tell. */
  readonly claimed?: ClaimKind;
  /** Mistakes that its tests were asked to notice, as `describeMutant` tells them: they are tried first. */
  readonly addresses?: readonly string[];
  /** What its verdicts show to be better. Null or absent as long as they tell nothing. */
  readonly claim?: Claim | null;
  readonly pointsBefore: Points | null;
  readonly pointsAfter: Points | null;
  /** Reason given with a refusal, rejection or deferral. */
  readonly reason: string | null;
  /** How often it was put off because the machine was busy; absent = never. */
  readonly deferredBusy?: number;
  /** Set once applied. */
  readonly checkpoint: string | null;
  /** Names the tree that it was verified on, see `session/verify/treeState.ts`. */
  readonly verifiedOn?: string | null;
  /** The proposal whose place it takes once it is verified. */
  readonly replaces?: string;
  /** The proposal that it has some hunks of, which a person has chosen. */
  readonly partOf?: string;
  /** The proposal whose other hunks were applied: this is what is left of it. */
  readonly restOf?: string;
  /** The proposal that a person made of it, by leaving hunks out or by editing it. */
  readonly replacedBy?: string;
  /** Hash of the receipt of a kept change. */
  readonly receipt?: string | null;
  /**
   * It was open, and what it changes in this file is lost or damaged: it shows as refused, and is told until it is
   * settled.
   */
  readonly lost?: string;
}

export interface Decision {
  readonly proposal: string;
  readonly verdict: 'approved' | 'rejected' | 'deferred';
  /** `person` or `charter` (approval level lets it through). */
  readonly by: 'person' | 'charter';
  readonly reason: string | null;
}

/** Pre-images of exactly the files that a change writes. The way back. */
export interface Checkpoint {
  readonly id: string;
  readonly proposal: string | null;
  readonly title: string;
  readonly createdAt: Millis;
  readonly head: string | null;
  /** Private git ref that holds the pre-images, or null where there is no git (they are in the state folder). */
  readonly ref: string | null;
  /** sha-256 of the raw bytes; null = the file did not exist (before) or was deleted (after). */
  readonly files: readonly {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
    readonly mode: number;
  }[];
  readonly rolledBackAt: Millis | null;
}

/** Trouble that is expected and goes to the user as a sentence; the work continues. */
export interface Notice {
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  /** What the user can do about it. */
  readonly action: string | null;
  /** The change that came to an end by itself, where it is about one. */
  readonly change?: {
    readonly proposal: string;
    readonly title: string;
    readonly status: 'rolledBack' | 'conflicted';
    readonly checkpoint: string | null;
  };
}

export interface ExpectedOutcome<T> {
  readonly value: T;
  readonly notices: readonly Notice[];
}
