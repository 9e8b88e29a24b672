// A codicon. It is always next to a text or a label, so screen readers skip it.

import { html, type TemplateResult } from 'lit';

/** The icon with this name from the codicons. `spin`: it turns. */
export function renderIcon(name: string, spin = false): TemplateResult {
  return html`<span class="codicon codicon-${name} ${spin ? 'spin' : ''}" aria-hidden="true"></span>`;
}
