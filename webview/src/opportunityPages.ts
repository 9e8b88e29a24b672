// The visible opportunities, page by page. Few pages are kept, so ten thousand opportunities take no more memory than a
// hundred.

import type { OpportunityFacets, OpportunityFilter, OpportunityPage } from '#protocol/opportunities';
import type { OpportunityState } from '#protocol/state';
import type { FromWebview } from '#protocol/webviewMessages';

/** Rows of a page; a tall screen shows 40. */
const pageRows = 100;
const keptPages = 6;

export interface OpportunityPages {
  /** Null until the first answer. */
  readonly known: { readonly total: number; readonly matching: number; readonly facets: OpportunityFacets } | null;
  /** Counts answers: what was drawn before the last one is out of date. */
  readonly answers: number;
  /** Undefined while it is under way. */
  row(index: number): OpportunityState | undefined;
  /** What is shown of the list from now on, and the row that has or had the focus. */
  show(first: number, last: number, active: number): void;
  /** The list is another one, or something else is wanted of it. What is there stays until the answer comes. */
  follow(revision: number, filter: OpportunityFilter): void;
  receive(request: number, page: OpportunityPage | null): void;
}

interface Kept {
  readonly rows: readonly OpportunityState[];
  /** Of which list, with which filter. */
  readonly turn: number;
}

export function createOpportunityPages(post: (message: FromWebview) => void, changed: () => void): OpportunityPages {
  const pages = new Map<number, Kept>();
  const asked = new Map<number, { readonly page: number; readonly turn: number }>();
  let known: OpportunityPages['known'] = null;
  let filter: OpportunityFilter = {};
  let following = '';
  /** Counts lists and filters. */
  let turn = 0;
  /** Counts filters alone: rows of another filter are never mixed in. */
  let filterTurn = 0;
  let shown = { first: 0, last: 0, active: 0 };
  let requests = 0;
  let answers = 0;

  return {
    get known() {
      return known;
    },
    get answers() {
      return answers;
    },
    row: (index) => pages.get(Math.floor(index / pageRows))?.rows[index % pageRows],
    show(first, last, active) {
      shown = { first, last, active };
      ask();
    },
    follow(revision, wanted) {
      const next = JSON.stringify([revision, wanted]);
      if (next === following) return;
      following = next;
      turn++;
      if (JSON.stringify(wanted) !== JSON.stringify(filter)) {
        filterTurn = turn;
        shown = { first: 0, last: 0, active: 0 };
      }
      filter = wanted;
      ask();
    },
    receive(request, page) {
      const question = asked.get(request);
      asked.delete(request);
      if (!question || question.turn < filterTurn) return;
      // It may have been asked of a server that was about to go; the next look at the list asks again.
      if (page === null) return;
      if ([...pages.values()].some(({ turn: old }) => old < filterTurn)) pages.clear();
      answers++;
      known = { total: page.total, matching: page.matching, facets: page.facets };
      pages.set(question.page, { rows: page.rows, turn: question.turn });
      forgetFar();
      changed();
      ask();
    },
  };

  function ask(): void {
    if (following === '') return;
    const last = Math.max(shown.first, Math.min(shown.last, (known?.matching ?? 1) - 1));
    for (let page = Math.floor(shown.first / pageRows); page <= Math.floor(last / pageRows); page++) {
      const fresh =
        pages.get(page)?.turn === turn ||
        [...asked.values()].some((question) => question.page === page && question.turn === turn);
      if (fresh) continue;
      asked.set(++requests, { page, turn });
      post({ type: 'opportunities', request: requests, filter, offset: page * pageRows, limit: pageRows });
    }
    // Answers that never came.
    for (const [request] of asked) if (asked.size > 2 * keptPages) asked.delete(request);
  }

  function forgetFar(): void {
    const middle = (shown.first + shown.last) / 2 / pageRows;
    const active = Math.floor(shown.active / pageRows);
    const far = [...pages.keys()]
      .filter((page) => page !== active)
      .toSorted((one, other) => Math.abs(other - middle) - Math.abs(one - middle));
    for (const page of far.slice(0, Math.max(0, pages.size - keptPages))) pages.delete(page);
  }
}
