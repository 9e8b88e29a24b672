// What is said of a change that anybody has made: plain data.

import type { FileEdit, Points, Strength, Verdict } from '../model.ts';
import type { Claim } from './claims.ts';

/** A file that no edit of text expresses: bytes, or permission bits. `bytes` null = deleted. */
export interface ByteChange {
  readonly path: string;
  readonly bytes: Uint8Array | null;
  readonly executable: boolean;
}

/** What two trees hold otherwise. */
export interface TreeChange {
  readonly edits: readonly FileEdit[];
  /** Binary files, and files whose permission bits change. */
  readonly bytes: readonly ByteChange[];
  /** Files that are no text on one side at least. */
  readonly binary: readonly string[];
  /** Links, submodules and what else stays out of the sandbox, each with what it is. */
  readonly left: readonly { readonly path: string; readonly what: string }[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

/**
 * What became of a test that was there before. Those that weaken: `deleted`, `skipped`, `removed` (an assertion),
 * `loosened` (it accepts more), `threshold` (a limit was lowered). The others are shown to a person: `expected`
 * (another value), `rewritten`, `gone` (with the code that it tested), `data` (what tests compare with).
 */
export type TestChangeKind =
  | 'deleted'
  | 'skipped'
  | 'removed'
  | 'loosened'
  | 'threshold'
  | 'expected'
  | 'rewritten'
  | 'gone'
  | 'data';

export const WEAKENING: ReadonlySet<TestChangeKind> = new Set([
  'deleted',
  'skipped',
  'removed',
  'loosened',
  'threshold',
]);

export interface TestChange {
  readonly kind: TestChangeKind;
  readonly path: string;
  /** In the file as it was; null where it is about the whole file. */
  readonly line: number | null;
  /** Its titles, outermost first; empty outside of all tests. */
  readonly test: string;
  readonly before: string | null;
  readonly after: string | null;
  /** What the test as it was says of the new code. */
  readonly oldTest: 'passes' | 'fails' | 'unknown';
  /** What its runner says; null where it passes or was not run. */
  readonly said: string | null;
}

/** What one rule of a policy demands, and whether it is met. */
export interface Demand {
  readonly what: string;
  readonly met: boolean;
  /** One sentence: what was found. */
  readonly found: string;
}

export interface PolicyAnswer {
  /** Where it was read; null = there is none, and the usual demands hold. */
  readonly source: string | null;
  readonly met: boolean;
  readonly rules: readonly { readonly name: string; readonly demands: readonly Demand[] }[];
}

/** Who made the change, as far as its commits tell. */
export interface ChangeAuthors {
  /** `Name <address>` of authors and co-authors. */
  readonly names: readonly string[];
}

export interface Judgement {
  readonly base: string;
  /** Null = the working tree. */
  readonly head: string | null;
  readonly authors: readonly string[];
  readonly files: {
    readonly changed: number;
    readonly added: number;
    readonly deleted: number;
    readonly renamed: number;
    readonly binary: number;
  };
  readonly strength: Strength;
  readonly claims: readonly Claim[];
  readonly verdicts: readonly Verdict[];
  readonly tests: {
    readonly changes: readonly TestChange[];
    /** Cases that were not there before. */
    readonly added: number;
  };
  readonly points: { readonly before: Points | null; readonly after: Points | null };
  readonly policy: PolicyAnswer;
  /** Sentences for a person. */
  readonly notes: readonly string[];
  readonly seconds: number;
}

/** A judgement before the policy is asked. */
export type Judged = Omit<Judgement, 'policy' | 'base' | 'head' | 'authors' | 'seconds'>;
