// Renders a category of the points: a bar that expands to show its inputs, and the places in the code that cost most
// points, with buttons to improve them.

import { html, nothing, type TemplateResult } from 'lit';
import type { CategoryState, CostState, SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';
import { renderMeter } from '../components/meter.ts';
import { renderProse } from '../components/prose.ts';
import { renderToolButton } from '../components/tool.ts';
import { fileNameOf, formatPoints } from '../format.ts';
import type { View } from '../store.ts';

/** The category. `change`: the difference from its previous points; null if it has not changed or is unknown. */
export function renderCategory(
  category: CategoryState,
  change: number | null,
  view: View,
  state: SidebarState,
  actions: Actions,
): TemplateResult {
  const { name, label, points: value, max } = category;
  const isOpen = view.opened.includes(name);
  const toggle = () =>
    actions.change({
      opened: isOpen ? view.opened.filter((openedName) => openedName !== name) : [...view.opened, name],
    });
  const title = isOpen ? `Hide what ${label} consists of` : `Show what ${label} consists of and what costs most`;
  const explanation = isOpen ? renderExplanation(category, state, actions) : nothing;
  return html`<div class="category">
    <button class="opener" type="button" title=${title} aria-label=${title} aria-expanded=${isOpen ? 'true' : 'false'}
        aria-controls=${`category-${name}`} @click=${toggle}>${renderIcon('chevron-right')}</button>
    ${renderMeter({ label, value, max, text: value === null ? 'not measured' : `${formatPoints(value)} of ${formatPoints(max)}`, kind: 'points', change })}
    <div class="explained" id=${`category-${name}`} role="group" aria-label=${label} ?hidden=${!isOpen}>${explanation}</div>
  </div>`;
}

/** The inputs of a category, and the places that cost most points. */
function renderExplanation(
  { name, label, inputs, places }: CategoryState,
  state: SidebarState,
  actions: Actions,
): TemplateResult {
  return html`
    <ul class="inputs" aria-label=${`What ${label} consists of`}>${inputs.map(renderInput)}</ul>
    ${name === 'testCoverage' && inputs.some((input) => input.points === null) ? renderMeasureButton(state, actions) : nothing}
    ${
      places.length === 0
        ? nothing
        : html`<p class="dim">Costs most:</p><ul class="places"
        aria-label=${`What costs most of ${label}`}>${places.map((place) => renderPlace(place, state, actions))}</ul>`
    }
  `;
}

/**
 * The button that measures the test coverage, which runs the tests; nothing if the workspace is not trusted, while work
 * is running, or if an obstacle such as a missing commit prevents it.
 */
function renderMeasureButton(
  { trusted, activity, doable }: SidebarState,
  { post }: Actions,
): TemplateResult | typeof nothing {
  if (!trusted || activity !== 'idle' || doable.barrier !== null) return nothing;
  const startMeasuring = (): void => post({ type: 'searchFurther', kind: 'measureCoverage' });
  return html`<button class="link" type="button" title="Runs the tests in the sandbox" @click=${startMeasuring}>Measure Test Coverage</button>`;
}

/** An input with its points. If it is not measured, it counts as 0 points, and the reason is shown. */
function renderInput({ name, points: value, max, said }: CategoryState['inputs'][number]): TemplateResult {
  const figure = value === null ? `0 of ${formatPoints(max)}` : `${formatPoints(value)} of ${formatPoints(max)}`;
  const text = value === null ? `Not measured: ${said || 'there is no report of it'}` : said;
  return html`<li><span class="name">${name}</span> <span
      class="figure">${figure}</span>${
        text === ''
          ? nothing
          : html` <span
      class="dim">${renderProse(text)}</span>`
      }</li>`;
}

/** A place in the code with the points that it costs. A click opens it. */
function renderPlace(place: CostState, { trusted, activity }: SidebarState, { post }: Actions): TemplateResult {
  const { path, line, symbol, points: cost, input, said, improvement } = place;
  const file = html`<span class="file">${fileNameOf(path)}:${line}</span>`;
  const isImprovable = improvement !== null && trusted && activity !== 'stopped';
  return html`<li>
    <button class="place" type="button" title=${`${path}:${line}\n${input}: ${said}`}
        @click=${() => post({ type: 'openOpportunity', path, line })}>
      <span class="figure worse">−${formatPoints(cost)}</span>
      <span class="texts"><span class="one-line">${symbol ?? file}</span><span
          class="dim one-line">${symbol === null ? nothing : html`${file} · `}${said}</span></span>
    </button>
    ${isImprovable ? renderToolButton({ icon: 'sparkle', title: 'Improve', objectName: improvement.message, onClick: () => post({ type: 'improve', opportunity: improvement.opportunity }) }) : nothing}
  </li>`;
}
