// The plan of a search for calls that break a function, and its results, as plain data.

import type { Range } from '../../model.ts';
import type { ArgumentRelation } from '../guard/argumentRelations.ts';
import type { UsedObject } from '../sequences/plan.ts';
import type { DifferentialPlan, EmitOptions, MemberUse, Parameter, Shape } from '../differential/plan.ts';

/** A value that a test spells out. */
export type ExampleValue =
  | undefined
  | null
  | boolean
  | number
  | string
  | { readonly $: 'array'; readonly of: readonly ExampleValue[] }
  | { readonly $: 'record'; readonly fields: readonly (readonly [name: string, value: ExampleValue])[] }
  /** The code of a function that uses nothing but its parameters, or of `new Map()` or `new Set()`. */
  | { readonly $: 'code'; readonly text: string }
  /** A function that records its arguments and returns nothing. Equal numbers stand for the same function. */
  | { readonly $: 'recorder'; readonly id: number };

/** The uses of one object in one test. */
export interface CallSequence {
  /** The arguments of the function that creates the object. */
  readonly making: readonly ExampleValue[];
  readonly steps: readonly SequenceStep[];
}

/** One use of the object: an index in `UsedObject.uses`, and the arguments without the object. */
export interface SequenceStep {
  readonly use: number;
  readonly given: readonly ExampleValue[];
}

/** An exported function, or a member of an exported class, that the search calls. */
export interface Subject {
  readonly kind: 'function';
  readonly path: string;
  /** The name of the function in the calls; `Stack.size` for a member. */
  readonly name: string;
  /** The expression that reaches the function in its module. */
  readonly access: string;
  /** The name under which the module exports it. */
  readonly exportedAs: string;
  readonly parameters: readonly Parameter[];
  /** Set for a member of a class. */
  readonly member?: MemberUse;
  /** The ranges of the function's declaration and of its name. */
  readonly range: Range;
  readonly nameRange: Range;
  /**
   * True if the function reads the clock. The clock stands still during a search, so a loop that waits for it never
   * ends, although that is not a defect.
   */
  readonly readsClock: boolean;
  /** Names of options that the function reads from its parameters, if no type declares them. */
  readonly keys?: readonly string[];
  /** The argument lists of calls in tests. */
  readonly examples: readonly (readonly ExampleValue[])[];
  /** True if only the examples show what can be passed, because the types are too vague or missing. */
  readonly guided: boolean;
  /** True if the function treats negative numbers differently from positive ones. */
  readonly signed: boolean;
  /**
   * The relations between the arguments that hold in all known calls; absent if there are none. For a member, between
   * the arguments of the member.
   */
  readonly relations?: readonly ArgumentRelation[];
  /** The sentence of the function's comment that states a precondition of its arguments; absent if there is none. */
  readonly precondition?: string;
  /**
   * The creation and the uses of an object that takes several steps. The first argument of a call is then an array with
   * the arguments of the creation, and each further argument is an array for one step: the index of the use, then its
   * arguments.
   */
  readonly used?: UsedObject;
  /** The uses of such objects in the tests; set with `used`. */
  readonly sequences?: readonly CallSequence[];
  /** The mutants whose results the calls should show as different; absent for all mutants of `DistinguishingOrder`. */
  readonly mutants?: readonly number[];
}

/**
 * A property that must hold. `of`, `encode` and `decode` are indexes of subjects.
 *
 * - `breaks`: a call ends, throws no error of the JavaScript engine, and returns a value of the declared type.
 * - `settles`: applying the function to its own result changes nothing.
 * - `order`: a comparator is antisymmetric and transitive.
 * - `roundTrip`: `decode(encode(value))` equals `value`. If `image` is true, the values are results of `decode` for
 * strings.
 */
export type Law =
  | {
      readonly kind: 'breaks';
      readonly of: number;
      /** The declared result type, as a shape and as code; null if it is unknown. */
      readonly result: { readonly shape: Shape; readonly type: string } | null;
    }
  | { readonly kind: 'settles' | 'order'; readonly of: number }
  | {
      readonly kind: 'roundTrip';
      readonly encode: number;
      readonly decode: number;
      readonly image: boolean;
      /** The shape of the initial values; null if the type of the first parameter determines it. */
      readonly input: Shape | null;
    };

/** The types and literals from which arguments are generated, for the functions of one file. */
export interface ArgumentSources {
  readonly shapes: Readonly<Record<string, Shape>>;
  readonly constants: DifferentialPlan['constants'];
  /**
   * The module through which the tests load the file; absent if they load the file itself, or if no entry was searched.
   */
  readonly entry?: string;
}

/** A function that is not called. */
export interface SkippedFunction {
  readonly path: string;
  readonly name: string;
  /** The reason why the function is skipped, as a sentence. */
  readonly reason: string;
}

/** The functions to call and the laws to check. */
export interface SearchPlan {
  readonly subjects: readonly Subject[];
  readonly laws: readonly Law[];
  /** The sources of arguments for each file, by its path. */
  readonly materials: Readonly<Record<string, ArgumentSources>>;
  readonly leftOut: readonly SkippedFunction[];
  readonly emit: EmitOptions;
}

/** The plan, with the parameters that the harness needs. */
export interface SearchOrder extends Omit<SearchPlan, 'leftOut'> {
  readonly search: true;
  readonly seed: number;
  /** Milliseconds for all laws together. */
  readonly budgetMs: number;
  /** Number of inputs of each kind for each law. */
  readonly runs: readonly [plain: number, odd: number, unlikely: number];
}

/** The kind of the broken law. The first three kinds are ways to break `breaks`. */
export type CounterexampleKind = 'engineError' | 'wrongType' | 'endless' | 'roundTrip' | 'order' | 'settles';

/** A call that breaks a law. */
export interface Counterexample {
  readonly kind: CounterexampleKind;
  readonly path: string;
  /** The name of the function, and the name under which others import it. */
  readonly name: string;
  readonly exportedAs: string;
  /** The inverse function of a round trip; null for other kinds. */
  readonly partner: { readonly path: string; readonly name: string; readonly exportedAs: string } | null;
  /** The call that fails, as one expression: `slug("ß")`. */
  readonly call: string;
  /** All single calls in `call`. The declared types must allow their arguments. */
  readonly calls: readonly string[];
  /** The expected behaviour of the call, as the end of a sentence. */
  readonly expected: string;
  /** The observed behaviour of the call, as the end of a sentence. */
  readonly observed: string;
  /** The expression that `call` should equal; null if the call only must not throw, or must end. */
  readonly equals: string | null;
  /** The expression that `call` must not equal, because its type rules it out; absent for other kinds. */
  readonly unlike?: string;
  /** The expression that a test checks instead of `call`, if it must wait for the result or check its type. */
  readonly tested?: string;
  /** Calls that show the counterexample. If the tests of the repository make all of them, the behaviour is intended. */
  readonly stated?: readonly string[];
  /**
   * True if only values that are rare in practice, such as `NaN`, show the defect, or if the function states a
   * precondition that the call may break. The counterexample is then a note rather than a defect.
   */
  readonly unlikely: boolean;
  /** The precondition that the function states. */
  readonly precondition?: string;
  /** The place where the error is thrown, which identifies equal errors; null for other kinds. */
  readonly site: string | null;
}

/** The report of the harness about a search. It is also sent while the search runs. */
export interface SearchReport {
  /** The reason why no search was possible; null if one ran. */
  readonly obstacle: string | null;
  readonly counterexamples: readonly Counterexample[];
  /** Number of inputs with which each function was called, by the index of the subject. */
  readonly inputCounts: Readonly<Record<number, number>>;
  readonly skipped: readonly SkippedFunction[];
  /** Number of examined laws, which are examined in the order of the plan. */
  readonly done: number;
  /** Indexes of the examined laws without a counterexample whose time ended before all inputs were tried. */
  readonly cutShort: readonly number[];
  /** Number of all laws of the plan. */
  readonly total: number;
}

/** A counterexample that the declared types allow, with its range and a test that fails because of it. */
export interface CheckedCounterexample extends Counterexample {
  readonly range: Range;
  readonly nameRange: Range;
  /** The path and the text of the test; otherwise, the reason why there is none, as a sentence. */
  readonly test: { readonly path: string; readonly text: string } | { readonly refused: string };
}

/** The harness prints this line before each progress report. */
export const PROGRESS_MARK = '@@selfware-progress@@';
