// The way back: applied changes, newest first.

import { html, type TemplateResult } from 'lit';
import type { CheckpointState, SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { prose } from '../components/prose.ts';
import { section } from '../components/section.ts';
import { ago } from '../format.ts';
import type { View } from '../store.ts';

export function checkpointsView(view: View, { checkpoints }: SidebarState, actions: Actions): TemplateResult {
  const now = Date.now();
  const content =
    checkpoints.length === 0
      ? html`<p class="dim">No change was applied yet. Each one leaves a checkpoint here, the way back.</p>`
      : html`<ul class="cards">${checkpoints.map((checkpoint) => card(checkpoint, now, actions))}</ul>`;
  return section(view, actions, { id: 'checkpoints', title: 'Checkpoints', count: checkpoints.length || undefined }, content);
}

function card({ id, title, createdAt, paths, rolledBack }: CheckpointState, now: number, { post }: Actions): TemplateResult {
  return html`<li class="card ${rolledBack ? 'over' : ''}" aria-label=${title}>
    <strong>${prose(title)}</strong>
    <span class="dim wrap">${paths.join(', ')}</span>
    <span class="facts"><time datetime=${new Date(createdAt).toISOString()} title=${new Date(createdAt).toLocaleString()}>${ago(createdAt, now)}</time>${rolledBack ? ' · rolled back' : ''}</span>
    ${rolledBack ? '' : html`<span class="buttons"><vscode-button secondary aria-label="Roll back ${title}" @click=${() => post({ type: 'rollback', checkpoint: id })}>Roll back</vscode-button></span>`}
  </li>`;
}
