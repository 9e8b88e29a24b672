// Renders a summary of the charter (what Selfware is allowed to change): which changes need approval, the protected
// paths, and how much of the budget of changes is used.

import { html, type TemplateResult } from 'lit';
import type { SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderMeter } from '../components/meter.ts';
import { renderSection } from '../components/section.ts';
import { formatCount, formatWholeNumber } from '../format.ts';
import type { View } from '../store.ts';

/** The meaning of each level of approval. */
const APPROVAL_TEXTS: Readonly<Record<string, string>> = {
  strict: 'strict: every change asks you',
  moderate: 'moderate: critical and large changes ask you',
  minimal: 'minimal: only safety-critical changes ask you',
};

/** The section of the charter. */
export function renderCharter(view: View, { charter }: SidebarState, actions: Actions): TemplateResult {
  const { approval, changesUsed, changesAllowed, builtInPaths, ownPaths } = charter;
  const { post } = actions;
  return renderSection(
    view,
    actions,
    {
      id: 'charter',
      title: 'Charter',
      summary: approval ? `${approval}, ${changesUsed} of ${changesAllowed} changes used` : '',
    },
    () => html`
    ${renderMeter({ label: 'Changes', value: changesUsed, max: changesAllowed, kind: 'changes', text: `${formatWholeNumber(changesUsed)} of ${formatWholeNumber(changesAllowed)} this session` })}
    <dl class="facts-list">
      <dt>Approval</dt><dd>${APPROVAL_TEXTS[approval] ?? approval}</dd>
      <dt>Protected</dt><dd>${formatCount(builtInPaths, 'pattern')} built in, ${formatWholeNumber(ownPaths)} of your own</dd>
    </dl>
    <span class="links"><button class="link" type="button"
        @click=${() => post({ type: 'openCharter' })}>Open the charter</button><button class="link" type="button"
        @click=${() => post({ type: 'openSettings', query: '@ext:selfware.selfware charter' })}>Settings…</button></span>
  `,
  );
}
