// Renders the list of opportunities, best first. A row opens the place in the editor; its buttons make a proposal,
// dismiss the opportunity, or open the page of its rule.

import { html, nothing, type TemplateResult } from 'lit';
import type { OpportunityFilter, Severity } from '#protocol/opportunities';
import type { OpportunityState, SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';
import { renderProse } from '../components/prose.ts';
import { renderSection } from '../components/section.ts';
import { renderToolButton } from '../components/tool.ts';
import { VirtualList } from '../components/virtualList.ts';
import { fileNameOf, parentFolderOf, formatWholeNumber } from '../format.ts';
import type { View } from '../store.ts';
import { renderFilters, isFiltered } from './filterView.ts';

const ICON_BY_SEVERITY: Readonly<Record<Severity, string>> = {
  hint: 'lightbulb',
  information: 'info',
  warning: 'warning',
};
/** The filter is shown only if there are at least this many opportunities. */
const MIN_FOR_FILTER = 8;

/** The section of the opportunities. */
export function renderOpportunities(view: View, state: SidebarState, actions: Actions): TemplateResult {
  const { opportunityCount, opportunityRevision, doable } = state;
  const { pages } = actions;
  return renderSection(
    view,
    actions,
    { id: 'opportunities', title: 'Opportunities', count: opportunityCount || undefined },
    () => {
      if (opportunityCount === 0 && !(view.filter.quiet && doable.quiet > 0))
        return html`<p
            class="dim">${renderProse(doable.empty)}${describeProgress(state)}</p>${renderTestsOffer(state, actions)}${renderQuietLine(view.filter, state, actions)}`;
      pages.follow(opportunityRevision, view.filter);
      const { summary } = pages;
      const hasFilter = isFiltered(view.filter);
      return html`
      ${opportunityCount >= MIN_FOR_FILTER || hasFilter || view.filter.quiet ? renderFilters(view.filter, summary?.facets ?? null, actions, scrollListToTop) : nothing}
      ${
        summary && hasFilter
          ? html`<p class="dim"
          role="status">${summary.matching === 0 ? 'No opportunity matches.' : `${formatWholeNumber(summary.matching)} of ${formatWholeNumber(summary.total)}`}</p>`
          : nothing
      }
      ${summary?.matching === 0 ? nothing : renderList(summary?.matching ?? Math.min(opportunityCount + (view.filter.quiet ? doable.quiet : 0), MIN_FOR_FILTER), state, view.filter, actions)}
      ${renderQuietLine(view.filter, state, actions)}
    `;
    },
  );
}

/**
 * The progress of the analysis, such as "64 of 162 files so far"; '' if it has ended or is not running, or if the
 * number of files is unknown. It is shown because an empty list has no meaning before all files were analysed.
 */
function describeProgress({ activity, progress, doable }: SidebarState): string {
  if (doable.analysed || activity !== 'analysing' || !progress || progress.total === null) return '';
  return ` ${formatWholeNumber(progress.done)} of ${formatWholeNumber(progress.total)} files so far.`;
}

/** The offer to search for missing tests, which an empty list shows if the functions here can be searched. */
function renderTestsOffer(
  { doable, trusted, activity }: SidebarState,
  { post }: Actions,
): TemplateResult | typeof nothing {
  if (!trusted || !doable.canSearch || activity !== 'idle') return nothing;
  const searchTests = (): void => post({ type: 'searchFurther', kind: 'proposeTest' });
  return html`<p class="dim">Your tests may miss mistakes. Selfware can search for one and propose a test in a few minutes.</p>
    <vscode-button block secondary @click=${searchTests}><span slot="content-before">${renderIcon('beaker')}</span>Find Missing Tests</vscode-button>`;
}

/** The line about opportunities that the default filter hides, with a button that shows or hides them. */
function renderQuietLine(
  filter: OpportunityFilter,
  { doable }: SidebarState,
  { change }: Actions,
): TemplateResult | typeof nothing {
  if (doable.more === null) return nothing;
  const { quiet, ...otherFilters } = filter;
  const changeFilter = (newFilter: OpportunityFilter) => {
    scrollListToTop();
    change({ filter: newFilter });
  };
  return quiet
    ? html`<p class="dim">Shown too: ${formatWholeNumber(doable.quiet)} from rules that are quiet by default. <button
        class="link" type="button" @click=${() => changeFilter(otherFilters)}>Hide them</button></p>`
    : html`<p class="dim">${renderProse(doable.more)} <button class="link" type="button"
        @click=${() => changeFilter({ ...filter, quiet: true })}>Show all</button></p>`;
}

/** Scrolls the list to the top, where the best opportunities of a new filter are. */
function scrollListToTop(): void {
  const rows = document.querySelector('selfware-rows');
  if (rows instanceof VirtualList) rows.scrollToTop();
}

function renderList(count: number, state: SidebarState, filter: OpportunityFilter, actions: Actions): TemplateResult {
  const { pages } = actions;
  return html`<selfware-rows
    .count=${count}
    .label=${'Opportunities'}
    .stamp=${`${state.opportunityRevision} ${JSON.stringify(filter)}`}
    .shown=${(first: number, last: number, active: number) => pages.show(first, last, active)}
    .row=${(index: number, isActive: boolean) => renderRow(pages.row(index), isActive, state, actions)}
  ></selfware-rows>`;
}

/** A row of the list; "Loading…" as long as its page is not loaded. */
function renderRow(
  row: OpportunityState | undefined,
  isActive: boolean,
  { trusted, activity, doable }: SidebarState,
  { post }: Actions,
): TemplateResult {
  const tab = isActive ? 0 : -1;
  if (!row)
    return html`<button class="row" type="button" data-row tabindex=${tab} aria-busy="true"><span class="texts"><span
        class="dim">Loading…</span></span></button>`;
  const { id, rule, message, path, line, column, severity, impact, fixable, turnedDown } = row;
  const isImprovable = fixable && trusted && doable.barrier === null && activity !== 'stopped';
  return html`<button class="row" type="button" data-row tabindex=${tab}
      title="${message}&#10;${turnedDown ? `${turnedDown}\n` : ''}${path}:${line}&#10;${rule}${row.quiet ? ' (quiet by default)' : ''} · ${severity} · impact ${Math.round(impact)} of 100"
      @click=${() => post({ type: 'openOpportunity', path, line, column })}>
      ${renderIcon(ICON_BY_SEVERITY[severity])}<span class="aloud">${severity}:</span>
      <span class="texts"><span class="message">${renderProse(message)}</span><span class="where"><span
          class="file">${fileNameOf(path)}:${line}</span> ${row.turnedDownBriefly ?? parentFolderOf(path)}</span></span>
    </button>
    <span class="row-actions">
      ${isImprovable ? renderImproveButton(row, tab, post) : nothing}
      ${renderToolButton({ icon: 'bell-slash', title: 'Dismiss', objectName: message, tab, onClick: () => post({ type: 'dismiss', opportunity: id, path, rule }) })}
      ${renderToolButton({ icon: 'book', title: `About ${rule}`, tab, onClick: () => post({ type: 'openRule', rule }) })}
    </span>`;
}

/**
 * The button that improves an opportunity. If it was turned down before, the button says so and offers to try again.
 */
function renderImproveButton(
  { id, message, turnedDown }: OpportunityState,
  tab: 0 | -1,
  post: Actions['post'],
): TemplateResult {
  return turnedDown
    ? renderToolButton({
        icon: 'debug-restart',
        title: 'Try Again',
        objectName: `${message}. ${turnedDown}`,
        tab,
        onClick: () => post({ type: 'improve', opportunity: id, again: true }),
      })
    : renderToolButton({
        icon: 'sparkle',
        title: 'Improve',
        objectName: message,
        tab,
        onClick: () => post({ type: 'improve', opportunity: id }),
      });
}
