// Renders the page while there is no state of a repository: the server is starting or has failed, or no folder is open.

import { html, type TemplateResult } from 'lit';
import type { Actions } from '../actions.ts';
import { renderIcon } from '../components/icon.ts';

/** The page while the server starts. */
export function renderLoading({ post }: Pick<Actions, 'post'>): TemplateResult {
  return html`<div class="empty" aria-busy="true">
    <progress aria-label="Starting"></progress>
    <p>Starting the language server…</p>
    <p class="dim">The repository is read in the background; you can keep working.</p>
    <p class="late dim">This takes longer than it should. <button class="link" type="button"
        @click=${() => post({ type: 'showOutput' })}>Show Output</button></p>
  </div>`;
}

/** The page after a failure of the server. `message`: the failure as a sentence. */
export function renderFailure(message: string, { post }: Actions): TemplateResult {
  return html`<div class="empty" role="alert">
    <p class="trouble">${renderIcon('error')}<span>${message}</span></p>
    <p class="dim">Nothing is written meanwhile. Reload the window to try again; the output says what happened.</p>
    <vscode-button block @click=${() => post({ type: 'reloadWindow' })}>Reload Window</vscode-button>
    <vscode-button block secondary @click=${() => post({ type: 'showOutput' })}>Show Output</vscode-button>
  </div>`;
}

/** The page in a window without a folder. */
export function renderNoFolder({ post }: Actions): TemplateResult {
  return html`<div class="empty">
    <p>Selfware works on a repository, and no folder is open.</p>
    <vscode-button block @click=${() => post({ type: 'openFolder' })}>Open Folder</vscode-button>
    <p class="dim">It finds what could be better in it, proves each change in a sandbox, and writes nothing without your approval.</p>
  </div>`;
}
