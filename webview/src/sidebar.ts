// The root element of the sidebar. It has no shadow root, so that one style sheet applies to all views.

import '@vscode-elements/elements/dist/vscode-badge/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { FromWebview } from '#protocol/webviewMessages';
import type { Actions } from './actions.ts';
import type { OpportunityPages } from './opportunityPages.ts';
import type { Store, View } from './store.ts';
import { activityView, announcementText, isForegroundActivity } from './views/activityView.ts';
import { charterView } from './views/charterView.ts';
import { checkpointsView } from './views/checkpointsView.ts';
import { decisionsView, probationView } from './views/decisionsView.ts';
import { failureView, loadingView, noFolderView } from './views/emptyViews.ts';
import { eventsView } from './views/eventsView.ts';
import { learnedView } from './views/learnedView.ts';
import { memoryView } from './views/memoryView.ts';
import { nightView } from './views/nightView.ts';
import { noticesView } from './views/noticesView.ts';
import { opportunitiesView } from './views/opportunitiesView.ts';
import { pointsView } from './views/pointsView.ts';
import { countNeeding, requestsView } from './views/requestsView.ts';
import { searchView } from './views/searchView.ts';
import { toDecideView } from './views/toDecideView.ts';
import { setupView } from './views/setupView.ts';

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
    const before = this.#focused;
    if (!before || before.button.isConnected) return;
    const buttons = this.querySelectorAll<LitElement>(
      `li[data-proposal="${CSS.escape(before.proposal)}"] vscode-button`,
    );
    const sameButton = [...buttons].find((button) => button.getAttribute('aria-label') === before.label);
    await sameButton?.updateComplete;
    if (document.activeElement !== document.body) return;
    const next = sameButton ?? document.getElementById(before.section)?.querySelector('summary');
    next?.focus({ preventScroll: true });
  }

  /** Scrolls to the top if a new proposal waits, because a person who has scrolled down would not see it. */
  protected override updated(): void {
    void this.#keepFocus();
    const { state = null, current = false } = this.#parts?.store.view ?? {};
    if (!state || !current) return;
    const before = this.#waiting;
    const ids = [...state.conflicted, ...state.pending].map(({ id }) => id);
    this.#waiting = { folder: state.folder, ids: new Set(ids) };
    if (before?.folder === state.folder && ids.some((id) => !before.ids.has(id)))
      document.scrollingElement?.scrollTo({ top: 0 });
  }

  protected override render(): TemplateResult {
    if (!this.#parts) return loadingView({ post: () => {} });
    const { store, pages, post } = this.#parts;
    const actions: Actions = { post, pages, change: (part) => store.change(part) };
    return html`<main aria-busy=${store.view.current ? 'false' : 'true'}>${renderContent(store.view, actions)}</main>
      <p class="aloud" role="status" aria-live="polite">${announcementText(store.view)}</p>`;
  }
}

/** All sections in their order. */
function renderContent(view: View, actions: Actions): TemplateResult {
  const { state } = view;
  if (view.phase === 'failure') return failureView(view.failure ?? '', actions);
  if (view.phase === 'noFolder') return noFolderView(actions);
  if (!state) return loadingView(actions);
  const { folded, opened, filter } = view;
  const { trusted, activity, index, git, opportunityCount, doable } = state;
  const minute = Math.floor(Date.now() / MINUTE_MS);
  // Waiting decisions come first.
  const decisionsFirst = state.pending.length + state.conflicted.length > 0;
  const applying = activity === 'applying' ? (state.progress?.message ?? '') : null;
  const decisions = guard(
    [folded, state.pending, state.conflicted, state.waiting, doable, state.making, applying],
    () => decisionsView(view, state, actions),
  );
  const requestsFirst = countNeeding(state) > 0;
  const requests = guard([folded, trusted, state.requests, state.waitingTasks], () =>
    requestsView(view, state, actions),
  );
  // If a person waits for running work, it is at the top, with the button that stops it.
  const isWaiting = isForegroundActivity(state);
  // Offers, such as to set up tests, come after the list of opportunities, so that the list is visible without
  // scrolling.
  const tests = guard([trusted, git, state.setup, doable.barrier], () => setupView(state, actions));
  const night = guard([trusted, state.night, doable], () => nightView(state, actions));
  const areTestsBroken = state.setup?.outcome === 'degraded';
  const doesNightNeedPerson = state.night?.state === 'needsPerson';
  const hasNight = (state.night?.line ?? null) !== null;
  // While something is running, the progress changes several times a second. `guard` renders a part again only if its
  // data have changed.
  return html`
    ${view.current ? nothing : html`<progress class="stale" aria-label="Looking for changes"></progress>`}
    ${isWaiting ? activityView(state, actions) : nothing}
    ${doesNightNeedPerson ? night : nothing}
    ${decisionsFirst ? decisions : nothing}
    ${requestsFirst ? requests : nothing}
    ${guard([state.rootName, state.folders, state.points, state.trend, git, doable, minute, opened, trusted, activity === 'stopped'], () => pointsView(view, state, actions))}
    ${isWaiting ? nothing : activityView(state, actions)}
    ${areTestsBroken ? tests : nothing}
    ${requestsFirst ? nothing : requests}
    ${hasNight && !doesNightNeedPerson ? night : nothing}
    ${guard([trusted, state.notices], () => noticesView(state, actions))}
    ${guard([folded, state.probation, activity, trusted, minute], () => probationView(view, state, actions))}
    ${guard([folded, filter, opportunityCount, doable, state.opportunityRevision, doable.analysed ? null : state.progress, trusted, activity, actions.pages.answers], () => opportunitiesView(view, state, actions))}
    ${decisionsFirst ? nothing : decisions}
    ${areTestsBroken ? nothing : tests}
    ${guard([trusted, doable, state.activity], () => searchView(state, actions))}
    ${hasNight ? nothing : night}
    ${guard([folded, state.checkpoints, state.uncommitted, trusted, git, minute], () => checkpointsView(view, state, actions))}
    ${guard([folded, trusted, state.brought, state.rules, state.inbox], () => toDecideView(view, state, actions))}
    ${guard([folded, state.learned, minute], () => learnedView(view, state, actions))}
    ${guard([folded, index, state.memory, git], () => memoryView(view, state, actions))}
    ${guard([folded, state.charter], () => charterView(view, state, actions))}
    ${guard([folded, state.events, minute], () => eventsView(view, state, actions))}
  `;
}
