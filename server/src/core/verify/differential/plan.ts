// The data that the core and the harness exchange: the plan of a comparison (the functions of the old and the new text,
// and the inputs that their types allow), the order to record results, and the reports. Plain data.

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
  /** Refers to one of the plan's `shapes`, for types that contain themselves. */
  | { readonly kind: 'ref'; readonly name: string };

/** A member of a record. */
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
      /** Set if an object is used in several steps. */
      readonly used?: UsedObject;
    }
  /** An instance is created by the constructor; then public members are used one after the other. */
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
 * A member that is used on a new instance of a class: `new Stack("a").size`; or a function that another function
 * returns: `match("/:id")("/3")`. A call has two arguments: the list for what makes the instance or the function, and
 * the list for the member or the function.
 */
export interface MemberUse {
  /** The name of the class in the calls, or of the function that returns a function. */
  readonly className: string;
  /** The static method that makes the instance; null for the constructor, or the function itself. */
  readonly factory: string | null;
  /** Empty for a function that another function returns. */
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

/** A file of the proposal that exists on both sides. `after` is on disk in the sandbox. */
export interface ComparedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * The compiler options of the repository that decide what its code means at run time. Names and values as in
 * tsconfig.json.
 */
export interface EmitOptions {
  readonly compiler: Readonly<Record<string, string | boolean>>;
  /** The patterns of module names with their paths, relative to the root. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** Folder relative to the root; null if none is set. */
  readonly baseUrl: string | null;
}

/** The functions to compare, and the files that need no comparison. */
export interface DifferentialPlan {
  /**
   * Files with the same code, apart from comments, types, and `const` for a `let` that nothing writes to: they need no
   * comparison.
   */
  readonly identical: readonly string[];
  /**
   * Files whose code takes the same steps in the same order, with ifs and jumps written differently: they need no
   * comparison either.
   */
  readonly restructured: readonly string[];
  /** Files with the same code except that these names are no longer exported: they need no comparison either. */
  readonly unexported: readonly { readonly path: string; readonly names: readonly string[] }[];
  /** Files whose code differs. */
  readonly files: readonly ComparedFile[];
  /** New files: their behaviour is compared through the code that uses them. */
  readonly created: readonly string[];
  readonly targets: readonly ComparedTarget[];
  /** Sentences about touched code that is not compared; empty if all of it is. */
  readonly gaps: readonly string[];
  /** What the touched code takes from its platform, such as `path.sep`: the comparison cannot vary that. */
  readonly platform: readonly string[];
  readonly shapes: Readonly<Record<string, Shape>>;
  /** Literals of the code and its tests: values at which the code may branch. */
  readonly constants: {
    readonly numbers: readonly number[];
    readonly strings: readonly string[];
    readonly bigints: readonly string[];
    /** Regular expressions of the touched code. */
    readonly patterns?: readonly { readonly source: string; readonly flags: string }[];
    /** Whole numbers of the touched code that may limit how long a text or a list gets. */
    readonly lengths?: readonly number[];
  };
  readonly emit: EmitOptions;
  /** The calls whose results the new or changed test cases of the change check. */
  readonly named?: readonly NamedCall[];
}

/** A call in a test. Its arguments are texts of plain values, in which equal values have equal texts. */
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
   * True for a fix of a defect: calls that failed before and return a value now are collected instead of differences.
   */
  readonly mends?: boolean;
  /** True if one difference is enough, so that the remaining targets are not compared. */
  readonly untilDifferent?: boolean;
}

/** Maximum number of differences in named calls that are reported for each target. */
export const MAX_NAMED = 5;

/** A call that answers differently on the two sides. `before`, `after`: its behaviour, as the end of a sentence. */
export interface BehaviourChange {
  /** The call as an expression: `slug("ß")`. */
  readonly call: string;
  readonly before: string;
  readonly after: string;
  /** An expression for the value that the old code returns; null if it cannot be written as one. */
  readonly expected: string | null;
  /** Name of the export by which a test imports the function; null if it is not exported. */
  readonly imported: { readonly path: string; readonly name: string } | null;
  /** The text of a test that pins the old answer, if the harness has written one. */
  readonly test?: string | null;
}

/** The result for one target. */
export interface TargetReport {
  readonly path: string;
  readonly name: string;
  readonly outcome: 'same' | 'different' | 'unknown';
  /** Set if more time would have given more inputs. */
  readonly outOfTime?: true;
  /** The reason why the result is unknown; null if it is known. */
  readonly reason: string | null;
  readonly counterexample: BehaviourChange | null;
  /** A difference that occurred once, without time left to repeat it. */
  readonly seen?: BehaviourChange;
  /** A call that ended in an engine error in the old code and returns a value in the new code. */
  readonly mended?: BehaviourChange;
  /** Differences in calls that the tests of the change name. They do not count as the counterexample. */
  readonly named?: readonly BehaviourChange[];
  /** Number of inputs that both sides received. */
  readonly inputs: number;
  /** Number of inputs for which the old code returned instead of throwing. */
  readonly answered: number;
  /** Number of further inputs on which neither side ended in time, if there are any. */
  readonly endless?: number;
}

/** The results of a comparison. */
export interface HarnessReport {
  /** The reason why nothing was compared, or null. */
  readonly obstacle: string | null;
  readonly targets: readonly TargetReport[];
  /** Touched lines of the new code that no input reached. */
  readonly unreached: readonly { readonly path: string; readonly text: string }[];
  /** Conditions, calls and operations that only one side has, and that had the same outcome on all inputs. */
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
  /** The reason why nothing was recorded, or null. */
  readonly obstacle: string | null;
  readonly recorded: readonly RecordedCall[];
}

/** The harness prints this line before its report. */
export const REPORT_MARK = '@@selfware-report@@';
