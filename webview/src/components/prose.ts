// A sentence with `code` in it. Its pieces stay text and are never read as markup.

import { html, type TemplateResult } from 'lit';

/** The pieces of a sentence, with the parts between backquotes as `code` elements. */
export function renderProse(text: string): (string | TemplateResult)[] {
  return text.split(/`([^`]+)`/).map((piece, position) => (position % 2 === 1 ? html`<code>${piece}</code>` : piece));
}
