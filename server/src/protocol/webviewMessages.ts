// Messages between the sidebar and the extension, as one closed union for each direction.

import type { OpportunitiesParams, OpportunityPage } from './opportunities.ts';
import type { DecideRuleParams } from './rules.ts';
import type { SidebarState } from './state.ts';

/** From the extension to the page of the sidebar. */
export type ToWebview =
  /** The complete state: sent when the page is shown, after a failure, and when a part of the state has disappeared. */
  | { readonly type: 'state'; readonly state: SidebarState }
  /** The parts of the state that have changed since the last message. */
  | { readonly type: 'patch'; readonly changes: Partial<SidebarState> }
  /** Answer to `opportunities`. `page`: null if the server had no answer. */
  | { readonly type: 'page'; readonly request: number; readonly page: OpportunityPage | null }
  | { readonly type: 'failure'; readonly message: string }
  | { readonly type: 'noFolder' };

/** From the page of the sidebar to the extension. */
export type FromWebview =
  | { readonly type: 'ready' }
  | ({ readonly type: 'opportunities'; readonly request: number } & OpportunitiesParams)
  /** Line and column are 1-based; if `column` is absent, the first word of the line is selected. */
  | { readonly type: 'openOpportunity'; readonly path: string; readonly line: number; readonly column?: number }
  | { readonly type: 'openRule'; readonly rule: string }
  | { readonly type: 'openFile'; readonly path: string }
  | { readonly type: 'improve'; readonly opportunity?: string; readonly again?: true }
  | { readonly type: 'dismiss'; readonly opportunity: string; readonly path: string; readonly rule: string }
  | { readonly type: 'review'; readonly proposal: string }
  | { readonly type: 'apply'; readonly proposal: string }
  | { readonly type: 'reject'; readonly proposal: string }
  /** Judges the applied changes in probation. */
  | { readonly type: 'judge' }
  | { readonly type: 'keep'; readonly proposal: string }
  /** Commits a kept change; if `proposal` is absent, all kept changes that are not committed yet. */
  | { readonly type: 'commit'; readonly proposal?: string }
  | { readonly type: 'rollback'; readonly checkpoint: string }
  | { readonly type: 'forgetLesson'; readonly lesson: string }
  | { readonly type: 'readRules'; readonly path: string }
  | { readonly type: 'keepRulesOff'; readonly path: string; readonly hash: string }
  | ({ readonly type: 'decideRule' } & DecideRuleParams)
  /** Asks the person to decide on an entry of the inbox. */
  | { readonly type: 'inbox'; readonly item: string; readonly verdict: 'applied' | 'rejected' }
  | { readonly type: 'installComponent'; readonly component: string }
  /** Updates the index. */
  | { readonly type: 'index' }
  | { readonly type: 'setUpTests' }
  | { readonly type: 'pauseIndexing' }
  | { readonly type: 'resumeIndexing' }
  /** Sets the kill switch; `resume` releases it. */
  | { readonly type: 'stop' }
  | { readonly type: 'resume' }
  | { readonly type: 'runOvernight' }
  /** Searches for further opportunities. If `kind` is absent, the person is asked what to look for. */
  | { readonly type: 'searchFurther'; readonly kind?: 'measureCoverage' | 'proposeTest' }
  /** Lists the wishes for the next unattended run. */
  | { readonly type: 'wishes' }
  | { readonly type: 'showNight' }
  /** Accepts changes of the newest unattended run. If `changes` is absent, the person is asked for them. */
  | { readonly type: 'acceptNight'; readonly changes?: readonly string[] }
  | { readonly type: 'continueNight' }
  | { readonly type: 'endNight' }
  | { readonly type: 'dropNight'; readonly changes?: readonly string[] }
  | { readonly type: 'squashNight' }
  | { readonly type: 'nightPullRequest' }
  | { readonly type: 'askForChange' }
  /** Acts on a request or a task that waits; if `action` is absent, the person is asked for one. */
  | { readonly type: 'requests'; readonly request?: string; readonly task?: string; readonly action?: string }
  | { readonly type: 'showOutput' }
  | { readonly type: 'openCharter' }
  | { readonly type: 'openSettings'; readonly query: string }
  | { readonly type: 'manageTrust' }
  | { readonly type: 'reloadWindow' }
  | { readonly type: 'initialiseRepository' }
  | { readonly type: 'openSourceControl' }
  | { readonly type: 'openTerminal' }
  | { readonly type: 'openFolder' }
  | { readonly type: 'chooseFolder'; readonly uri: string };
