// Renders an icon of VS Code's icon font (codicons). Icons are always next to a text or a label, so screen readers skip
// them.

import { html, type TemplateResult } from 'lit';

/** The codicon with this name. `isSpinning`: true to let it rotate. */
export function renderIcon(name: string, isSpinning = false): TemplateResult {
  return html`<span class="codicon codicon-${name} ${isSpinning ? 'spin' : ''}" aria-hidden="true"></span>`;
}
