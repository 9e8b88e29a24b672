// Entry of the sidebar page and the only place that talks to the extension host.

import type { FromWebview, ToWebview } from '#protocol/webviewMessages';
import { createOpportunityPages } from './opportunityPages.ts';
import { createStore, partToSave, type SavedView } from './store.ts';
import { Sidebar } from './sidebar.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** Milliseconds from a change to saving it, because each saving sends the whole view to the host. */
const SAVE_DELAY_MS = 1000;

const host = acquireVsCodeApi();
const post = (message: FromWebview) => host.postMessage(message);
// The saved view is shown at once when the sidebar is shown again; the host's answer replaces it.
const store = createStore(host.getState() as Partial<SavedView> | undefined);

customElements.define('selfware-sidebar', Sidebar);
const sidebar = document.querySelector('selfware-sidebar');
const pages = createOpportunityPages(post, () => sidebar instanceof Sidebar && sidebar.requestUpdate());
if (sidebar instanceof Sidebar) sidebar.connect(store, pages, post);

window.addEventListener('message', ({ data }: MessageEvent<ToWebview>) => {
  if (data.type === 'page') pages.receive(data.request, data.page);
  else store.receive(data);
});

let timer: ReturnType<typeof setTimeout> | undefined;
const save = () => {
  clearTimeout(timer);
  timer = undefined;
  host.setState(partToSave(store.view));
};
store.subscribe(() => (timer ??= setTimeout(save, SAVE_DELAY_MS)));
document.addEventListener('visibilitychange', save);
window.addEventListener('pagehide', save);

post({ type: 'ready' });
