// Renders the newest unattended run (a night): a line about it, its changes, and the actions on them. Without a run,
// renders the ways to start one and to ask for a change.

import { html, nothing, type TemplateResult } from 'lit';
import { isNightInProgress, type NightChangeState } from '#protocol/nights';
import type { FromWebview } from '#protocol/webviewMessages';
import type { SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';
import { renderProse } from '../components/prose.ts';

/** The types of the messages that the links of this view send without further fields. */
type LinkMessage = Extract<
  FromWebview,
  {
    type:
      | 'runOvernight'
      | 'wishes'
      | 'askForChange'
      | 'showNight'
      | 'acceptNight'
      | 'continueNight'
      | 'endNight'
      | 'dropNight'
      | 'squashNight'
      | 'nightPullRequest';
  }
>['type'];

/**
 * The newest run with its actions. If there is none or nothing about it is left to decide, the links to start one, to
 * ask for a change, and to see the wishes. Nothing if the workspace is not trusted, has not been analysed, or cannot be
 * changed.
 */
export function renderNight(
  { night, trusted, doable }: SidebarState,
  { post }: Actions,
): TemplateResult | typeof nothing {
  if (!trusted || !doable.analysed || doable.barrier !== null) return nothing;
  const renderLink = (text: string, type: LinkMessage) =>
    html`<button class="link" type="button" @click=${() => post({ type })}>${text}</button>`;
  const line = night?.line ?? null;
  if (!night || line === null)
    return html`<p class="setup night">${renderIcon('watch')}<span
        class="links">${renderLink('Ask for a Change…', 'askForChange')} ${renderLink('Run Overnight…', 'runOvernight')} ${renderLink('Wishes…', 'wishes')}</span></p>`;
  // Changes that were already taken are shown among the decisions.
  const openChanges = (night.open ?? []).filter(({ isTaken }) => !isTaken);
  const needsPerson = night.state === 'needsPerson';
  const isInProgress = isNightInProgress(night);
  return html`<div class="setup night" title=${night.branch}>
    ${renderIcon(needsPerson || night.state === 'degraded' ? 'warning' : 'watch')}
    <div>
      <span>${line}</span>
      ${night.step === null ? nothing : html`<div class="dim">${night.step}</div>`}
      ${renderFigures(night.figures ?? [])}
      ${needsPerson ? html`<div>Show has what was tried. Correct the cause if there is one (a rule, the charter, a test), then let it continue.</div>` : nothing}
      ${openChanges.length === 0 ? nothing : renderChanges(openChanges, post)}
      <span class="links">
        ${renderLink('Show', 'showNight')}
        ${needsPerson ? renderLink('Continue', 'continueNight') : nothing}
        ${isInProgress && night.state !== 'draining' ? renderLink('End the Night', 'endNight') : nothing}
        ${openChanges.length > 1 ? renderLink('Take…', 'acceptNight') : nothing}
        ${!isInProgress && night.changes > 0 ? renderLink('Drop…', 'dropNight') : nothing}
        ${!isInProgress && night.changes > 1 && night.decided === null ? renderLink('Squash…', 'squashNight') : nothing}
        ${!isInProgress && night.changes > 0 ? renderLink('Pull Request…', 'nightPullRequest') : nothing}
        ${renderLink('Ask for a Change…', 'askForChange')}
        ${isInProgress ? nothing : renderLink('Run Overnight…', 'runOvernight')}
        ${renderLink('Wishes…', 'wishes')}
      </span>
    </div>
  </div>`;
}

/** The figures of a run in progress, as a list with a label for screen readers. */
function renderFigures(figures: readonly string[]): TemplateResult | typeof nothing {
  if (figures.length === 0) return nothing;
  return html`<ul class="night-figures dim" aria-label="Figures of the run">${figures.map(
    (figure) => html`<li>${figure}</li>`,
  )}</ul>`;
}

/** The changes on which the person has not decided, each with its own actions. */
function renderChanges(openChanges: readonly NightChangeState[], post: Actions['post']): TemplateResult {
  return html`<ul class="night-changes" aria-label="Changes of the night to decide on">${openChanges.map(
    ({ id, number, title, detail, place }) => html`<li>
      <span>${number}. ${renderProse(title)}</span>
      <span class="dim line">${place === 'held' || place === 'parked' ? 'Held: its proposer is not trusted. ' : ''}${detail}</span>
      <span class="links">
        <button class="link" type="button" aria-label="Take change ${number}: ${title}"
            @click=${() => post({ type: 'acceptNight', changes: [id] })}>Take…</button>
        <button class="link" type="button" aria-label="Take out change ${number}: ${title}"
            @click=${() => post({ type: 'dropNight', changes: [id] })}>Take Out…</button>
      </span>
    </li>`,
  )}</ul>`;
}
