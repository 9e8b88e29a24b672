// A codicon. Always beside a text or a label, so it is silent for screen readers.

import { html, type TemplateResult } from 'lit';

export function icon(name: string, spin = false): TemplateResult {
  return html`<span class="codicon codicon-${name} ${spin ? 'spin' : ''}" aria-hidden="true"></span>`;
}
