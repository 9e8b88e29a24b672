// The root element of the sidebar. It has no shadow root, so that one style sheet applies to all views.

import '@vscode-elements/elements/dist/vscode-badge/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { FromWebview } from '#protocol/webviewMessages';
import type { Actions } from './actions.ts';
import type { OpportunityPages } from './opportunityPages.ts';
import type { Store, View } from './store.ts';
import { renderActivity, composeAnnouncement, isForegroundActivity } from './views/activityView.ts';
import { renderCharter } from './views/charterView.ts';
import { renderCheckpoints } from './views/checkpointsView.ts';
import { renderDecisions, renderProbation } from './views/decisionsView.ts';
import { renderFailure, renderLoading, renderNoFolder } from './views/emptyViews.ts';
import { renderEvents } from './views/eventsView.ts';
import { renderLearned } from './views/learnedView.ts';
import { renderMemory } from './views/memoryView.ts';
import { renderNight } from './views/nightView.ts';
import { renderNotices } from './views/noticesView.ts';
import { renderOpportunities } from './views/opportunitiesView.ts';
import { renderPoints } from './views/pointsView.ts';
import { countNeedingPerson, renderRequests } from './views/requestsView.ts';
import { renderSearch } from './views/searchView.ts';
import { renderUndecided } from './views/toDecideView.ts';
import { renderSetup } from './views/setupView.ts';

/** Milliseconds between two renderings without other changes, for times such as "4 min ago". */
const MINUTE_MS = 60_000;

/** The element `selfware-sidebar`: the whole page. Until `connect` is called, it shows that it is loading. */
export class Sidebar extends LitElement {
  /** Ids of the proposals that waited at the last rendering, and their folder; null before the first state. */
  #waiting: { readonly folder: string; readonly ids: ReadonlySet<string> } | null = null;
  /** The button of a proposal that had the focus before the current rendering; null if the focus was elsewhere. */
  #focused: {
    readonly button: Element;
    readonly label: string | null;
    readonly proposal: string;
    readonly section: string;
  } | null = null;
  #parts: {
    readonly store: Store;
    readonly pages: OpportunityPages;
    readonly post: (message: FromWebview) => void;
  } | null = null;

  /** Connects the page with its state. To be called once. */
  connect(store: Store, pages: OpportunityPages, post: (message: FromWebview) => void): void {
    this.#parts = { store, pages, post };
    store.subscribe(() => this.requestUpdate());
    setInterval(() => this.requestUpdate(), MINUTE_MS);
    this.requestUpdate();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(): void {
    const button = document.activeElement;
    const proposal = button?.closest<HTMLElement>('li[data-proposal]')?.dataset['proposal'];
    const section = button?.closest('details')?.id ?? '';
    const label = button?.getAttribute('aria-label') ?? null;
    this.#focused = button && proposal !== undefined ? { button, label, proposal, section } : null;
  }

  /**
   * Restores the focus if the focused button was replaced because another proposal was removed from the list. If its
   * own proposal was removed, the section gets the focus, so that the next key press does not decide on another
   * proposal.
   */
  async #keepFocus(): Promise<void> {
    const focusBefore = this.#focused;
    if (!focusBefore || focusBefore.button.isConnected) return;
    const buttons = this.querySelectorAll<LitElement>(
      `li[data-proposal="${CSS.escape(focusBefore.proposal)}"] vscode-button`,
    );
    const sameButton = [...buttons].find((button) => button.getAttribute('aria-label') === focusBefore.label);
    await sameButton?.updateComplete;
    if (document.activeElement !== document.body) return;
    const focusTarget = sameButton ?? document.getElementById(focusBefore.section)?.querySelector('summary');
    focusTarget?.focus({ preventScroll: true });
  }

  /** Scrolls to the top if a new proposal waits, because a person who has scrolled down would not see it. */
  protected override updated(): void {
    void this.#keepFocus();
    const { state = null, current = false } = this.#parts?.store.view ?? {};
    if (!state || !current) return;
    const waitingBefore = this.#waiting;
    const ids = [...state.conflicted, ...state.pending].map(({ id }) => id);
    this.#waiting = { folder: state.folder, ids: new Set(ids) };
    if (waitingBefore?.folder === state.folder && ids.some((id) => !waitingBefore.ids.has(id)))
      document.scrollingElement?.scrollTo({ top: 0 });
  }

  protected override render(): TemplateResult {
    if (!this.#parts) return renderLoading({ post: () => {} });
    const { store, pages, post } = this.#parts;
    const actions: Actions = { post, pages, change: (part) => store.change(part) };
    return html`<main aria-busy=${store.view.current ? 'false' : 'true'}>${renderContent(store.view, actions)}</main>
      <p class="aloud" role="status" aria-live="polite">${composeAnnouncement(store.view)}</p>`;
  }
}

/** All sections in their order. */
function renderContent(view: View, actions: Actions): TemplateResult {
  const { state } = view;
  if (view.phase === 'failure') return renderFailure(view.failure ?? '', actions);
  if (view.phase === 'noFolder') return renderNoFolder(actions);
  if (!state) return renderLoading(actions);
  const { folded, opened, filter } = view;
  const { trusted, activity, index, git, opportunityCount, doable } = state;
  const minute = Math.floor(Date.now() / MINUTE_MS);
  // Waiting decisions come first.
  const showsDecisionsFirst = state.pending.length + state.conflicted.length > 0;
  const applyingMessage = activity === 'applying' ? (state.progress?.message ?? '') : null;
  const decisionsPart = guard(
    [folded, state.pending, state.conflicted, state.waiting, doable, state.making, applyingMessage],
    () => renderDecisions(view, state, actions),
  );
  const showsRequestsFirst = countNeedingPerson(state) > 0;
  const requestsPart = guard([folded, trusted, state.requests, state.waitingTasks], () =>
    renderRequests(view, state, actions),
  );
  // If a person waits for running work, it is at the top, with the button that stops it.
  const isWaiting = isForegroundActivity(state);
  // Offers, such as to set up tests, come after the list of opportunities, so that the list is visible without
  // scrolling.
  const testsPart = guard([trusted, git, state.setup, doable.barrier], () => renderSetup(state, actions));
  const nightPart = guard([trusted, state.night, doable], () => renderNight(state, actions));
  const areTestsBroken = state.setup?.outcome === 'degraded';
  const doesNightNeedPerson = state.night?.state === 'needsPerson';
  const hasNightLine = (state.night?.line ?? null) !== null;
  // While something is running, the progress changes several times a second. `guard` renders a part again only if its
  // data have changed.
  return html`
    ${view.current ? nothing : html`<progress class="stale" aria-label="Looking for changes"></progress>`}
    ${isWaiting ? renderActivity(state, actions) : nothing}
    ${doesNightNeedPerson ? nightPart : nothing}
    ${showsDecisionsFirst ? decisionsPart : nothing}
    ${showsRequestsFirst ? requestsPart : nothing}
    ${guard([state.rootName, state.folders, state.points, state.trend, git, doable, minute, opened, trusted, activity === 'stopped'], () => renderPoints(view, state, actions))}
    ${isWaiting ? nothing : renderActivity(state, actions)}
    ${areTestsBroken ? testsPart : nothing}
    ${showsRequestsFirst ? nothing : requestsPart}
    ${hasNightLine && !doesNightNeedPerson ? nightPart : nothing}
    ${guard([trusted, state.notices], () => renderNotices(state, actions))}
    ${guard([folded, state.probation, activity, trusted, minute], () => renderProbation(view, state, actions))}
    ${guard([folded, filter, opportunityCount, doable, state.opportunityRevision, doable.analysed ? null : state.progress, trusted, activity, actions.pages.answers], () => renderOpportunities(view, state, actions))}
    ${showsDecisionsFirst ? nothing : decisionsPart}
    ${areTestsBroken ? nothing : testsPart}
    ${guard([trusted, doable, state.activity], () => renderSearch(state, actions))}
    ${hasNightLine ? nothing : nightPart}
    ${guard([folded, state.checkpoints, state.uncommitted, trusted, git, minute], () => renderCheckpoints(view, state, actions))}
    ${guard([folded, trusted, state.brought, state.rules, state.inbox], () => renderUndecided(view, state, actions))}
    ${guard([folded, state.learned, minute], () => renderLearned(view, state, actions))}
    ${guard([folded, index, state.memory, git], () => renderMemory(view, state, actions))}
    ${guard([folded, state.charter], () => renderCharter(view, state, actions))}
    ${guard([folded, state.events, minute], () => renderEvents(view, state, actions))}
  `;
}
