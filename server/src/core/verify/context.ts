// The input of a verification.

import type { TestCase } from './parse/testCounts.ts';
import type { Service } from '../model/setup.ts';
import type { Points, FileEdit, Inventory, Proposal } from '../model.ts';
import type { GateName } from '../model/gates.ts';
import type { ChangedFiles, Sandbox } from '../ports/sandbox.ts';
import type { Clock, Machine, Log } from '../ports/system.ts';
import type { Problem } from './parse/problem.ts';
import type { ClaimChooser } from './claims/claimsOf.ts';
import type { SpecialCasePlan } from './claims/specialCasePlan.ts';
import type { DocName } from './integrity/docNames.ts';
import type { NewState } from './integrity/newState.ts';
import type { TestCaseFacts } from './judge/assertion.ts';
import type { ProofContext } from './proof.ts';
import type { Progress } from '../operation.ts';
import type { BaselineCache } from './baseline.ts';
import type { LastRuns } from './runningCommandText.ts';
import type { KeptVerdicts } from './unfinishedVerdicts.ts';
import type { CheckedTogether, TestFile } from './checkedTogether.ts';

/**
 * The points of both trees. `withheld`: reasons why a gain does not count. `asks`: questions about the gain that only a
 * person can answer.
 */
export interface ScoredChange {
  readonly before: Points;
  readonly after: Points;
  readonly withheld?: readonly string[];
  readonly asks?: readonly string[];
  /** Points that the change may cost if it shows a claim (`score/price.ts`); 0 if absent. */
  readonly price?: number;
  /** Number of new lines; unknown if absent. */
  readonly newLines?: number;
  /** Number of places without an exact type (`any`, `!`, `as`), in both trees. */
  readonly typeHoles?: { readonly before: number; readonly after: number };
}

/** A side of a change. */
export type TreeSide = 'base' | 'candidate';

/** The results of the last set-up of the repository. */
export interface SetUp {
  /** Differs between set-ups that installed different things; unknown if absent. */
  readonly id?: string;
  /** Replaces the detected test command; null to use the detected one. */
  readonly testCommand: string | null;
  readonly services: readonly Service[];
  /** Environment variables for the tests, approved by a person. */
  readonly values: Readonly<Record<string, string>>;
  /** Number of tests that ran in the set-up; null if unknown. */
  readonly expectedTests: number | null;
}

/** Stores build information of compilers, outside of the repository. Empty bytes count as missing. */
export interface BuildInfoStore {
  read(name: string): Promise<Uint8Array | null>;
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/**
 * Number of places that a change touches. Each definition is a place, and so is the code outside of definitions in each
 * file.
 */
export interface TestReachOfPlaces {
  readonly touched: number;
  /** Number of them that some test reaches. */
  readonly reached: number;
}

/** The dependencies of the gates: ports, settings and functions of other parts of the core. */
export interface VerifyContext {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  /** The load of the machine; if absent, it is unknown. */
  readonly machine?: Machine;
  readonly log: Log;
  readonly settings: {
    /** The command that checks types, set by the person. If empty, it is detected automatically. */
    readonly typesCommand: string;
    /** The command of the linter, set by the person. If empty, it is detected automatically. */
    readonly lintCommand: string;
    /** The command that runs the tests, set by the person. If empty, it is detected automatically. */
    readonly testCommand: string;
    /** The benchmark command that the person has set; if empty, the gate timing does not run. */
    readonly benchCommand: string;
    /** Time limit for one command, in seconds. */
    readonly timeoutSeconds: number;
  };
  /** The set-up of the repository; if absent, it was never set up. */
  readonly setUp?: SetUp;
  /** False if no command of the repository runs; the gates that need one answer unknown. */
  readonly trusted: boolean;
  checkCharter(
    edits: readonly FileEdit[],
    recipe: string,
  ): Promise<{ readonly allowed: true } | { readonly allowed: false; readonly reason: string }>;
  /**
   * The syntax errors of a text; empty if it parses. Null if no parser here reads this kind of file, or if the file
   * cannot be judged, for example because it is too large. `earlier`: the text before the edit.
   */
  syntaxProblems(
    path: string,
    text: string,
    earlier: string | null,
  ): Promise<readonly Pick<Problem, 'code' | 'message'>[] | null>;
  /**
   * Scores both trees. `guarded`: number of lines that no test ran before and in which the new tests notice mistakes.
   */
  score(edits: readonly FileEdit[], guarded?: number): Promise<ScoredChange>;
  /**
   * Returns a function that says whether no test runs a line of the unchanged tree; null if the coverage is unknown.
   * `isQuick`: the tests may run once more to measure it. If the method is absent, the coverage is unknown.
   */
  uncovered?(isQuick: boolean): Promise<((path: string, line: number) => boolean) | null>;
  /**
   * Paths of installed packages that nothing needs after the edits, such as `node_modules/left-pad`. They are hidden
   * from the candidate's commands. If absent, all packages are visible.
   */
  findPackagesMissingAfter?(edits: readonly FileEdit[]): Promise<readonly string[]>;
  /**
   * The files that determine the packages of the candidate, if the edits update a dependency; undefined for other
   * edits. Throws `unavailable` if the packages of a side are not stored.
   */
  findPackageFiles?(edits: readonly FileEdit[]): Promise<ChangedFiles | undefined>;
  /** The claims that a proposal may make; if absent, only points. */
  readonly claimsOf?: ClaimChooser;
  /**
   * True while an applied change is in probation. The question is then whether a gain in speed or memory still exists.
   */
  readonly isProbation?: boolean;
  /** The edited code and everything that its tests import, including test helpers, with their texts. */
  testedSources?(
    edits: readonly FileEdit[],
  ): Promise<readonly { readonly path: string; readonly text: string | null }[]>;
  /**
   * Finds new code that may fit only the tests of the change, and plans tests with similar inputs; null if there is
   * none. `shown`: keys of the tests that count as evidence. If absent, only the text is examined.
   */
  planNear?(edits: readonly FileEdit[], shown: readonly string[]): Promise<SpecialCasePlan | null>;
  /** True for a recipe of the product. If absent, false for all. */
  readonly isBuiltInRecipe?: (recipe: string) => boolean;
  /**
   * True for unchanged tests that Selfware wrote from calls which it made itself. In scripts, no such call asked for a
   * function of Node that acts outside the program. In Python, an audit hook saw no such call act outside. Neither
   * check is complete. In Go, code that may act outside is not called. If absent, false for all tests.
   */
  readonly isMeasured?: (proposal: Proposal) => boolean;
  /** True for a file that judges changes: a test, a snapshot, a configuration file. */
  isJudge(path: string): boolean;
  /** Variables that edits of scripts newly keep between calls. If absent, they are not searched. */
  findNewState?(edits: readonly FileEdit[]): Promise<readonly NewState[]>;
  /** Names in new documentation comments that nothing declares. If absent, they are not searched. */
  findUnknownDocNames?(edits: readonly FileEdit[]): Promise<readonly DocName[]>;
  /** Edited files that no code reaches, each with the reason why a person must look at it. */
  findUnreachedFiles(
    edits: readonly FileEdit[],
  ): Promise<readonly { readonly path: string; readonly reason: string }[]>;
  /** The checks of the tests in a text; null if unknown. */
  inventory(path: string, text: string): Promise<Pick<Inventory, 'tests' | 'anyTypes'> | null>;
  /**
   * Number of findings in a text, by rule, for the rules about single files. `rule`: the rule that the change is about.
   * If absent, findings are not counted.
   */
  findings?(path: string, text: string, rule: string): Promise<ReadonlyMap<string, number>>;
  /** True if mutants are tried even if the comparison of old and new code has shown that both behave alike. */
  readonly wantsMutants?: boolean;
  /** The proof of equivalence; if absent, the gates differential and guard do not run. */
  readonly proof?: ProofContext;
  readonly report?: (progress: Progress) => void;
  readonly baseline: BaselineCache;
  /** If absent, every type check starts without build information. */
  readonly buildInfo?: BuildInfoStore;
  /** Durations of the last runs of commands. */
  readonly lastRuns?: LastRuns;
  /** Loads the verdicts of an earlier, interrupted run of the same verification. If absent, every gate runs. */
  readonly unfinished?: (tree: string | null, otherInputs: Readonly<Record<string, unknown>>) => Promise<KeptVerdicts>;
  /** True if a person waits for the answer, so that it is not deferred on a busy machine. */
  readonly atOnce?: boolean;
  /**
   * The only test files to run, for a preview. All tests run if it is absent, or if the runner cannot select files.
   */
  readonly testFiles?: readonly string[];
  /** Verdicts that this proposal shares with others; their gates do not run again. */
  readonly together?: CheckedTogether;
  /**
   * True if tests of this file may disappear or be renamed, because another check judges that. If absent, false for all
   * files.
   */
  mayDisappear?(file: string | null): boolean;
  /** The gates to run; if absent, all. */
  readonly only?: readonly GateName[];
  /**
   * Key of the tree with these edits, for the cache; null if results are not stored. `side` is part of the key, because
   * a change may consist of more than text edits.
   */
  treeKey(edits: readonly FileEdit[], side: TreeSide): string | null;
  /** Test files whose imports lead to these files; null if unknown. */
  reachingTests(paths: readonly string[]): Promise<readonly string[] | null>;
  /** Receives the test files that reach the change and ran; null if unknown. */
  onReach?(files: readonly TestFile[] | null): void;
  /**
   * Tests in the tree by the same author or run that no person has seen, as edits from the tree without these tests to
   * the candidate. If absent, there are none.
   */
  unseenTests?(proposal: Proposal): Promise<readonly FileEdit[]>;
  /** Reads the tests of scripts, case by case. If absent, nothing checks whether touched tests run. */
  testCases?(files: readonly { readonly path: string; readonly text: string }[]): Promise<readonly TestCaseFacts[]>;
  /**
   * The number of touched places, and of those that a test reaches, as far as names and coverage reports show. Null if
   * unknown.
   */
  placesReached(edits: readonly FileEdit[]): Promise<TestReachOfPlaces | null>;
  /** True if other candidates were verified meanwhile, so that tests may have timed out. If absent, false. */
  isShared?(): boolean;
  /**
   * Tests of this repository that have both passed and failed on the same code. `known` returns their keys, made by
   * `createTestKey`.
   */
  readonly flakyTests: {
    known(): Promise<ReadonlySet<string>>;
    add(tests: readonly Pick<TestCase, 'file' | 'name' | 'package'>[]): Promise<void>;
  };
}
