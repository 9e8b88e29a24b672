// The types of the judgement of a change by any author, as plain data.

import type { FileEdit, Points, Strength, Verdict } from '../model.ts';
import type { Claim } from './claims.ts';

/**
 * A change of a file that text edits cannot express: bytes, or permission bits. `bytes`: the new content; null if the
 * file is deleted.
 */
export interface ByteChange {
  readonly path: string;
  readonly bytes: Uint8Array | null;
  readonly executable: boolean;
}

/** A changed file that cannot be read on at least one side: it is not UTF-8 text, or too large. */
export interface UnreadableFile {
  readonly path: string;
  /**
   * The text before the change, with each byte as one character; null if there is no such file, or if it is too large.
   */
  readonly before: string | null;
  /** The text after the change, in the same form. */
  readonly after: string | null;
  /** True if the file existed before the change. */
  readonly existed: boolean;
  /** True if the old file is ordinary text, so that the change has made it unreadable. */
  readonly wasText: boolean;
}

/** The differences between two trees. */
export interface TreeChange {
  readonly edits: readonly FileEdit[];
  /** New contents of binary files, and of files whose permission bits change. */
  readonly bytes: readonly ByteChange[];
  /** Paths of files that are not text on at least one side. */
  readonly binary: readonly string[];
  /** The binary files among the tests and other judge files, as far as they can be read. */
  readonly unreadable?: readonly UnreadableFile[];
  /** Paths of changed texts and pictures whose names occur in code, so that programs or tests may read them. */
  readonly named?: readonly string[];
  /** Paths of files of the base whose content is in Git LFS and not on this machine. */
  readonly pointers?: readonly string[];
  /** Links, submodules and other entries that are not copied into the sandbox. `what`: the kind of the entry. */
  readonly left: readonly { readonly path: string; readonly what: string }[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

/**
 * The effect of a change on an existing test. These kinds weaken it: `deleted`, `skipped`, `removed` (an assertion was
 * removed), `loosened` (it accepts more), `threshold` (a limit was lowered), `unreadable` (its text can no longer be
 * compared). The other kinds are only shown to a person: `expected` (it expects another value), `rewritten`, `gone` (it
 * was removed together with the code under test), `data` (a file with which tests compare has changed).
 */
export type TestChangeKind =
  | 'deleted'
  | 'skipped'
  | 'removed'
  | 'loosened'
  | 'threshold'
  | 'unreadable'
  | 'expected'
  | 'rewritten'
  | 'gone'
  | 'data';

/** The kinds of effects that weaken a test. */
export const WEAKENING_KINDS: ReadonlySet<TestChangeKind> = new Set([
  'deleted',
  'skipped',
  'removed',
  'loosened',
  'threshold',
  'unreadable',
]);

/** One effect of a change on an existing test. */
export interface TestChange {
  readonly kind: TestChangeKind;
  readonly path: string;
  /** The line in the file before the change (1-based); null if the whole file is affected. */
  readonly line: number | null;
  /** The place after the change; absent if there is none, or if the whole file is affected. */
  readonly now?: { readonly path: string; readonly line: number };
  /** Titles of the test, outermost first; empty outside of all tests. */
  readonly test: string;
  /** The changed text before the change; null if there is none. */
  readonly before: string | null;
  /** The changed text after the change; null if there is none. */
  readonly after: string | null;
  /** The result of the test before the change when it runs on the code after the change. */
  readonly oldTest: 'passes' | 'fails' | 'unknown';
  /**
   * The output of the test runner, or a note that there was no time to run the test; null if the test passes or did not
   * run.
   */
  readonly said: string | null;
}

/** A demand of a rule of a policy, and whether the change meets it. */
export interface Demand {
  /** The demand in words. */
  readonly what: string;
  readonly met: boolean;
  /** Set if the demand is not met only because `--quick` omits the checks that could show it. */
  readonly notJudged?: true;
  /** The facts that were found, in one sentence. */
  readonly found: string;
}

/** The answer whether a change meets the policy, with each demand. */
export interface PolicyAnswer {
  /** The file that contains the policy; null if there is none, and then the default demands apply. */
  readonly source: string | null;
  readonly met: boolean;
  readonly rules: readonly { readonly name: string; readonly demands: readonly Demand[] }[];
}

/** The complete judgement of a change. */
export interface Judgement {
  /** Name of the commit before the change. */
  readonly base: string;
  /** Name of the changed commit; null for the working tree. */
  readonly head: string | null;
  readonly authors: readonly string[];
  readonly files: {
    readonly changed: number;
    readonly added: number;
    readonly deleted: number;
    readonly renamed: number;
    readonly binary: number;
    /** The paths of the changed files before and after the change, sorted. */
    readonly paths: readonly string[];
    /** The paths that exist after the change and whose content is known, sorted. */
    readonly remaining: readonly string[];
  };
  readonly strength: Strength;
  /** Set if `--quick` limited the judgement to quick checks. */
  readonly quick?: true;
  /** Set if the change edits only texts for people and pictures, which no program and no test reads. */
  readonly onlyProse?: true;
  readonly claims: readonly Claim[];
  readonly verdicts: readonly Verdict[];
  readonly tests: {
    readonly changes: readonly TestChange[];
    /** Number of new test cases. */
    readonly added: number;
    /**
     * Paths of test files that existed before and that the change edits, moves or removes; absent in older judgements.
     */
    readonly edited?: readonly string[];
  };
  readonly points: { readonly before: Points | null; readonly after: Points | null };
  readonly policy: PolicyAnswer;
  /** Sentences for a person. */
  readonly notes: readonly string[];
  /** Duration of the judgement. */
  readonly seconds: number;
}

/** A judgement before the policy is applied. */
export type JudgementBeforePolicy = Omit<Judgement, 'policy' | 'base' | 'head' | 'authors' | 'seconds'>;
