// Renders the files of a change: the first few by path, the others as a number.

import { html, type TemplateResult } from 'lit';

/** The list. `paths`: the paths to show. `total`: the number of all files. */
export function renderPathList(paths: readonly string[], total: number): TemplateResult {
  const omittedCount = total - paths.length;
  return html`<span class="dim wrap">${paths.join(', ')}${omittedCount > 0 ? ` and ${omittedCount} more` : ''}</span>`;
}
