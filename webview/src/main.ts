// Entry point of the sidebar's page: connects its parts, and exchanges messages with the extension host.

import type { FromWebview, ToWebview } from '#protocol/webviewMessages';
import { createOpportunityPages } from './opportunityPages.ts';
import { createStore, selectPartToSave, type SavedView } from './store.ts';
import { Sidebar } from './sidebar.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/**
 * Milliseconds from a change until it is saved. Not at once, because saving sends the whole state of the page to the
 * host.
 */
const SAVE_DELAY_MS = 1000;

const host = acquireVsCodeApi();
const post = (message: FromWebview) => host.postMessage(message);
// When the sidebar is shown again, it shows the saved state at once, until the host has sent the current one.
const store = createStore(host.getState() as Partial<SavedView> | undefined);

customElements.define('selfware-sidebar', Sidebar);
const sidebar = document.querySelector('selfware-sidebar');
const pages = createOpportunityPages(post, () => sidebar instanceof Sidebar && sidebar.requestUpdate());
if (sidebar instanceof Sidebar) sidebar.connect(store, pages, post);

window.addEventListener('message', ({ data }: MessageEvent<ToWebview>) => {
  if (data.type === 'page') pages.receive(data.request, data.page);
  else store.receive(data);
});

let saveTimer: ReturnType<typeof setTimeout> | undefined;
const saveView = () => {
  clearTimeout(saveTimer);
  saveTimer = undefined;
  host.setState(selectPartToSave(store.view));
};
store.subscribe(() => (saveTimer ??= setTimeout(saveView, SAVE_DELAY_MS)));
document.addEventListener('visibilitychange', saveView);
window.addEventListener('pagehide', saveView);

post({ type: 'ready' });
