// Renders a line that says whether the tests of the repository run here, with a button to set them up.

import { html, nothing, type TemplateResult } from 'lit';
import type { SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';

/**
 * The line about the tests; nothing if no change can be tried in the folder, or before it is known whether tests run.
 */
export function renderSetup(
  { setup, trusted, git, doable }: SidebarState,
  { post }: Actions,
): TemplateResult | typeof nothing {
  if (setup === undefined || !trusted || git === null || doable.barrier !== null) return nothing;
  const { outcome, detail } = setup;
  const doTestsRun = outcome === 'good' || outcome === 'ran';
  return html`<p class="setup" title=${detail}>
    ${renderIcon(doTestsRun ? 'beaker' : outcome === 'none' ? 'circle-outline' : 'warning')}
    <span>${outcome === 'none' ? 'Tests: not run here yet' : `Tests: ${detail}`}</span>
    ${doTestsRun ? nothing : html`<button class="link" type="button" @click=${() => post({ type: 'setUpTests' })}>Set Up Tests…</button>`}
  </p>`;
}
