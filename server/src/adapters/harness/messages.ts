// Defines the messages between the harness and the processes of its two sides (old code, new code). They consist of
// data that the structured clone algorithm can copy.

import type { Counterexample, Law } from '../../core/verify/counterexamples/plan.ts';
import type { ObservedCode } from './observed/observedCode.ts';
import type { EmitOptions, Shape, ComparedTarget } from '../../core/verify/differential/plan.ts';

/** A description of a value. The value is created again for every call, so that no call is affected by another. */
export type ValueSpec =
  | undefined
  | null
  | boolean
  | number
  | string
  | bigint
  | { readonly $: 'array' | 'set' | 'bytes'; readonly of: readonly ValueSpec[] }
  | { readonly $: 'record'; readonly fields: readonly (readonly [name: string, value: ValueSpec])[] }
  | { readonly $: 'map'; readonly entries: readonly (readonly [ValueSpec, ValueSpec])[] }
  | { readonly $: 'date'; readonly millis: number }
  | { readonly $: 'regexp'; readonly source: string; readonly flags: string }
  /** `code`: a function of the tests that uses nothing but its parameters. */
  | { readonly $: 'error' | 'symbol' | 'url' | 'code'; readonly text: string }
  | { readonly $: 'signal'; readonly aborted: boolean }
  | { readonly $: 'promise'; readonly of: ValueSpec; readonly millis: number; readonly rejects: boolean }
  | { readonly $: 'iterable'; readonly of: readonly ValueSpec[]; readonly async: boolean }
  /** Stands for another number or string of the same call, which replaces it before the call is made. */
  | { readonly $: 'placeholder'; readonly kind: 'number' | 'string'; readonly index: number }
  /** Keeps its arguments, and returns nothing. Equal numbers in one call stand for the same function. */
  | { readonly $: 'recorder'; readonly id: number }
  /** Returns `answers` in turn and records its calls with their arguments. */
  | { readonly $: 'stub'; readonly answers: readonly ValueSpec[] };

/**
 * One use of a target. For a class, `arguments` are those of the constructor, and `steps` are calls of its members
 * (`member`: index in the target's members).
 */
export interface Call {
  readonly arguments: readonly ValueSpec[];
  readonly steps: readonly { readonly member: number; readonly arguments: readonly ValueSpec[] }[];
}

/** The JavaScript of a file, and the kind of module that it is. */
export interface Code {
  readonly code: string;
  readonly format: 'module' | 'commonjs';
}

/** The data with which the process of a side loads the code. */
export interface SideStart {
  readonly rootDir: string;
  /** The code that runs in place of the files, by path. */
  readonly codes: Readonly<Record<string, Code>>;
  /**
   * The code with observed expressions that runs in place of the code in `codes`, by path. Only some files have one.
   */
  readonly observed?: Readonly<Record<string, ObservedCode>>;
  /** Paths of the files whose executed code is reported at the end. */
  readonly watched: readonly string[];
  readonly targets: readonly ComparedTarget[];
  readonly emit: EmitOptions;
  /** The only file to load; null for the files of all targets. */
  readonly onlyPath: string | null;
  /**
   * Set if files are loaded when a probe first needs them, so that a file that does not load affects only its own
   * probes.
   */
  readonly loadsLazily?: true;
  /** Modules that are loaded before a file, by the path of the file. A module that does not load is skipped. */
  readonly entries?: Readonly<Record<string, string>>;
  /** Set if the process runs in another time zone and language, at another time, and with other random numbers. */
  readonly isAbroad?: true;
  /** Named shapes of results, by the path of the file and the name. */
  readonly shapes?: Readonly<Record<string, Readonly<Record<string, Shape>>>>;
}

/** A request to the process of a side. */
export type ToSide =
  | { readonly start: SideStart }
  | { readonly target: number; readonly call: Call }
  | { readonly law: Law; readonly args: readonly ValueSpec[] }
  /** Asks for a call of switched code. `mutant` null: with all mutants off. */
  | { readonly switched: Call; readonly target: number; readonly mutant: number | null }
  | { readonly finish: true };

/** The observations of one call, as texts. Calls with equal texts count as equal behaviour. */
export interface Observation {
  /** `returns 3`, `throws RangeError: …`, `rejects with …`. */
  readonly result: string;
  /** The changed arguments after the call, as a text; empty if they are unchanged. */
  readonly arguments: string;
  /** Calls of injected functions, printed text, and timers, in order. */
  readonly callLog: readonly string[];
}

/** The outcome of a call. */
export interface CallOutcome {
  /** The first of two equal calls with new arguments; the second shows the state that the first has left. */
  readonly first: Observation;
  /** The second of the two calls. */
  readonly second: Observation;
  /** The call as an expression. */
  readonly call: string;
  /** An expression for the returned value; null if it cannot be written as one. */
  readonly expression: string | null;
  /**
   * An expression for the result in which objects without a class are written as plain objects; null if the result
   * contains no such object, or cannot be written as an expression.
   */
  readonly bare: string | null;
  /** True if the call threw or rejected. */
  readonly threw: boolean;
  /**
   * True if the call returned an iterator. Its values are then the result, and an error of the code is thrown only when
   * they are read.
   */
  readonly drained: boolean;
  /** The first refused side effect outside of the process, such as `fs.writeFile`; null if there was none. */
  readonly effect: string | null;
}

/** The answer of the process of a side. `failed`: the reason, as a part of a sentence. */
export type FromSide =
  | { readonly ready: true }
  | { readonly failed: string }
  | { readonly outcome: CallOutcome }
  | { readonly probed: ProbeResult }
  | { readonly switched: SwitchedAnswer }
  /** A file that the probe needs does not load. */
  | { readonly unloaded: { readonly path: string; readonly reason: string } }
  /** For each watched file that was loaded: the code as it ran, and the ranges that never did. */
  | { readonly finished: readonly RanCode[] };

/**
 * The answer to a call of switched code. With all mutants off: its outcome, and the mutants that it reaches. With a
 * mutant on: the result, as in `Observation`.
 */
export type SwitchedAnswer =
  | { readonly outcome: CallOutcome; readonly reached: readonly number[] }
  | { readonly result: string };

/** The code of a file as it ran in one process. */
export interface RanCode {
  readonly path: string;
  readonly code: string;
  readonly unreached: readonly (readonly [from: number, to: number])[];
  /** The bits of the observed expressions of this side (`observedCode.ts`), by their numbers. */
  readonly seen: readonly number[];
}

/**
 * The result of a probe, which checks a law for some values. `holds`: the law holds for them. `broken`: it does not.
 * `inconclusive`: the reason why these values show nothing.
 */
export type ProbeResult =
  | { readonly holds: true }
  | { readonly inconclusive: string }
  | {
      readonly broken: Pick<
        Counterexample,
        'kind' | 'call' | 'calls' | 'expected' | 'observed' | 'equals' | 'unlike' | 'tested' | 'site' | 'stated'
      >;
    };
