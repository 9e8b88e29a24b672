// The functions that a view can call: send a message to the host, or change the view.

import type { FromWebview } from '#protocol/webviewMessages';
import type { OpportunityPages } from './opportunityPages.ts';
import type { Store } from './store.ts';

/** The actions of a view. */
export interface Actions {
  readonly post: (message: FromWebview) => void;
  readonly change: Store['change'];
  readonly pages: OpportunityPages;
}
