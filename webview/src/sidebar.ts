// The root element. It renders into the page itself, so that one style sheet serves all views.

import '@vscode-elements/elements/dist/vscode-badge/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import { html, LitElement, type TemplateResult } from 'lit';
import type { FromWebview } from '#protocol/webviewMessages';
import type { Actions } from './actions.ts';
import type { Store, View } from './store.ts';
import { activityView, announcement } from './views/activityView.ts';
import { checkpointsView } from './views/checkpointsView.ts';
import { failureView, loadingView, noFolderView } from './views/emptyViews.ts';
import { memoryView } from './views/memoryView.ts';
import { noticesView } from './views/noticesView.ts';
import { opportunitiesView } from './views/opportunitiesView.ts';
import { pendingView } from './views/pendingView.ts';
import { pointsView } from './views/pointsView.ts';

export class Sidebar extends LitElement {
  #store: Store | null = null;
  #post: (message: FromWebview) => void = () => {};

  connect(store: Store, post: (message: FromWebview) => void): void {
    this.#store = store;
    this.#post = post;
    store.subscribe(() => this.requestUpdate());
    this.requestUpdate();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const store = this.#store;
    if (!store) return loadingView();
    const actions: Actions = { post: this.#post, change: (part) => store.change(part) };
    return html`<main>${content(store.view, actions)}</main>
      <p class="aloud" role="status" aria-live="polite">${announcement(store.view)}</p>`;
  }
}

function content(view: View, actions: Actions): TemplateResult {
  const { state } = view;
  if (view.phase === 'failure') return failureView(view.failure ?? '', actions);
  if (view.phase === 'noFolder') return noFolderView(actions);
  if (!state) return loadingView();
  return html`
    ${pointsView(state)} ${activityView(state, actions)} ${noticesView(state, actions)}
    ${pendingView(view, state, actions)} ${opportunitiesView(view, state, actions)} ${checkpointsView(view, state, actions)} ${memoryView(view, state, actions)}
  `;
}
