// What is compared: functions of the old and the new text, the inputs that their types allow, and the results. Plain
// data.

/** What a type allows, in so far as values of it can be made. */
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
  /** One of the plan's `shapes`: types that contain themselves. */
  | { readonly kind: 'ref'; readonly name: string };

export interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly optional: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly shape: Shape;
  readonly optional: boolean;
  readonly rest: boolean;
}

/** Something that is called on both sides. */
export type Target =
  | {
      readonly kind: 'function';
      readonly path: string;
      readonly name: string;
      readonly access: string;
      readonly exportedAs: string | null;
      readonly parameters: readonly Parameter[];
    }
  /** Made by its constructor, then its public members are used one after the other. */
  | {
      readonly kind: 'class';
      readonly path: string;
      readonly name: string;
      readonly access: string;
      readonly parameters: readonly Parameter[];
      readonly members: readonly Member[];
    }
  /** Not called: what it holds once the module is loaded. */
  | { readonly kind: 'value'; readonly path: string; readonly name: string; readonly access: string };

export interface Member {
  readonly name: string;
  readonly kind: 'method' | 'get' | 'set';
  readonly static: boolean;
  readonly parameters: readonly Parameter[];
}

/** A file of the proposal that exists on both sides. `after` is on the disk of the sandbox. */
export interface ComparedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * The part of the repository's compiler options that says what its code means when it runs. Names and values as in
 * tsconfig.json.
 */
export interface EmitOptions {
  readonly compiler: Readonly<Record<string, string | boolean>>;
  /** Patterns and places, the latter relative to the root. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** Relative to the root, or null. */
  readonly baseUrl: string | null;
}

export interface DifferentialPlan {
  /**
   * Files whose code is the same once comments and types are gone, and `let` that nothing writes to is `const`: there
   * is nothing to compare.
   */
  readonly identical: readonly string[];
  /**
   * Files whose code takes the same steps in the same order, and only its ifs and jumps are written in another way:
   * nothing to compare either.
   */
  readonly restructured: readonly string[];
  /**
   * Files whose code is the same then but for these names, which are no longer exported: there is nothing to compare
   * either.
   */
  readonly unexported: readonly { readonly path: string; readonly names: readonly string[] }[];
  /** Those that differ. */
  readonly files: readonly ComparedFile[];
  /** New files beside them: what they do is compared through what uses them. */
  readonly created: readonly string[];
  readonly targets: readonly Target[];
  /** Why something that was touched is not compared, in sentences. Empty: all of it is. */
  readonly gaps: readonly string[];
  readonly shapes: Readonly<Record<string, Shape>>;
  /** Literals of the code and its tests: the values at which it turns. */
  readonly constants: {
    readonly numbers: readonly number[];
    readonly strings: readonly string[];
    readonly bigints: readonly string[];
  };
  readonly emit: EmitOptions;
}

/** What the harness is told beyond the plan. */
export interface HarnessOrder extends DifferentialPlan {
  readonly seed: number;
  /** For all targets together. */
  readonly budgetMs: number;
  /** Inputs for each target, at most. */
  readonly runs: number;
  /**
   * The change says that it fixes a defect: calls that broke before and are answered now are collected, not
   * differences.
   */
  readonly mends?: boolean;
}

export interface Counterexample {
  /** The call as an expression: `slug("ß")`. */
  readonly call: string;
  readonly before: string;
  readonly after: string;
  /** An expression whose value the old code answers; null where it cannot be written down. */
  readonly expected: string | null;
  /** The function as a module gives it to a test; null when it is not exported. */
  readonly imported: { readonly path: string; readonly name: string } | null;
}

export interface TargetReport {
  readonly path: string;
  readonly name: string;
  readonly outcome: 'same' | 'different' | 'unknown';
  /** More time would have given more inputs. */
  readonly outOfTime?: true;
  /** Why it is unknown. */
  readonly reason: string | null;
  readonly counterexample: Counterexample | null;
  /** A difference that was seen once, and for which no time was left to look again. */
  readonly seen?: Counterexample;
  /** A call in which an error of the engine ended the old code, and which the new code answers. */
  readonly mended?: Counterexample;
  /** Inputs that both sides were given. */
  readonly inputs: number;
  /** Of those, the ones to which the old code answered without throwing. */
  readonly answered: number;
}

export interface HarnessReport {
  /** Why nothing was compared, or null. */
  readonly obstacle: string | null;
  readonly targets: readonly TargetReport[];
  /** Touched lines of the new code that no input reached. */
  readonly unreached: readonly { readonly path: string; readonly text: string }[];
}

/** What the harness is told when it records what one function answers now. */
export interface RecordOrder extends Pick<DifferentialPlan, 'targets' | 'shapes' | 'constants' | 'emit'> {
  readonly record: true;
  readonly seed: number;
  /** Inputs that are tried, and answers that are wanted, at most. */
  readonly runs: number;
  readonly most: number;
  readonly budgetMs: number;
}

export interface Recorded {
  /** The call as an expression: `slug("ß")`. */
  readonly call: string;
  /** An expression for the answer. */
  readonly answer: string;
  /** It is a promise of that. */
  readonly promised: boolean;
}

export interface RecordReport {
  /** Why nothing was recorded, or null. */
  readonly obstacle: string | null;
  readonly recorded: readonly Recorded[];
}

/** Line in front of the report in the harness' output. */
export const REPORT_MARK = '@@selfware-report@@';
