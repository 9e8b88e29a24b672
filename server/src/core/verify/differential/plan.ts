// The data that the core and the harness exchange: the plan of a comparison (the functions of the old and the new text,
// and the inputs that their types allow), the order to record results, and the reports.

import type { UsedObject } from '../sequences/plan.ts';

/** Describes the values of a type, as far as they can be generated. */
export type Shape =
  | {
      readonly kind:
        | 'undefined'
        | 'null'
        | 'boolean'
        | 'number'
        | 'bigint'
        | 'string'
        | 'symbol'
        | 'any'
        | 'object'
        | 'date'
        | 'regexp'
        | 'error'
        | 'bytes'
        | 'url'
        | 'signal';
    }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'union'; readonly of: readonly Shape[] }
  | { readonly kind: 'array' | 'set' | 'promise'; readonly of: Shape }
  | { readonly kind: 'iterable'; readonly of: Shape; readonly async: boolean }
  | {
      readonly kind: 'tuple';
      readonly of: readonly { readonly shape: Shape; readonly optional: boolean }[];
      readonly rest: Shape | null;
    }
  | { readonly kind: 'record'; readonly fields: readonly Field[]; readonly index: Shape | null }
  | { readonly kind: 'map'; readonly key: Shape; readonly value: Shape }
  | { readonly kind: 'function'; readonly returns: Shape }
  /** Refers to an entry of the plan's `shapes`, for types that contain themselves. */
  | { readonly kind: 'ref'; readonly name: string };

/** A property of an object. */
export interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly optional: boolean;
}

/** A parameter of a function. */
export interface Parameter {
  readonly name: string;
  readonly shape: Shape;
  readonly optional: boolean;
  readonly rest: boolean;
}

/** A function, class or value that is compared on both sides. */
export type ComparedTarget =
  | {
      readonly kind: 'function';
      readonly path: string;
      readonly name: string;
      readonly access: string;
      readonly exportedAs: string | null;
      readonly parameters: readonly Parameter[];
      readonly member?: MemberUse;
      /** Set if the target is an object that is used in several steps. */
      readonly used?: UsedObject;
    }
  /** The constructor creates an instance; then public members are used one after the other. */
  | {
      readonly kind: 'class';
      readonly path: string;
      readonly name: string;
      readonly access: string;
      readonly parameters: readonly Parameter[];
      readonly members: readonly ClassMember[];
    }
  /** The value is not called; its contents after loading the module are compared. */
  | { readonly kind: 'value'; readonly path: string; readonly name: string; readonly access: string };

/**
 * A member that is used on a new instance of a class, such as `new Stack("a").size`; or a function that another
 * function returns, as in `match("/:id")("/3")`. A call has two arguments: the argument list that creates the instance
 * or the function, and the argument list of the member or the function.
 */
export interface MemberUse {
  /** The name of the class in the calls, or of the function that returns the function. */
  readonly className: string;
  /** The static method that creates the instance; null for the constructor, and for a returned function. */
  readonly factory: string | null;
  /** Empty for a returned function. */
  readonly name: string;
  readonly kind: 'method' | 'get' | 'returned';
}

/** A public member of a class. */
export interface ClassMember {
  readonly name: string;
  readonly kind: 'method' | 'get' | 'set';
  readonly static: boolean;
  readonly parameters: readonly Parameter[];
}

/** A file of the proposal that exists on both sides. The sandbox contains `after`. */
export interface ComparedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * The compiler options of the repository that affect the code at run time. Names and values are those of tsconfig.json.
 */
export interface EmitOptions {
  readonly compiler: Readonly<Record<string, string | boolean>>;
  /** Maps the patterns of module names to their paths, relative to the root. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** Folder relative to the root; null if none is set. */
  readonly baseUrl: string | null;
}

/** The functions to compare, and the files that need no comparison. */
export interface DifferentialPlan {
  /**
   * Files with the same code apart from comments, types, and `const` for a `let` that nothing writes to. They need no
   * comparison.
   */
  readonly identical: readonly string[];
  /**
   * Files whose code takes the same steps in the same order, but writes ifs and jumps differently. They need no
   * comparison.
   */
  readonly restructured: readonly string[];
  /** Files with the same code, except that these names are no longer exported. They need no comparison. */
  readonly unexported: readonly { readonly path: string; readonly names: readonly string[] }[];
  /** Files whose code differs. */
  readonly files: readonly ComparedFile[];
  /** New files. Their behaviour is compared through the code that uses them. */
  readonly created: readonly string[];
  readonly targets: readonly ComparedTarget[];
  /** Sentences about touched code that is not compared; empty if all of it is. */
  readonly gaps: readonly string[];
  /** Names of the platform that the touched code uses, such as `path.sep`, which the comparison cannot vary. */
  readonly platform: readonly string[];
  readonly shapes: Readonly<Record<string, Shape>>;
  /** Literals of the code and its tests: values at which the code may branch. */
  readonly constants: {
    readonly numbers: readonly number[];
    readonly strings: readonly string[];
    readonly bigints: readonly string[];
    /** Regular expressions of the touched code. */
    readonly patterns?: readonly { readonly source: string; readonly flags: string }[];
    /** Whole numbers of the touched code that may limit the length of a string or an array. */
    readonly lengths?: readonly number[];
  };
  readonly emit: EmitOptions;
  /** The calls whose results new or changed test cases of the change check. */
  readonly named?: readonly NamedCall[];
}

/** A call in a test. Its arguments are plain values as strings; equal values have equal strings. */
export interface NamedCall {
  /** Path of the module that the test imports, without its extension. */
  readonly path: string;
  /** The name by which the function is exported. */
  readonly name: string;
  readonly arguments: readonly string[];
}

/** The input of the harness besides the plan. */
export interface HarnessOrder extends DifferentialPlan {
  readonly seed: number;
  /** Milliseconds for all targets together. */
  readonly budgetMs: number;
  /** Maximum number of inputs for each target. */
  readonly runs: number;
  /**
   * True for a fix of a defect. Instead of differences, the harness then collects calls that failed before and now
   * return a value.
   */
  readonly mends?: boolean;
  /** True if one difference is enough, so that the remaining targets are not compared. */
  readonly untilDifferent?: boolean;
}

/** Maximum number of differences in named calls that are reported for each target. */
export const MAX_NAMED = 5;

/**
 * A call that behaves differently on the two sides. `before` and `after`: its behaviour, each as the end of a sentence.
 */
export interface BehaviourChange {
  /** The call as an expression: `slug("ß")`. */
  readonly call: string;
  readonly before: string;
  readonly after: string;
  /** An expression for the value that the old code returns; null if it cannot be written as an expression. */
  readonly expected: string | null;
  /** The export through which a test imports the function; null if it is not exported. */
  readonly imported: { readonly path: string; readonly name: string } | null;
  /** The text of a test that pins the old answer; absent or null if the harness has not written one. */
  readonly test?: string | null;
}

/** The result for one target. */
export interface TargetReport {
  readonly path: string;
  readonly name: string;
  readonly outcome: 'same' | 'different' | 'unknown';
  /** Set if the time limit prevented the harness from trying more inputs. */
  readonly outOfTime?: true;
  /** The reason why the result is unknown; null if it is known. */
  readonly reason: string | null;
  readonly counterexample: BehaviourChange | null;
  /** A difference that occurred once, without time left to repeat it. */
  readonly seen?: BehaviourChange;
  /** A call that ended with an engine error in the old code and returns a value in the new code. */
  readonly mended?: BehaviourChange;
  /** Differences in calls whose results the change's own tests demand. They do not count as the counterexample. */
  readonly named?: readonly BehaviourChange[];
  /** Number of inputs that both sides received. */
  readonly inputs: number;
  /** Number of inputs for which the old code returned instead of throwing. */
  readonly answered: number;
  /** Number of further inputs on which neither side ended in time; absent if there are none. */
  readonly endless?: number;
}

/** The results of a comparison. */
export interface HarnessReport {
  /** The reason why nothing was compared; null if something was. */
  readonly obstacle: string | null;
  readonly targets: readonly TargetReport[];
  /** Touched lines of the new code that no input reached. */
  readonly unreached: readonly { readonly path: string; readonly text: string }[];
  /** Conditions, calls and operations that only one side has, and that had the same outcome for all inputs. */
  readonly unexercised: readonly { readonly path: string; readonly reason: string }[];
}

/** The input of the harness for recording the current results of one function. */
export interface RecordOrder extends Pick<DifferentialPlan, 'targets' | 'shapes' | 'constants' | 'emit'> {
  readonly record: true;
  readonly seed: number;
  /** Maximum number of inputs that are tried. */
  readonly runs: number;
  /** Maximum number of results to record. */
  readonly maxResults: number;
  readonly budgetMs: number;
}

/** A recorded call. */
export interface RecordedCall {
  /** The call as an expression: `slug("ß")`. */
  readonly call: string;
  /** An expression for the recorded result. */
  readonly answer: string;
  /** True if the call returns a promise of that result. */
  readonly promised: boolean;
}

/** The results of recording. */
export interface RecordReport {
  /** The reason why nothing was recorded; null if something was. */
  readonly obstacle: string | null;
  readonly recorded: readonly RecordedCall[];
}

/** The harness prints this line before its report. */
export const REPORT_MARK = '@@selfware-report@@';
