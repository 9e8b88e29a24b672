// Opportunities, best first: a row opens the place, its button makes a proposal.

import { html, nothing, type TemplateResult } from 'lit';
import type { OpportunityState, SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { icon } from '../components/icon.ts';
import { moveAmongRows, rememberRow } from '../components/rows.ts';
import { prose } from '../components/prose.ts';
import { section } from '../components/section.ts';
import { fileName, folderName, whole } from '../format.ts';
import { pageSize, type View } from '../store.ts';

const icons = { hint: 'lightbulb', information: 'info', warning: 'warning' } as const;
/** Shorter lists need no filter. */
const filterFrom = 8;

export function opportunitiesView(view: View, state: SidebarState, actions: Actions): TemplateResult {
  const { opportunities, opportunityCount, index } = state;
  const matching = filtered(opportunities, view.filter);
  const content =
    opportunities.length === 0
      ? html`<p class="dim">${index ? 'None found. New ones appear as the code changes.' : 'They appear while the repository is analysed.'}</p>`
      : html`
          ${opportunities.length >= filterFrom || view.filter ? filterField(view, actions) : nothing}
          ${matching.length === 0 ? html`<p class="dim">No opportunity matches.</p>` : list(matching.slice(0, view.shown), state, actions)}
          ${matching.length > view.shown ? html`<button class="link" type="button" @click=${() => actions.change({ shown: view.shown + pageSize })}>Show more (${whole(matching.length - view.shown)})</button>` : nothing}
          ${opportunityCount > opportunities.length ? html`<p class="dim">The best ${whole(opportunities.length)} of ${whole(opportunityCount)}. All of them: the setting "Diagnostics: Scope" puts the whole repository into the Problems panel.</p>` : nothing}
        `;
  return section(view, actions, { id: 'opportunities', title: 'Opportunities', count: opportunityCount || undefined }, content);
}

function filtered(opportunities: readonly OpportunityState[], filter: string): readonly OpportunityState[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return opportunities.filter(({ message, path, rule }) => words.every((word) => `${message} ${path} ${rule}`.toLowerCase().includes(word)));
}

function filterField({ filter }: View, { change }: Actions): TemplateResult {
  const typed = (event: Event) => change({ filter: (event.currentTarget as HTMLInputElement).value, shown: pageSize });
  return html`<input class="filter" type="search" placeholder="Filter by text, path or rule" aria-label="Filter opportunities" .value=${filter} @input=${typed} />`;
}

function list(rows: readonly OpportunityState[], state: SidebarState, actions: Actions): TemplateResult {
  return html`<ul class="rows" aria-label="Opportunities" @keydown=${moveAmongRows} @focusin=${rememberRow}>
    ${rows.map((row, position) => opportunityRow(row, position === 0, state, actions))}
  </ul>`;
}

function opportunityRow({ id, rule, message, path, line, severity, fixable }: OpportunityState, first: boolean, { trusted, activity }: SidebarState, { post }: Actions): TemplateResult {
  const tab = first ? 0 : -1;
  const improvable = fixable && trusted && activity !== 'stopped';
  return html`<li>
    <button class="row" type="button" data-row tabindex=${tab} title="${message}&#10;${path}:${line} · ${rule}" @click=${() => post({ type: 'openOpportunity', path, line })}>
      ${icon(icons[severity])}
      <span class="texts"><span class="message">${prose(message)}</span><span class="place"><span class="file">${fileName(path)}:${line}</span> ${folderName(path)}</span></span>
    </button>
    <span class="row-actions">
      ${improvable ? html`<button class="tool" type="button" data-row-action tabindex=${tab} title="Improve" aria-label="Improve: ${message}" @click=${() => post({ type: 'improve', opportunity: id })}>${icon('sparkle')}</button>` : nothing}
      <button class="tool" type="button" data-row-action tabindex=${tab} title="About ${rule}" aria-label="About the rule ${rule}" @click=${() => post({ type: 'openRule', rule })}>${icon('book')}</button>
    </span>
  </li>`;
}
