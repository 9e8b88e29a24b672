// A bar that shows how much of a budget is used, with the figures in words. `value` null means unknown, which is not
// zero.

import { html, nothing, type TemplateResult } from 'lit';
import { delta } from '../format.ts';

export interface MeterParts {
  readonly label: string;
  readonly value: number | null;
  readonly max: number;
  /** What stands beside the bar and is read aloud: "12 of 25 points". */
  readonly text: string;
  readonly kind: 'points' | 'tokens' | 'changes';
  /** How it moved last; null = it did not. */
  readonly change?: number | null;
}

export function meter({ label, value, max, text, kind, change = null }: MeterParts): TemplateResult {
  const share = value === null || max <= 0 ? 0 : Math.min(1, Math.max(0, value / max));
  // A little is visibly more than nothing.
  const scale = share > 0 ? Math.max(share, 0.01) : 0;
  const aloud = change === null ? text : `${text}, ${delta(change)}`;
  // As a property: the content security policy forbids style attributes.
  return html`<div class="meter of-${kind} ${value === null ? 'unknown' : ''} ${share >= 0.95 ? 'nearly' : ''}" role="meter" aria-label=${label} aria-valuemin="0" aria-valuemax=${max} aria-valuenow=${value ?? 0} aria-valuetext=${aloud}>
    <span class="label one-line">${label}</span>
    <span class="track"><span class="fill" .style=${`transform: scaleX(${scale})`}></span></span>
    <span class="change ${change !== null && change > 0 ? 'better' : 'worse'}">${change === null ? nothing : html`<span aria-hidden="true" title=${delta(change)}>${change > 0 ? '▲' : '▼'}</span>`}</span>
    <span class="figure">${text}</span>
  </div>`;
}
