// Entry of the sidebar page and the only place that talks to the extension host.

import type { FromWebview, ToWebview } from '#protocol/webviewMessages';
import { createOpportunityPages } from './opportunityPages.ts';
import { createStore, saved, type SavedView } from './store.ts';
import { Sidebar } from './sidebar.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** Saving crosses to the host; what changes meanwhile is saved with the next one. */
const saveEveryMillis = 1000;

const host = acquireVsCodeApi();
const post = (message: FromWebview) => host.postMessage(message);
// What was last shown comes back at once when the sidebar is shown again; the host's answer replaces it.
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
  host.setState(saved(store.view));
};
store.subscribe(() => (timer ??= setTimeout(save, saveEveryMillis)));
document.addEventListener('visibilitychange', save);
window.addEventListener('pagehide', save);

post({ type: 'ready' });
