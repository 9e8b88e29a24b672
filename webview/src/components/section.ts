// Renders a foldable section of the sidebar as a `details` element, which browsers make usable by keyboard and screen
// readers. The content of a folded section is not rendered.

import { html, nothing, type TemplateResult } from 'lit';
import type { Actions } from '../actions.ts';
import type { View } from '../store.ts';

/** The data of a section, apart from its content. */
export interface SectionParts {
  readonly id: string;
  readonly title: string;
  readonly count?: number | undefined;
  /** True if the count is the number of things that a person should do; it is then highlighted. */
  readonly isUrgent?: boolean;
  /** A few words about the content, shown while the section is folded. */
  readonly summary?: string;
}

/** The section. `content` is called only while the section is open. */
export function renderSection(
  view: View,
  { change }: Actions,
  { id, title, count, isUrgent, summary }: SectionParts,
  content: () => unknown,
): TemplateResult {
  const isFolded = view.folded.includes(id);
  const onToggle = (event: Event) => {
    const isOpen = (event.currentTarget as HTMLDetailsElement).open;
    if (isOpen === isFolded)
      change({ folded: isOpen ? view.folded.filter((foldedId) => foldedId !== id) : [...view.folded, id] });
  };
  return html`<details class="section" id=${id} ?open=${!isFolded} @toggle=${onToggle}>
    <summary>
      <span class="codicon codicon-chevron-right" aria-hidden="true"></span>
      <h2>${title}</h2>
      ${isFolded && summary ? html`<span class="summary one-line" title=${summary}>${summary}</span>` : nothing}
      ${count === undefined ? nothing : html`<vscode-badge variant=${isUrgent ? 'activity-bar-counter' : 'counter'}>${count}</vscode-badge>`}
    </summary>
    <div class="body">${isFolded ? nothing : content()}</div>
  </details>`;
}
