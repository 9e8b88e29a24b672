// The input of a verification.

import type { Service } from '../model/setup.ts';
import type { Points, FileEdit, Inventory, Proposal } from '../model.ts';
import type { GateName } from '../model/gates.ts';
import type { Sandbox } from '../ports/sandbox.ts';
import type { Clock, Machine, Log } from '../ports/system.ts';
import type { Problem } from './parse/problem.ts';
import type { ClaimsOf } from './claims/claimsOf.ts';
import type { Proof } from './proof.ts';
import type { Progress } from '../operation.ts';
import type { BaselineCache } from './baseline.ts';
import type { LastRuns } from './waiting.ts';
import type { Unfinished } from './unfinished.ts';

/** Both trees on the ruler. `withheld` says why a gain does not count, `asks` what of it only a person can judge. */
export interface Scored {
  readonly before: Points;
  readonly after: Points;
  readonly withheld?: readonly string[];
  readonly asks?: readonly string[];
  /** Points that the new lines cost on average in the repository; absent = 0. */
  readonly price?: number;
  /** Places where the code says nothing exact about a type (`any`, `!`, `as`), in both trees. */
  readonly typeHoles?: { readonly before: number; readonly after: number };
}

/** What the last set-up of the repository has shown. */
export interface SetUp {
  /** In place of the detected one; null = the detected one. */
  readonly testCommand: string | null;
  readonly services: readonly Service[];
  /** Variables for the tests, approved by a person. */
  readonly values: Readonly<Record<string, string>>;
  /** How many tests ran then; null = not known. */
  readonly expectedTests: number | null;
}

/** Definitions that a change touches, and files of which it touches code outside of all definitions. */
export interface PlacesReached {
  readonly touched: number;
  /** Of them, those that some test reaches. */
  readonly reached: number;
}

export interface VerifyContext {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  /** Without it nothing is known of how busy the machine is. */
  readonly machine?: Machine;
  readonly log: Log;
  readonly settings: {
    /** Empty = detected. */
    readonly typesCommand: string;
    readonly lintCommand: string;
    readonly testCommand: string;
    /** Empty = the gate timing does not exist for this repository. */
    readonly benchCommand: string;
    /** For one command. */
    readonly timeoutSeconds: number;
  };
  /** Without it the repository was never set up. */
  readonly setUp?: SetUp;
  /** False: no command of the repository is run, and the gates that need one answer unknown. */
  readonly trusted: boolean;
  checkCharter(
    edits: readonly FileEdit[],
  ): Promise<{ readonly allowed: true } | { readonly allowed: false; readonly reason: string }>;
  /**
   * What does not parse; empty when all does, null where nothing reads its kind. `earlier`: what the edit starts from.
   */
  syntaxProblems(
    path: string,
    text: string,
    earlier: string | null,
  ): Promise<readonly Pick<Problem, 'code' | 'message'>[] | null>;
  /** Both trees on the ruler; `withheld` says why a gain does not count, `asks` what of it only a person can judge. */
  score(edits: readonly FileEdit[]): Promise<Scored>;
  /** What a proposal may claim. Without it: points. */
  readonly claimsOf?: ClaimsOf;
  /** Whether a gain in speed or memory is still there after applying is asked, and not whether there is one. */
  readonly lasting?: boolean;
  /** Edited code and all that the tests of these edits import, helpers of tests included, each with its text. */
  testedSources?(edits: readonly FileEdit[]): Promise<readonly { readonly path: string; readonly text: string }[]>;
  /** True for recipes of the product. Left out: none is. */
  readonly isOurs?: (recipe: string) => boolean;
  /** Files that decide about changes: tests, snapshots, configuration. */
  isJudge(path: string): boolean;
  /** Edited files that no code reaches, each with why a person has to look at it. */
  unreached(edits: readonly FileEdit[]): Promise<readonly { readonly path: string; readonly reason: string }[]>;
  /** What the tests of a text check; null = not known. */
  inventory(path: string, text: string): Promise<Pick<Inventory, 'tests' | 'anyTypes'> | null>;
  /** Without it the gates differential and guard do not run. */
  readonly proof?: Proof;
  readonly report?: (progress: Progress) => void;
  readonly baseline: BaselineCache;
  /** How long commands took when they last ran. */
  readonly lastRuns?: LastRuns;
  /** What an earlier try of the same verification has shown, when it was cut off. Without it every gate runs. */
  readonly unfinished?: (tree: string | null, rest: Readonly<Record<string, unknown>>) => Promise<Unfinished>;
  /** A person waits for the answer: it is given as it is, busy machine or not. */
  readonly atOnce?: boolean;
  /**
   * Tests of these files may go or change their names: what became of them is judged elsewhere. Left out: none may.
   */
  mayGo?(file: string | null): boolean;
  /** Without it all gates run. */
  readonly only?: readonly GateName[];
  /** Names the tree with these edits for the cache; null = what is measured of it is not remembered. */
  treeKey(edits: readonly FileEdit[]): string | null;
  /** Test files whose imports lead to these files; null = not known. */
  reachingTests(paths: readonly string[]): Promise<readonly string[] | null>;
  /**
   * Tests in the tree that no person has seen, by the author of the proposal or of the same run, as edits that lead to
   * the candidate's files. Left out: there are none.
   */
  unseenTests?(proposal: Proposal): Promise<readonly FileEdit[]>;
  /** Of the places that the edits touch, how many a test reaches, as far as names and reports of coverage tell. */
  placesReached(edits: readonly FileEdit[]): Promise<PlacesReached | null>;
  /** Tests of this repository that were seen to fail without a reason, by `testKey`. */
  readonly flakyTests: { known(): Promise<ReadonlySet<string>>; add(keys: readonly string[]): Promise<void> };
}
