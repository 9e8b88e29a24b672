// The opportunities, page by page: there may be ten thousand, and nobody reads more than a screen at a time.

import type { OpportunityState } from './state.ts';

export type Severity = OpportunityState['severity'];

/** What is to be seen; all conditions hold together. */
export interface OpportunityFilter {
  /** Words that message, path and rule must hold, in any order; letter case is ignored. */
  readonly text?: string;
  readonly rule?: string;
  /** Empty or left out: all. */
  readonly severities?: readonly Severity[];
  /** Paths that begin with this folder, or are this file. */
  readonly path?: string;
  /** Only what a recipe can realise. */
  readonly fixable?: boolean;
  /** With those of rules that say nothing unless somebody wants them. */
  readonly quiet?: boolean;
}

export interface OpportunitiesParams {
  readonly filter?: OpportunityFilter;
  /** Default 0. */
  readonly offset?: number;
  /** Default 50, at most 200. */
  readonly limit?: number;
}

/** How many there would be with another choice of one filter, the others as they are. */
export interface OpportunityFacets {
  readonly rules: readonly { readonly id: string; readonly count: number }[];
  readonly severities: Readonly<Record<Severity, number>>;
  /** Folders of two levels at most, the fullest ones. */
  readonly folders: readonly { readonly path: string; readonly count: number }[];
  readonly fixable: number;
}

export interface OpportunityPage {
  /** As `SidebarState.opportunityRevision`. */
  readonly revision: number;
  /** Without any filter. */
  readonly total: number;
  readonly matching: number;
  readonly offset: number;
  /** Best first. */
  readonly rows: readonly OpportunityState[];
  readonly facets: OpportunityFacets;
}

export interface OpportunityFilesParams {
  /** Default 0. */
  readonly offset?: number;
  /** Default 200, at most 500. */
  readonly limit?: number;
}

/** Files by what is to be gained in them. */
export interface OpportunityFiles {
  readonly revision: number;
  readonly total: number;
  readonly files: readonly { readonly path: string; readonly count: number }[];
}
