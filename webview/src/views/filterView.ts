// The filters of the list of opportunities: words, rule, folder, severity, and whether a recipe can help.

import { html, nothing, type TemplateResult } from 'lit';
import type { OpportunityFacets, OpportunityFilter, Severity } from '#protocol/opportunities';
import type { Actions } from '../actions.ts';
import { icon } from '../components/icon.ts';
import { whole } from '../format.ts';

const severities: readonly { readonly id: Severity; readonly icon: string; readonly title: string }[] = [
  { id: 'warning', icon: 'warning', title: 'Warnings' },
  { id: 'information', icon: 'info', title: 'Information' },
  { id: 'hint', icon: 'lightbulb', title: 'Hints' },
];

export function isFiltered({
  text = '',
  rule,
  severities: wanted = [],
  path,
  fixable = false,
}: OpportunityFilter): boolean {
  return text !== '' || rule !== undefined || wanted.length > 0 || path !== undefined || fixable;
}

/** `changed`: told before another filter holds. */
export function filterView(
  filter: OpportunityFilter,
  facets: OpportunityFacets | null,
  { change }: Actions,
  changed: () => void,
): TemplateResult {
  const set = (next: OpportunityFilter) => {
    changed();
    change({ filter: next });
  };
  const typed = (event: Event) => set({ ...filter, text: (event.currentTarget as HTMLInputElement).value });
  return html`<div class="filters" role="search">
    <input class="filter" type="search" placeholder="Filter by text, path or rule" aria-label="Filter opportunities" .value=${filter.text ?? ''} @input=${typed} />
    <div class="choices">
      ${choice('Rule', 'All rules', filter.rule, facets?.rules.map(({ id, count }) => ({ id, count })) ?? [], (rule) => set(without(filter, 'rule', rule)))}
      ${choice('Folder', 'All folders', filter.path, facets?.folders.map(({ path, count }) => ({ id: path, count })) ?? [], (path) => set(without(filter, 'path', path)))}
    </div>
    <div class="toggles" role="group" aria-label="Kinds">
      ${severities.map(({ id, icon: name, title }) => toggle(name, title, facets?.severities[id] ?? null, filter.severities?.includes(id) ?? false, () => set(toggled(filter, id))))}
      ${toggle('sparkle', 'A recipe can do it', facets?.fixable ?? null, filter.fixable === true, () => set(without(filter, 'fixable', filter.fixable === true ? undefined : true)))}
      ${isFiltered(filter) ? html`<button class="tool" type="button" title="Clear filters" aria-label="Clear filters" @click=${() => set({})}>${icon('clear-all')}</button>` : nothing}
    </div>
  </div>`;
}

function choice(
  label: string,
  all: string,
  chosen: string | undefined,
  options: readonly { readonly id: string; readonly count: number }[],
  set: (id: string | undefined) => void,
): TemplateResult {
  // What is chosen can be seen even where nothing of it is left.
  const shown =
    chosen === undefined || options.some(({ id }) => id === chosen) ? options : [{ id: chosen, count: 0 }, ...options];
  return html`<select class="choice" aria-label=${label} @change=${(event: Event) => set((event.currentTarget as HTMLSelectElement).value || undefined)}>
    <option value="" .selected=${chosen === undefined}>${all}</option>
    ${shown.map(({ id, count }) => html`<option value=${id} .selected=${id === chosen}>${id} (${whole(count)})</option>`)}
  </select>`;
}

function toggle(name: string, title: string, count: number | null, pressed: boolean, act: () => void): TemplateResult {
  return html`<button class="tool toggle" type="button" title=${title} aria-label="${title}${count === null ? '' : `, ${whole(count)}`}" aria-pressed=${pressed} @click=${act}>${icon(name)}${count === null ? nothing : html`<span class="number">${whole(count)}</span>`}</button>`;
}

function toggled(filter: OpportunityFilter, id: Severity): OpportunityFilter {
  const { severities: wanted = [] } = filter;
  const next = wanted.includes(id) ? wanted.filter((other) => other !== id) : [...wanted, id];
  return without(filter, 'severities', next.length === 0 ? undefined : next);
}

/** With this value, or without the key where there is none. */
function without<K extends keyof OpportunityFilter>(
  filter: OpportunityFilter,
  key: K,
  value: OpportunityFilter[K] | undefined,
): OpportunityFilter {
  const { [key]: _old, ...rest } = filter;
  return value === undefined ? (rest as OpportunityFilter) : ({ ...rest, [key]: value } as OpportunityFilter);
}
