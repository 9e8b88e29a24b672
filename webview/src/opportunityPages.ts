// Loads the visible opportunities page by page. Only a few pages stay loaded, so that even ten thousand opportunities
// take little memory.

import type { OpportunityFacets, OpportunityFilter, OpportunityPage } from '#protocol/opportunities';
import type { OpportunityState } from '#protocol/state';
import type { FromWebview } from '#protocol/webviewMessages';

/** Number of rows of a page. A tall screen shows 40 rows. */
const ROWS_PER_PAGE = 100;
/** Maximum number of loaded pages. */
const MAX_KEPT_PAGES = 6;

/** The loaded part of the list of opportunities. */
export interface OpportunityPages {
  /** The numbers of opportunities; null before the first answer. */
  readonly summary: { readonly total: number; readonly matching: number; readonly facets: OpportunityFacets } | null;
  /** Number of answers so far. If it has changed, the rows have to be rendered again. */
  readonly answers: number;
  /** The opportunity of a row, counted from 0; undefined if its page is not loaded. */
  row(index: number): OpportunityState | undefined;
  /**
   * Sets the visible rows, from `first` to `last` inclusive, and requests their pages. `active`: the row that has or
   * had the focus; if its page is loaded, it stays loaded.
   */
  show(first: number, last: number, active: number): void;
  /**
   * Requests the list again if the revision or the filter has changed. The loaded rows stay until the answer arrives.
   */
  follow(revision: number, filter: OpportunityFilter): void;
  /**
   * Stores the page that answers a request. `page`: null if the server has not answered. Answers to requests from
   * before the last change of the filter are ignored.
   */
  receive(request: number, page: OpportunityPage | null): void;
}

/** A loaded page. */
interface LoadedPage {
  readonly rows: readonly OpportunityState[];
  /** The turn in which the page was requested. A new turn begins when the revision or the filter changes. */
  readonly turn: number;
}

/** Creates the list, without loaded pages. `onChange` is called after each answer. */
export function createOpportunityPages(post: (message: FromWebview) => void, onChange: () => void): OpportunityPages {
  const pages = new Map<number, LoadedPage>();
  const requestById = new Map<number, { readonly page: number; readonly turn: number }>();
  let lastSummary: OpportunityPages['summary'] = null;
  let filter: OpportunityFilter = {};
  /** Revision and filter of the last call of `follow`, as JSON. */
  let followedKey = '';
  /** The number of the current turn. */
  let turn = 0;
  /**
   * The turn in which the filter last changed. Answers to earlier requests are ignored, so that rows of two filters are
   * never mixed.
   */
  let filterTurn = 0;
  let visibleRows = { first: 0, last: 0, active: 0 };
  let requestCount = 0;
  let answerCount = 0;

  return {
    get summary() {
      return lastSummary;
    },
    get answers() {
      return answerCount;
    },
    row: (index) => pages.get(Math.floor(index / ROWS_PER_PAGE))?.rows[index % ROWS_PER_PAGE],
    show(first, last, active) {
      visibleRows = { first, last, active };
      requestMissing();
    },
    follow(revision, nextFilter) {
      const nextKey = JSON.stringify([revision, nextFilter]);
      if (nextKey === followedKey) return;
      followedKey = nextKey;
      turn++;
      if (JSON.stringify(nextFilter) !== JSON.stringify(filter)) {
        filterTurn = turn;
        visibleRows = { first: 0, last: 0, active: 0 };
      }
      filter = nextFilter;
      requestMissing();
    },
    receive(request, page) {
      const pageRequest = requestById.get(request);
      requestById.delete(request);
      if (!pageRequest || pageRequest.turn < filterTurn) return;
      // The server may have ended. The page is requested again when the list is scrolled or changes.
      if (page === null) return;
      if ([...pages.values()].some(({ turn: pageTurn }) => pageTurn < filterTurn)) pages.clear();
      answerCount++;
      lastSummary = { total: page.total, matching: page.matching, facets: page.facets };
      pages.set(pageRequest.page, { rows: page.rows, turn: pageRequest.turn });
      dropFarPages();
      onChange();
      requestMissing();
    },
  };

  function requestMissing(): void {
    if (followedKey === '') return;
    const lastRow = Math.max(visibleRows.first, Math.min(visibleRows.last, (lastSummary?.matching ?? 1) - 1));
    for (
      let page = Math.floor(visibleRows.first / ROWS_PER_PAGE);
      page <= Math.floor(lastRow / ROWS_PER_PAGE);
      page++
    ) {
      const isCurrent =
        pages.get(page)?.turn === turn ||
        [...requestById.values()].some((pageRequest) => pageRequest.page === page && pageRequest.turn === turn);
      if (isCurrent) continue;
      requestById.set(++requestCount, { page, turn });
      post({
        type: 'opportunities',
        request: requestCount,
        filter,
        offset: page * ROWS_PER_PAGE,
        limit: ROWS_PER_PAGE,
      });
    }
    // Forgets the oldest requests, which the server has probably never answered.
    for (const [request] of requestById) if (requestById.size > 2 * MAX_KEPT_PAGES) requestById.delete(request);
  }

  /** Unloads the pages that are farthest from the visible rows, except the page of the active row. */
  function dropFarPages(): void {
    const middlePage = (visibleRows.first + visibleRows.last) / 2 / ROWS_PER_PAGE;
    const activePage = Math.floor(visibleRows.active / ROWS_PER_PAGE);
    const pagesByDistance = [...pages.keys()]
      .filter((page) => page !== activePage)
      .toSorted((a, b) => Math.abs(b - middlePage) - Math.abs(a - middlePage));
    for (const page of pagesByDistance.slice(0, Math.max(0, pages.size - MAX_KEPT_PAGES))) pages.delete(page);
  }
}
