// The plan of a search for calls that break a function, and its results. Plain data.

import type { Range } from '../../model.ts';
import type { ArgumentRelation } from '../guard/argumentRelations.ts';
import type { UsedObject } from '../sequences/plan.ts';
import type { DifferentialPlan, EmitOptions, MemberUse, Parameter, Shape } from '../differential/plan.ts';

/** A value that a test writes out. */
export type ExampleValue =
  | undefined
  | null
  | boolean
  | number
  | string
  | { readonly $: 'array'; readonly of: readonly ExampleValue[] }
  | { readonly $: 'record'; readonly fields: readonly (readonly [name: string, value: ExampleValue])[] }
  /** A function that uses nothing but its parameters, as an expression; or `new Map()` and `new Set()`. */
  | { readonly $: 'code'; readonly text: string }
  /** A function that keeps its arguments and returns nothing. Equal numbers stand for the same function. */
  | { readonly $: 'recorder'; readonly id: number };

/** The uses of one object in one test. */
export interface CallSequence {
  /** The arguments of the maker. */
  readonly making: readonly ExampleValue[];
  readonly steps: readonly SequenceStep[];
}

/** A step: an index in `UsedObject.uses`, and the arguments without the object. */
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
  /** The declaration of the function, and its name. */
  readonly range: Range;
  readonly nameRange: Range;
  /**
   * True if the function reads the clock. Time stands still during a search, so a loop that waits for it never ends,
   * which is not a defect.
   */
  readonly readsClock: boolean;
  /** Names of options that its code reads from its parameters, where no type declares them. */
  readonly keys?: readonly string[];
  /** The arguments of calls in tests. */
  readonly examples: readonly (readonly ExampleValue[])[];
  /** True if nothing but the examples shows what can be passed: the types allow too much, or are missing. */
  readonly guided: boolean;
  /** True if the function treats negative numbers in another way than positive ones. */
  readonly signed: boolean;
  /**
   * The relations between its arguments that hold in all known calls; absent if there are none. For a member: between
   * the arguments of the member.
   */
  readonly relations?: readonly ArgumentRelation[];
  /** The sentence of its comment that says what it expects of its arguments; absent if there is none. */
  readonly precondition?: string;
  /**
   * The maker and the uses of an object that takes several steps. The first argument of a call is then a list of the
   * maker's arguments, and each further argument a list for one step: the index of the use, then its arguments.
   */
  readonly used?: UsedObject;
  /** The uses of such objects in the tests; set with `used`. */
  readonly sequences?: readonly CallSequence[];
  /** The mutants whose results the calls should show as different; absent for all mutants of `DistinguishingOrder`. */
  readonly mutants?: readonly number[];
}

/**
 * A property that must be true. `of`, `encode` and `decode` are indexes in the list of subjects.
 *
 * - `breaks`: a call ends, throws no error of the engine, and returns a value of the declared type.
 * - `settles`: applying the function to its own result changes nothing.
 * - `order`: a comparator is antisymmetric and transitive.
 * - `roundTrip`: `decode(encode(value))` equals `value`. If `image` is true, the values are those that `decode` makes
 * of texts.
 */
export type Law =
  | {
      readonly kind: 'breaks';
      readonly of: number;
      /** The declared result, as a shape and as text; null if it is unknown. */
      readonly result: { readonly shape: Shape; readonly type: string } | null;
    }
  | { readonly kind: 'settles' | 'order'; readonly of: number }
  | {
      readonly kind: 'roundTrip';
      readonly encode: number;
      readonly decode: number;
      readonly image: boolean;
      /** The values to start with; null if the type of the first parameter decides. */
      readonly input: Shape | null;
    };

/** The types and literals from which arguments are generated, for the functions of one file. */
export interface ArgumentSources {
  readonly shapes: Readonly<Record<string, Shape>>;
  readonly constants: DifferentialPlan['constants'];
  /** The module through which the tests load the file; absent if they load the file itself, or none was looked for. */
  readonly entry?: string;
}

/** A function that is not called. */
export interface SkippedFunction {
  readonly path: string;
  readonly name: string;
  /** The reason why the function is skipped, as a sentence. */
  readonly reason: string;
}

/** The functions to call, and the laws to check. */
export interface SearchPlan {
  readonly subjects: readonly Subject[];
  readonly laws: readonly Law[];
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

/** The broken law: the first three are ways to break `breaks`. */
export type CounterexampleKind = 'engineError' | 'wrongType' | 'endless' | 'roundTrip' | 'order' | 'settles';

/** A call that breaks a law. */
export interface Counterexample {
  readonly kind: CounterexampleKind;
  readonly path: string;
  /** The name of the function, and the name by which others import it. */
  readonly name: string;
  readonly exportedAs: string;
  /** The inverse function of a round trip; null for other kinds. */
  readonly partner: { readonly path: string; readonly name: string; readonly exportedAs: string } | null;
  /** The call that fails, as one expression: `slug("ß")`. */
  readonly call: string;
  /** All single calls in `call`. The declared types have to allow their arguments. */
  readonly calls: readonly string[];
  /** The expected and the observed behaviour of the call. Each is the end of a sentence. */
  readonly expected: string;
  readonly observed: string;
  /** The expression that `call` should equal; null if the call only must not throw, or must end. */
  readonly equals: string | null;
  /** The expression that `call` must not equal, because its type rules it out; absent for other kinds. */
  readonly unlike?: string;
  /** The expression that a test checks instead of `call`, if it has to wait for the result or to read its type. */
  readonly tested?: string;
  /** Calls that show the find. If the tests of the repository make all of them, it is meant. */
  readonly stated?: readonly string[];
  /**
   * True if only values that are rare in practice, such as `NaN`, show the defect, or if the function states a
   * precondition, which the call may break: then it is a note and no defect.
   */
  readonly unlikely: boolean;
  /** The stated precondition. */
  readonly precondition?: string;
  /** The place where an error is thrown, by which the same error is recognised; null for other kinds. */
  readonly site: string | null;
}

/** The report of the harness about a search, sent while it runs, too. */
export interface SearchReport {
  /** The reason why no search was possible; null if one was made. */
  readonly obstacle: string | null;
  readonly counterexamples: readonly Counterexample[];
  /** Number of inputs that each function was called with, by its index in the list of subjects. */
  readonly inputCounts: Readonly<Record<number, number>>;
  readonly skipped: readonly SkippedFunction[];
  /** Number of laws that were examined, and of all laws. They are examined in the order of the plan. */
  readonly done: number;
  /** Indices of the examined laws whose time ended before all inputs were tried, and that showed nothing. */
  readonly cutShort: readonly number[];
  readonly total: number;
}

/** A find that the declared types allow, with its place and a test that fails because of it. */
export interface CheckedCounterexample extends Counterexample {
  readonly range: Range;
  readonly nameRange: Range;
  /** The path and the text of the test, or a sentence with the reason why there is none. */
  readonly test: { readonly path: string; readonly text: string } | { readonly refused: string };
}

/** The harness prints this line before each report of its progress. */
export const PROGRESS_MARK = '@@selfware-progress@@';
