// The plan of a search for calls that break a function, and its results. Plain data.

import type { Range } from '../../model.ts';
import type { DifferentialPlan, EmitOptions, Parameter, Shape } from '../differential/plan.ts';

/** An exported function that is called. */
export interface Subject {
  readonly kind: 'function';
  readonly path: string;
  /** The name in calls. */
  readonly name: string;
  readonly access: string;
  readonly exportedAs: string;
  readonly parameters: readonly Parameter[];
  /** Of the declaration, and of its name. */
  readonly range: Range;
  readonly nameRange: Range;
  /** True if it waits on purpose for the clock, which stands still here: that it does not end says nothing. */
  readonly readsClock: boolean;
}

/**
 * What has to hold. `of`, `encode` and `decode` are places in the list of subjects.
 *
 * - `breaks`: no engine error, an end, and a value of the declared type.
 * - `settles`: applied twice, the same as once.
 * - `order`: a comparator is antisymmetric and transitive.
 * - `roundTrip`: `decode` gives back what `encode` was given. `image`: what `decode` makes of a text, encoded and decoded
 *   again, is the same.
 */
export type Law =
  | {
      readonly kind: 'breaks';
      readonly of: number;
      /** What it returns, and that in words; null: not known. */
      readonly result: { readonly shape: Shape; readonly type: string } | null;
    }
  | { readonly kind: 'settles' | 'order'; readonly of: number }
  | {
      readonly kind: 'roundTrip';
      readonly encode: number;
      readonly decode: number;
      readonly image: boolean;
      /** The values to start with; null: what the first parameter allows. */
      readonly input: Shape | null;
    };

/** What values are made from, for the functions of one file. */
export interface Material {
  readonly shapes: Readonly<Record<string, Shape>>;
  readonly constants: DifferentialPlan['constants'];
}

export interface LeftOut {
  readonly path: string;
  readonly name: string;
  /** A sentence. */
  readonly reason: string;
}

export interface SearchPlan {
  readonly subjects: readonly Subject[];
  readonly laws: readonly Law[];
  readonly materials: Readonly<Record<string, Material>>;
  readonly leftOut: readonly LeftOut[];
  readonly emit: EmitOptions;
}

/** What the harness needs. */
export interface SearchOrder extends Omit<SearchPlan, 'leftOut'> {
  readonly search: true;
  readonly seed: number;
  /** For all laws together. */
  readonly budgetMs: number;
  /** Inputs for each law: plain ones, odd ones, and unlikely ones. */
  readonly runs: readonly [plain: number, odd: number, unlikely: number];
}

export type FindKind = 'engineError' | 'wrongType' | 'endless' | 'roundTrip' | 'order' | 'settles';

export interface Find {
  readonly kind: FindKind;
  readonly path: string;
  /** The function, and the name by which others import it. */
  readonly name: string;
  readonly exportedAs: string;
  /** The other function of a round trip. */
  readonly partner: { readonly path: string; readonly name: string; readonly exportedAs: string } | null;
  /** One expression: `slug("ß")`. */
  readonly call: string;
  /** Single calls whose arguments the declared types have to allow. */
  readonly calls: readonly string[];
  /** What it should do, and what it does: the ends of a sentence. */
  readonly expected: string;
  readonly observed: string;
  /** The expression that `call` should equal; null if it only should not throw, or should end. */
  readonly equals: string | null;
  /** True if only values that are rare in practice show it, such as `NaN`. */
  readonly unlikely: boolean;
  /** Where an error comes from, to recognise the same error again; null for other kinds. */
  readonly site: string | null;
}

export interface SearchReport {
  /** Why nothing was searched, or null. */
  readonly obstacle: string | null;
  readonly finds: readonly Find[];
  /** Functions that were called, with the number of inputs; by place in the list of subjects. */
  readonly tried: Readonly<Record<number, number>>;
  readonly leftOut: readonly LeftOut[];
  /** Laws that were looked at, and all of them. */
  readonly done: number;
  readonly total: number;
}

/** A find that the types allow, with its place and a test that fails because of it. */
export interface CheckedFind extends Find {
  readonly range: Range;
  readonly nameRange: Range;
  /** Where the test belongs, and its text. */
  readonly test: { readonly path: string; readonly text: string };
}

/** The line before the report so far, in the output of the harness. */
export const PROGRESS_MARK = '@@selfware-progress@@';
