// Renders the filters of the list of opportunities: text, rule, folder, severity, and whether a recipe can make the
// change.

import { html, nothing, type TemplateResult } from 'lit';
import type { OpportunityFacets, OpportunityFilter, Severity } from '#protocol/opportunities';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';
import { formatWholeNumber } from '../format.ts';

const SEVERITIES: readonly { readonly id: Severity; readonly icon: string; readonly title: string }[] = [
  { id: 'warning', icon: 'warning', title: 'Warnings' },
  { id: 'information', icon: 'info', title: 'Information' },
  { id: 'hint', icon: 'lightbulb', title: 'Hints' },
];

/** True if the filter has any condition. That quiet opportunities are shown is not a condition. */
export function isFiltered({
  text = '',
  rule,
  severities: wantedSeverities = [],
  path,
  fixable = false,
}: OpportunityFilter): boolean {
  return text !== '' || rule !== undefined || wantedSeverities.length > 0 || path !== undefined || fixable;
}

/**
 * The filters. `facets`: the numbers of opportunities for each value; null before they are known. `beforeChange` is
 * called before the filter changes.
 */
export function renderFilters(
  filter: OpportunityFilter,
  facets: OpportunityFacets | null,
  { change }: Actions,
  beforeChange: () => void,
): TemplateResult {
  const changeFilter = (newFilter: OpportunityFilter) => {
    beforeChange();
    change({ filter: newFilter });
  };
  const onInput = (event: Event) => changeFilter({ ...filter, text: (event.currentTarget as HTMLInputElement).value });
  return html`<div class="filters" role="search">
    <input class="filter" type="search" placeholder="Filter by text, path or rule" aria-label="Filter opportunities"
        .value=${filter.text ?? ''} @input=${onInput} />
    <div class="choices">
      ${renderSelection('Rule', 'All rules', filter.rule, facets?.rules.map(({ id, count }) => ({ id, count })) ?? [], (rule) => changeFilter(replaceValue(filter, 'rule', rule)))}
      ${renderSelection('Folder', 'All folders', filter.path, facets?.folders.map(({ path, count }) => ({ id: path, count })) ?? [], (path) => changeFilter(replaceValue(filter, 'path', path)))}
    </div>
    <div class="toggles" role="group" aria-label="Kinds">
      ${SEVERITIES.map(({ id, icon, title }) => renderToggle(icon, title, facets?.severities[id] ?? null, filter.severities?.includes(id) ?? false, () => changeFilter(toggleSeverity(filter, id))))}
      ${renderToggle('sparkle', 'A recipe can do it', facets?.fixable ?? null, filter.fixable === true, () => changeFilter(replaceValue(filter, 'fixable', filter.fixable === true ? undefined : true)))}
      ${
        isFiltered(filter)
          ? html`<button class="tool" type="button" title="Clear filters" aria-label="Clear filters"
          @click=${() => changeFilter({})}>${renderIcon('clear-all')}</button>`
          : nothing
      }
    </div>
  </div>`;
}

/** A list in which one option, or all of them, can be chosen. */
function renderSelection(
  label: string,
  allLabel: string,
  chosenId: string | undefined,
  options: readonly { readonly id: string; readonly count: number }[],
  setId: (id: string | undefined) => void,
): TemplateResult {
  // The chosen option is listed even if no opportunity matches it.
  const shownOptions =
    chosenId === undefined || options.some(({ id }) => id === chosenId)
      ? options
      : [{ id: chosenId, count: 0 }, ...options];
  return html`<select class="choice" aria-label=${label}
      @change=${(event: Event) => setId((event.currentTarget as HTMLSelectElement).value || undefined)}>
    <option value="" .selected=${chosenId === undefined}>${allLabel}</option>
    ${shownOptions.map(
      ({ id, count }) => html`<option value=${id}
        .selected=${id === chosenId}>${id} (${formatWholeNumber(count)})</option>`,
    )}
  </select>`;
}

/** A button that switches a condition on and off, with the number of opportunities that meet it. */
function renderToggle(
  iconName: string,
  title: string,
  count: number | null,
  isPressed: boolean,
  onClick: () => void,
): TemplateResult {
  return html`<button class="tool toggle" type="button" title=${title}
      aria-label="${title}${count === null ? '' : `, ${formatWholeNumber(count)}`}" aria-pressed=${isPressed}
      @click=${onClick}>${renderIcon(iconName)}${
        count === null
          ? nothing
          : html`<span
      class="number">${formatWholeNumber(count)}</span>`
      }</button>`;
}

function toggleSeverity(filter: OpportunityFilter, id: Severity): OpportunityFilter {
  const { severities: wantedSeverities = [] } = filter;
  const newSeverities = wantedSeverities.includes(id)
    ? wantedSeverities.filter((severity) => severity !== id)
    : [...wantedSeverities, id];
  return replaceValue(filter, 'severities', newSeverities.length === 0 ? undefined : newSeverities);
}

/** A copy of the filter with this value; if the value is undefined, without the key. */
function replaceValue<K extends keyof OpportunityFilter>(
  filter: OpportunityFilter,
  key: K,
  value: OpportunityFilter[K] | undefined,
): OpportunityFilter {
  const { [key]: _old, ...otherFields } = filter;
  return value === undefined
    ? (otherFields as OpportunityFilter)
    : ({ ...otherFields, [key]: value } as OpportunityFilter);
}
