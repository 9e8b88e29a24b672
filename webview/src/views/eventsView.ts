// Renders the latest events of the ledger (everything that Selfware has recorded), newest first.

import { html, type TemplateResult } from 'lit';
import type { EventState, SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';
import { renderProse } from '../components/prose.ts';
import { renderSection } from '../components/section.ts';
import { formatAge } from '../format.ts';
import type { View } from '../store.ts';

/** Icons by the type of event. */
const ICON_BY_TYPE: Readonly<Record<string, string>> = {
  indexed: 'database',
  opportunityDismissed: 'bell-slash',
  opportunityRestored: 'bell',
  proposed: 'sparkle',
  verified: 'pass',
  refused: 'error',
  approved: 'check',
  rejected: 'close',
  deferred: 'history',
  applied: 'edit',
  kept: 'pinned',
  conflicted: 'warning',
  committed: 'git-commit',
  rolledBack: 'discard',
  points: 'graph-line',
  stopped: 'circle-slash',
  resumed: 'debug-start',
  notice: 'info',
  remembered: 'note',
  lessonForgotten: 'lightbulb',
  ruleWritten: 'book',
  ruleSwitched: 'book',
  ruleTried: 'beaker',
  broughtRules: 'book',
  researched: 'globe',
  researchEnded: 'globe',
};

/** The section of the events. */
export function renderEvents(view: View, { events }: SidebarState, actions: Actions): TemplateResult {
  const now = Date.now();
  const [newestEvent] = events;
  return renderSection(
    view,
    actions,
    {
      id: 'events',
      title: 'Ledger',
      summary: newestEvent ? `${newestEvent.text}, ${formatAge(newestEvent.at, now)}` : '',
    },
    () =>
      events.length === 0
        ? html`<p class="dim">Nothing is recorded yet. Everything that happens is recorded here and never changed.</p>`
        : html`<ol class="events" aria-label="Ledger, newest first">${events.map((event) => renderEvent(event, now))}</ol>`,
  );
}

function renderEvent({ at, type, text }: EventState, now: number): TemplateResult {
  return html`<li
    >${renderIcon(ICON_BY_TYPE[type] ?? 'circle-small')}<span class="text" title=${text}>${renderProse(text)}</span><time
      class="dim"
      datetime=${new Date(at).toISOString()}
      title=${new Date(at).toLocaleString()}
      >${formatAge(at, now)}</time></li>`;
}
