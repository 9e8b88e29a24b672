// Renders a sentence that contains code in backquotes. All of it is inserted as text, never as markup.

import { html, type TemplateResult } from 'lit';

/** The pieces of a sentence; those between backquotes as `code` elements. */
export function renderProse(text: string): (string | TemplateResult)[] {
  return text.split(/`([^`]+)`/).map((piece, position) => (position % 2 === 1 ? html`<code>${piece}</code>` : piece));
}
