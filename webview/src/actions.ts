// Defines what the views of the sidebar can call: send a message to the extension host, or change the state of the
// page.

import type { FromWebview } from '#protocol/webviewMessages';
import type { OpportunityPages } from './opportunityPages.ts';
import type { Store } from './store.ts';

/** The functions that are passed to every view. `pages`: the loaded opportunities. */
export interface Actions {
  readonly post: (message: FromWebview) => void;
  readonly change: Store['change'];
  readonly pages: OpportunityPages;
}
