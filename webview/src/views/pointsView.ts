// The score on the frozen ruler, whole and by category. Unknown is said, never counted as nothing.

import { html, type TemplateResult } from 'lit';
import type { SidebarState } from '#protocol/state';
import { meter } from '../components/meter.ts';
import { points } from '../format.ts';

export function pointsView({ points: score, rootName }: SidebarState): TemplateResult {
  if (!score) {
    return html`<section class="points" aria-label="Points">
      <h1>${rootName}</h1>
      <p class="dim">The points appear once the repository is indexed and analysed.</p>
    </section>`;
  }
  return html`<section class="points" aria-label="Points">
    <h1>${rootName}</h1>
    <p class="total"><strong>${points(score.total)}</strong> <span>of ${points(score.max)} points</span></p>
    ${score.categories.map(({ label, points: value, max }) => meter({ label, value, max, kind: 'points', text: value === null ? 'unknown' : `${points(value)} of ${points(max)}` }))}
    <p class="dim">Ruler ${score.rulerVersion}. What is unknown counts for neither side.</p>
  </section>`;
}
