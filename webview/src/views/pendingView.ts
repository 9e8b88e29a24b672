// Proposals that wait for a decision.

import { html, nothing, type TemplateResult } from 'lit';
import type { ProposalState, SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { prose } from '../components/prose.ts';
import { section } from '../components/section.ts';
import { gain } from '../format.ts';
import type { View } from '../store.ts';

export function pendingView(view: View, { pending, changesUsed, changesAllowed, approval }: SidebarState, actions: Actions): TemplateResult {
  const content = html`
    ${pending.length === 0
      ? html`<p class="dim">No proposal waits. Improve makes one.</p>`
      : html`<ul class="cards">${pending.map((proposal) => card(proposal, actions))}</ul>`}
    ${changesAllowed > 0 ? html`<p class="dim">${changesUsed} of ${changesAllowed} changes of this session used. Approval: ${approval}.</p>` : nothing}
  `;
  return section(view, actions, { id: 'pending', title: 'To decide', count: pending.length || undefined, urgent: true }, content);
}

function card({ id, title, status, paths, pointsDelta, reason }: ProposalState, { post }: Actions): TemplateResult {
  return html`<li class="card" aria-label=${title}>
    <strong>${prose(title)}</strong>
    <span class="dim wrap">${paths.join(', ')}</span>
    <span class="facts">${pointsDelta === null ? 'points unknown' : html`<span class=${pointsDelta > 0 ? 'better' : ''}>${gain(pointsDelta)}</span>`} · ${status}${reason ? ` · ${reason}` : ''}</span>
    <span class="buttons">
      <vscode-button aria-label="Review ${title}" @click=${() => post({ type: 'review', proposal: id })}>Review</vscode-button>
      <vscode-button secondary aria-label="Reject ${title}" @click=${() => post({ type: 'reject', proposal: id })}>Reject</vscode-button>
    </span>
  </li>`;
}
