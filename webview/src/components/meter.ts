// Renders a bar that shows which share of a maximum is reached, with the figures as text.

import { html, nothing, type TemplateResult } from 'lit';
import { formatDelta } from '../format.ts';

/** The data of a bar. `value`: null if it is unknown, which is shown differently from zero. */
export interface MeterParts {
  readonly label: string;
  readonly value: number | null;
  readonly max: number;
  /** The text next to the bar, such as "12 of 25 points". Screen readers read it, too. */
  readonly text: string;
  readonly kind: 'points' | 'tokens' | 'changes';
  /** The last change of the value; null if there is none. */
  readonly change?: number | null;
}

/** The bar as a `meter` for screen readers. */
export function renderMeter({ label, value, max, text, kind, change = null }: MeterParts): TemplateResult {
  const share = value === null || max <= 0 ? 0 : Math.min(1, Math.max(0, value / max));
  // Even the smallest share must be visible.
  const scale = share > 0 ? Math.max(share, 0.01) : 0;
  const spokenText = change === null ? text : `${text}, ${formatDelta(change)}`;
  // The style is set as a property, because the content security policy forbids style attributes.
  return html`<div class="meter of-${kind} ${value === null ? 'unknown' : ''} ${share >= 0.95 ? 'nearly' : ''}"
      role="meter" aria-label=${label} aria-valuemin="0" aria-valuemax=${max} aria-valuenow=${value ?? 0}
      aria-valuetext=${spokenText}>
    <span class="label one-line">${label}</span>
    <span class="track"><span class="fill" .style=${`transform: scaleX(${scale})`}></span></span>
    <span class="change ${change !== null && change > 0 ? 'better' : 'worse'}"
      >${
        change === null
          ? nothing
          : html`<span aria-hidden="true" title=${formatDelta(change)}
        >${change > 0 ? '▲' : '▼'}</span>`
      }</span>
    <span class="figure">${text}</span>
  </div>`;
}
