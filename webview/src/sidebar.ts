// The root element. It renders into the page itself, so that one style sheet serves all views.

import '@vscode-elements/elements/dist/vscode-badge/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { FromWebview } from '#protocol/webviewMessages';
import type { Actions } from './actions.ts';
import type { OpportunityPages } from './opportunityPages.ts';
import type { Store, View } from './store.ts';
import { activityView, announcement, isWaitedFor } from './views/activityView.ts';
import { charterView } from './views/charterView.ts';
import { checkpointsView } from './views/checkpointsView.ts';
import { decisionsView, probationView } from './views/decisionsView.ts';
import { failureView, loadingView, noFolderView } from './views/emptyViews.ts';
import { eventsView } from './views/eventsView.ts';
import { memoryView } from './views/memoryView.ts';
import { nightView } from './views/nightView.ts';
import { noticesView } from './views/noticesView.ts';
import { opportunitiesView } from './views/opportunitiesView.ts';
import { pointsView } from './views/pointsView.ts';
import { setupView } from './views/setupView.ts';

/** "4 min ago" is so for a minute. */
const minuteMillis = 60_000;

export class Sidebar extends LitElement {
  /** Of the folder that was shown last; null before there was any. */
  #waiting: { readonly folder: string; readonly ids: ReadonlySet<string> } | null = null;
  #parts: {
    readonly store: Store;
    readonly pages: OpportunityPages;
    readonly post: (message: FromWebview) => void;
  } | null = null;

  connect(store: Store, pages: OpportunityPages, post: (message: FromWebview) => void): void {
    this.#parts = { store, pages, post };
    store.subscribe(() => this.requestUpdate());
    setInterval(() => this.requestUpdate(), minuteMillis);
    this.requestUpdate();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Who has scrolled down would not see a decision that has come in. */
  protected override updated(): void {
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
    return html`<main aria-busy=${store.view.current ? 'false' : 'true'}>${content(store.view, actions)}</main>
      <p class="aloud" role="status" aria-live="polite">${announcement(store.view)}</p>`;
  }
}

function content(view: View, actions: Actions): TemplateResult {
  const { state } = view;
  if (view.phase === 'failure') return failureView(view.failure ?? '', actions);
  if (view.phase === 'noFolder') return noFolderView(actions);
  if (!state) return loadingView(actions);
  const { folded, opened, filter } = view;
  const { trusted, activity, index, git, opportunityCount, doable } = state;
  const minute = Math.floor(Date.now() / minuteMillis);
  // What waits for a person is what the person has come for.
  const decisionFirst = state.waiting > 0;
  const decisions = guard([folded, state.pending, state.conflicted, state.waiting, doable], () =>
    decisionsView(view, state, actions),
  );
  // It and the way to end it are in view, whatever else there is.
  const waitedFor = isWaitedFor(state);
  // While something runs its progress changes four times a second, and nothing else does.
  return html`
    ${view.current ? nothing : html`<progress class="stale" aria-label="Looking for changes"></progress>`}
    ${waitedFor ? activityView(state, actions) : nothing}
    ${decisionFirst ? decisions : nothing}
    ${guard([state.rootName, state.folders, state.points, state.trend, git, doable, minute, opened, trusted, activity === 'stopped'], () => pointsView(view, state, actions))}
    ${waitedFor ? nothing : activityView(state, actions)}
    ${guard([trusted, git, state.setup], () => setupView(state, actions))}
    ${guard([trusted, state.night, doable], () => nightView(state, actions))}
    ${guard([trusted, state.notices], () => noticesView(state, actions))}
    ${decisionFirst ? nothing : decisions}
    ${guard([folded, state.probation, activity, trusted, minute], () => probationView(view, state, actions))}
    ${guard([folded, filter, opportunityCount, doable, state.opportunityRevision, doable.analysed ? null : state.progress, trusted, activity, actions.pages.answers], () => opportunitiesView(view, state, actions))}
    ${guard([folded, state.checkpoints, state.uncommitted, trusted, git, minute], () => checkpointsView(view, state, actions))}
    ${guard([folded, index, state.memory, git], () => memoryView(view, state, actions))}
    ${guard([folded, state.charter], () => charterView(view, state, actions))}
    ${guard([folded, state.events, minute], () => eventsView(view, state, actions))}
  `;
}
