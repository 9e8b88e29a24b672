// Renders the points (the score of the repository), their trend, and the causes of the last changes. What is unknown is
// shown as unknown, never as zero.

import { html, nothing, type TemplateResult } from 'lit';
import type { PointsState, SidebarState, TrendPoint } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderProse } from '../components/prose.ts';
import '../components/trendChart.ts';
import { formatAge, formatCount, formatDelta, formatPoints } from '../format.ts';
import type { View } from '../store.ts';
import { renderCategory } from './categoryView.ts';

/** Maximum number of listed causes, the newest ones. The ledger has all. */
const MAX_CAUSES = 3;

/** The section of the points. */
export function renderPoints(view: View, state: SidebarState, actions: Actions): TemplateResult {
  const { points: score, trend, git } = state;
  return html`<section class="points" aria-label="Points">
    <div class="title">${renderHeading(state, actions)}${
      git
        ? html`<span
        class="dim one-line">${git.branch ?? (git.head ? 'detached HEAD' : 'no commit yet')}</span>`
        : nothing
    }</div>
    ${
      score
        ? renderMeasured(score, trend, view, state, actions)
        : html`<p
        class="dim">${state.doable.analysed ? 'No points yet: there is nothing here that can be scored. They appear with the first code.' : 'The points appear once the repository has been analysed.'}</p>`
    }
  </section>`;
}

/** The name of the folder; with several folders, a list to choose another folder. */
function renderHeading({ rootName, folder, folders }: SidebarState, { post }: Actions): TemplateResult {
  if (folders.length < 2) return html`<h1>${rootName}</h1>`;
  const choose = (event: Event) =>
    post({ type: 'chooseFolder', uri: (event.currentTarget as HTMLSelectElement).value });
  return html`<h1 class="aloud">${rootName}</h1>
    <select class="choice folder" aria-label="Workspace folder" @change=${choose}>${folders.map(({ uri, name, waiting }) => html`<option value=${uri} .selected=${uri === folder}>${name}${waiting ? ` (${formatCount(waiting, 'decision')})` : ''}</option>`)}</select>`;
}

/** The total with its last step, the chart, and the categories. */
function renderMeasured(
  score: PointsState,
  trend: readonly TrendPoint[],
  view: View,
  state: SidebarState,
  actions: Actions,
): TemplateResult {
  const lastPoint = trend.at(-1);
  const step = trend.length > 1 && lastPoint ? lastPoint.total - trend.at(-2)!.total : null;
  return html`
    <p class="total"><strong>${formatPoints(score.total)}</strong> <span>of ${formatPoints(score.max)} points</span
      >${step ? html` <span class="step ${step > 0 ? 'better' : 'worse'}">${formatDelta(step)}</span>` : nothing}</p>
    ${renderUnmeasured(score)}
    ${trend.length > 1 ? renderChart(trend) : nothing}
    <div
        class="categories">${score.categories.map((category) => renderCategory(category, lastPoint?.moved.find(({ label }) => label === category.label)?.delta ?? null, view, state, actions))}</div>
    <p class="dim"><abbr
        title=${`How points are counted; version ${score.rulerVersion}. What is not measured earns nothing. Points of different versions are never compared.`}>Ruler ${score.rulerVersion}</abbr>: how points are counted.</p>
  `;
}

/**
 * The line about points that are not measured; nothing if all are. Without it, few points could mean many problems, or
 * that little was measured.
 */
function renderUnmeasured({ categories }: PointsState): TemplateResult | typeof nothing {
  const unmeasuredInputs = categories.flatMap(({ inputs }) => inputs).filter((input) => input.points === null);
  const missingPoints = unmeasuredInputs.reduce((total, { max }) => total + max, 0);
  return missingPoints === 0
    ? nothing
    : html`<p class="dim">${formatPoints(missingPoints)} of them are not measured here: open a category to see why.</p>`;
}

/** The chart of the trend, and the list of the last causes. */
function renderChart(trend: readonly TrendPoint[]): TemplateResult {
  const [firstMeasurement, lastMeasurement] = [trend[0]!, trend.at(-1)!];
  const label = `Points over ${formatCount(trend.length, 'measurement')}: from ${formatPoints(firstMeasurement.total)} to ${formatPoints(lastMeasurement.total)}`;
  return html`
    <selfware-trend .trend=${trend} .label=${label} .pointed=${(index: number | null) => showMeasurement(trend, index)}></selfware-trend>
    <p class="readout dim one-line" aria-hidden="true">${describePeriod(trend)}</p>
    <ul class="causes" aria-label="What moved the points">${trend
      .filter(({ cause }) => cause !== null)
      .slice(-MAX_CAUSES)
      .toReversed()
      .map((point) => renderCause(point, trend[trend.indexOf(point) - 1]))}</ul>
  `;
}

/** A step of the trend with its cause. `previousPoint`: the previous measurement. */
function renderCause({ at, total, cause: text }: TrendPoint, previousPoint: TrendPoint | undefined): TemplateResult {
  const step = previousPoint ? total - previousPoint.total : 0;
  return html`<li><span class="figure ${step > 0 ? 'better' : step < 0 ? 'worse' : ''}">${formatDelta(step)}</span
    ><span class="one-line" title=${text ?? ''}>${renderProse(text ?? '')}</span><time
      class="dim"
      datetime=${new Date(at).toISOString()}
      title=${new Date(at).toLocaleString()}
      >${formatAge(at, Date.now())}</time></li>`;
}

/** Shows the measurement under the mouse in the line below the chart, without rendering the page again. */
function showMeasurement(trend: readonly TrendPoint[], index: number | null): void {
  const line = document.querySelector<HTMLElement>('.readout');
  const point = index === null ? undefined : trend[index];
  if (line)
    line.dataset['at'] = point
      ? `${formatPoints(point.total)} · ${formatAge(point.at, Date.now())}${point.cause ? ` · ${point.cause}` : ''}`
      : '';
}

function describePeriod(trend: readonly TrendPoint[]): string {
  return `${formatCount(trend.length, 'measurement')} since ${new Date(trend[0]!.at).toLocaleDateString()}`;
}
