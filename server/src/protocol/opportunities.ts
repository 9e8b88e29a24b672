// Messages for lists of opportunities, which are requested page by page: there may be ten thousand of them, and nobody
// reads more than a screen at a time.

import type { OpportunityState } from './state.ts';

/** The severity with which an opportunity is shown in the editor. */
export type Severity = OpportunityState['severity'];

/** Conditions, all of which the selected opportunities meet. */
export interface OpportunityFilter {
  /** Words that message, path and rule must contain, in any order; case is ignored. */
  readonly text?: string;
  /** The id of a rule. */
  readonly rule?: string;
  /** Severities to show; empty or absent for all. */
  readonly severities?: readonly Severity[];
  /** Selects paths below this folder, or this file. */
  readonly path?: string;
  /** True to select only opportunities that a recipe can realise. */
  readonly fixable?: boolean;
  /** True to include opportunities of quiet rules. */
  readonly quiet?: boolean;
}

/** Parameters of `selfware/opportunities`. */
export interface OpportunitiesParams {
  readonly filter?: OpportunityFilter;
  /** Number of opportunities before the page. Default 0. */
  readonly offset?: number;
  /** Maximum number of opportunities of the page. Default 50, at most 200. */
  readonly limit?: number;
}

/** The number of opportunities for each choice of one condition, while the other conditions stay the same. */
export interface OpportunityFacets {
  readonly rules: readonly { readonly id: string; readonly count: number }[];
  readonly severities: Readonly<Record<Severity, number>>;
  /** The folders with the most opportunities, at most two levels deep. */
  readonly folders: readonly { readonly path: string; readonly count: number }[];
  readonly fixable: number;
}

/** A page of the list of opportunities. */
export interface OpportunityPage {
  /** A number that changes with the list of opportunities. Pages with different numbers do not fit together. */
  readonly revision: number;
  /** Number of opportunities without any filter. */
  readonly total: number;
  /** Number of opportunities that match the filter. */
  readonly matching: number;
  readonly offset: number;
  /** Opportunities, best first. */
  readonly rows: readonly OpportunityState[];
  readonly facets: OpportunityFacets;
}

/** Parameters of `selfware/opportunityFiles`. */
export interface OpportunityFilesParams {
  /** Number of files before the page. Default 0. */
  readonly offset?: number;
  /** Maximum number of files of the page. Default 200, at most 500. */
  readonly limit?: number;
}

/** A page of the files with opportunities, sorted by their potential gain. */
export interface OpportunityFiles {
  /** A number that changes with the list of opportunities. */
  readonly revision: number;
  /** Number of all files with opportunities. */
  readonly total: number;
  readonly files: readonly { readonly path: string; readonly count: number }[];
}
