// One line about the newest unattended run, and the actions on it; without a run, the way to start one.

import { html, nothing, type TemplateResult } from 'lit';
import type { FromWebview } from '#protocol/webviewMessages';
import type { SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { icon } from '../components/icon.ts';

/** The messages without fields that this view sends. */
type Message = Extract<
  FromWebview,
  { type: 'runOvernight' | 'wishes' | 'showNight' | 'acceptNight' | 'continueNight' | 'dropNight' | 'stop' }
>['type'];

/**
 * The line about the newest run; without one, the buttons to start one and to see the wishes. `nothing` if the
 * workspace is not trusted, was not analysed yet, or cannot be changed.
 */
export function nightView(
  { night, trusted, doable }: SidebarState,
  { post }: Actions,
): TemplateResult | typeof nothing {
  if (!trusted || !doable.analysed || doable.barrier !== null) return nothing;
  const link = (text: string, type: Message) =>
    html`<button class="link" type="button" @click=${() => post({ type })}>${text}</button>`;
  const line = night?.line ?? null;
  if (!night || line === null)
    return html`<p class="setup night">${icon('watch')}<span class="links">${link('Run Overnight…', 'runOvernight')} ${link('Wishes…', 'wishes')}</span></p>`;
  const needsPerson = night.state === 'needsPerson';
  const isInProgress = needsPerson || night.state === 'running' || night.state === 'waiting';
  return html`<div class="setup night" title=${night.branch}>
    ${icon(needsPerson ? 'warning' : 'watch')}
    <div>
      <span>${line}</span>
      ${night.step === null ? nothing : html`<div class="dim">${night.step}</div>`}
      <span class="links">
        ${link('Show', 'showNight')}
        ${needsPerson ? link('Continue', 'continueNight') : nothing}
        ${isInProgress ? link('Stop…', 'stop') : nothing}
        ${!isInProgress && night.untaken > 0 ? link('Take', 'acceptNight') : nothing}
        ${!isInProgress && night.changes > 0 ? link('Drop…', 'dropNight') : nothing}
        ${isInProgress ? nothing : link('Run Overnight…', 'runOvernight')}
        ${link('Wishes…', 'wishes')}
      </span>
    </div>
  </div>`;
}
