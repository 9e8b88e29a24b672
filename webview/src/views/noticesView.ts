// Renders the notices about the repository: one if it is not trusted, and those of the server.

import { html, nothing, type TemplateResult } from 'lit';
import type { NoticeState, SidebarState } from '#protocol/state';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';
import { renderProse } from '../components/prose.ts';

const ICON_BY_SEVERITY = { info: 'info', warning: 'warning', error: 'error' } as const;

/** The notices; nothing if there are none. */
export function renderNotices(state: SidebarState, actions: Actions): TemplateResult | typeof nothing {
  const notices = [
    state.trusted ? nothing : renderRestricted(actions),
    ...state.notices.map((entry) => renderNotice(entry, renderInstallButton(entry, actions))),
  ].filter((entry) => entry !== nothing);
  return notices.length === 0 ? nothing : html`<ul class="notices" aria-label="Notices">${notices}</ul>`;
}

function renderNotice({ severity, message, action }: NoticeState, button: unknown = nothing): TemplateResult {
  return html`<li
      class="notice ${severity}">${renderIcon(ICON_BY_SEVERITY[severity])}<div>${renderProse(message)}${
        action
          ? html` <span
      class="dim">${renderProse(action)}</span>`
          : nothing
      }${button}</div></li>`;
}

/** The button that installs the component that a notice is about; nothing if the notice is about none. */
function renderInstallButton({ component }: NoticeState, { post }: Actions): unknown {
  if (component === undefined) return nothing;
  return html` <button class="link" type="button"
      @click=${() => post({ type: 'installComponent', component })}>Install what is missing…</button>`;
}

/** The notice that the workspace is not trusted, with a button to manage that. */
function renderRestricted({ post }: Actions): TemplateResult {
  const button = html`<button class="link" type="button" @click=${() => post({ type: 'manageTrust' })}>Manage trust</button>`;
  return renderNotice(
    {
      severity: 'info',
      message:
        'Restricted mode: Selfware indexes and analyses, and runs nothing of this repository. To verify changes, trust the workspace first.',
      action: null,
    },
    button,
  );
}
