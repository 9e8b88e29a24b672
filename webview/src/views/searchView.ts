// Renders the link to the searches for missing tests, calls that break, and other faults.

import { html, nothing, type TemplateResult } from 'lit';
import type { SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';

/** The link; nothing if no function can be searched, if the workspace is not trusted, or while work is running. */
export function renderSearch(
  { trusted, doable, activity }: SidebarState,
  { post }: Actions,
): TemplateResult | typeof nothing {
  if (!trusted || !doable.canSearch || activity !== 'idle') return nothing;
  const search = (): void => post({ type: 'searchFurther' });
  return html`<p class="setup">${renderIcon('beaker')}<button class="link" type="button"
      @click=${search}>Find Missing Tests or Faults…</button></p>`;
}
