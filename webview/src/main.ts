// Entry of the sidebar page and the only place that talks to the extension host.

import type { FromWebview, ToWebview } from '#protocol/webviewMessages';
import { createStore, type View } from './store.ts';
import { Sidebar } from './sidebar.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromWebview): void; getState(): unknown; setState(state: unknown): void };

const host = acquireVsCodeApi();
// What was last shown comes back at once when the sidebar is shown again; the host's answer replaces it.
const store = createStore(host.getState() as Partial<View> | undefined);
store.subscribe((view) => host.setState(view));
window.addEventListener('message', ({ data }: MessageEvent<ToWebview>) => store.receive(data));

customElements.define('selfware-sidebar', Sidebar);
const sidebar = document.querySelector('selfware-sidebar');
if (sidebar instanceof Sidebar) sidebar.connect(store, (message) => host.postMessage(message));
host.postMessage({ type: 'ready' });
