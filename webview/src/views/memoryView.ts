// Renders figures of the index, and how each layer of the memory uses the budget of tokens.

import { html, nothing, type TemplateResult } from 'lit';
import type { SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';
import { renderMeter } from '../components/meter.ts';
import { renderSection } from '../components/section.ts';
import { formatCount, formatRounded, formatWholeNumber } from '../format.ts';
import type { View } from '../store.ts';

const LABEL_BY_LAYER = {
  working: 'Working',
  episodic: 'Episodic',
  semantic: 'Semantic',
  reserve: 'Reply reserve',
} as const;

/** The section of the memory and the index. */
export function renderMemory(view: View, { index, memory, git }: SidebarState, actions: Actions): TemplateResult {
  const summary = index
    ? `${formatCount(index.files, 'file')}${index.store === 'lancedb' ? '' : ', words only'}`
    : 'nothing indexed yet';
  return renderSection(
    view,
    actions,
    { id: 'memory', title: 'Memory', summary },
    () => html`
    ${memory.map((layer) => renderMeter({ label: LABEL_BY_LAYER[layer.layer], value: layer.tokens, max: layer.budget + (layer.borrowed ?? 0), kind: 'tokens', text: formatLayer(layer) }))}
    ${index ? renderFacts(index, git, actions) : html`<p class="dim">Nothing is indexed yet.</p>`}
  `,
  );
}

/** The used and the budgeted tokens of a layer, and how many it has borrowed from or lent to other layers. */
function formatLayer({ tokens, budget, borrowed = 0, lent = 0 }: SidebarState['memory'][number]): string {
  const borrowingText =
    borrowed > 0 ? ` + ${formatRounded(borrowed)} borrowed` : lent > 0 ? `, ${formatRounded(lent)} lent` : ' tokens';
  return `${formatWholeNumber(tokens)} of ${formatRounded(budget)}${borrowingText}`;
}

/** The figures of the index, and links to refresh it and to change the budgets. */
function renderFacts(
  index: NonNullable<SidebarState['index']>,
  git: SidebarState['git'],
  { post }: Actions,
): TemplateResult {
  return html`
    ${
      index.store === 'lancedb'
        ? nothing
        : html`<p
        class="notice warning">${renderIcon('warning')}<span>LanceDB could not be loaded on this machine. Search ranks by words alone; everything else works.</span></p>`
    }
    <dl class="facts-list">
      <dt>Index</dt><dd>${formatCount(index.files, 'file')}, ${formatCount(index.symbols, 'symbol')}, ${formatCount(index.chunks, 'chunk')}</dd>
      <dt>Search</dt><dd>${index.store === 'lancedb' ? 'words and vectors (LanceDB)' : 'words only'}</dd>
      <dt>Vector model</dt><dd>${index.embedder.startsWith('static-') ? 'built in' : index.embedder}</dd>
      ${index.skipped ? html`<dt>Skipped</dt><dd>${formatCount(index.skipped, 'file')}</dd>` : nothing}
      ${git ? html`<dt>Git</dt><dd>${git.head ? `${git.branch ?? 'detached HEAD'} at ${git.head.slice(0, 8)}` : 'no commit yet'}</dd>` : nothing}
    </dl>
    <span class="links"><button class="link" type="button"
        @click=${() => post({ type: 'index' })}>Look for changes now</button><button class="link" type="button"
        @click=${() => post({ type: 'openSettings', query: '@ext:selfware.selfware memory' })}>Budgets…</button></span>
  `;
}
