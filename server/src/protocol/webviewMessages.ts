// Messages between the sidebar webview and the extension host, one closed union a direction.

import type { SidebarState } from './state.ts';

export type ToWebview = { readonly type: 'state'; readonly state: SidebarState } | { readonly type: 'failure'; readonly message: string } | { readonly type: 'noFolder' };

export type FromWebview =
  | { readonly type: 'ready' }
  | { readonly type: 'openOpportunity'; readonly path: string; readonly line: number }
  | { readonly type: 'openRule'; readonly rule: string }
  | { readonly type: 'improve'; readonly opportunity?: string }
  | { readonly type: 'review'; readonly proposal: string }
  | { readonly type: 'reject'; readonly proposal: string }
  | { readonly type: 'rollback'; readonly checkpoint: string }
  | { readonly type: 'index' }
  | { readonly type: 'stop' }
  | { readonly type: 'resume' }
  | { readonly type: 'showOutput' }
  | { readonly type: 'manageTrust' }
  | { readonly type: 'openFolder' };
