// A bar of how much of a budget is used, with the figures in words. `value` null = unknown, which is not zero.

import { html, type TemplateResult } from 'lit';

export interface MeterParts {
  readonly label: string;
  readonly value: number | null;
  readonly max: number;
  /** What stands beside the bar and is read aloud: "12 of 25 points". */
  readonly text: string;
  readonly kind: 'points' | 'tokens';
}

export function meter({ label, value, max, text, kind }: MeterParts): TemplateResult {
  const share = value === null || max <= 0 ? 0 : Math.min(1, Math.max(0, value / max));
  // A little is visibly more than nothing.
  const scale = share > 0 ? Math.max(share, 0.01) : 0;
  // As a property: the content security policy forbids style attributes.
  return html`<div class="meter of-${kind} ${value === null ? 'unknown' : ''}" role="meter" aria-label=${label} aria-valuemin="0" aria-valuemax=${max} aria-valuenow=${value ?? 0} aria-valuetext=${text}>
    <span class="label">${label}</span><span class="figure">${text}</span>
    <span class="track"><span class="fill" .style=${`transform: scaleX(${scale})`}></span></span>
  </div>`;
}
