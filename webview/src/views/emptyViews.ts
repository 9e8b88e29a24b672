// What stands where the state would: starting, failed, no folder.

import { html, type TemplateResult } from 'lit';
import type { Actions } from '../actions.ts';
import { icon } from '../components/icon.ts';

export function loadingView(): TemplateResult {
  return html`<div class="empty" aria-busy="true"><vscode-progress-bar indeterminate aria-label="Starting"></vscode-progress-bar><p>Starting the language server…</p></div>`;
}

export function failureView(message: string, { post }: Actions): TemplateResult {
  return html`<div class="empty" role="alert">
    <p>${icon('error')} ${message}</p>
    <p class="dim">Reload the window to try again; the output says what happened.</p>
    <vscode-button block @click=${() => post({ type: 'showOutput' })}>Show Output</vscode-button>
  </div>`;
}

export function noFolderView({ post }: Actions): TemplateResult {
  return html`<div class="empty">
    <p>Selfware works on a repository. No folder is open.</p>
    <vscode-button block @click=${() => post({ type: 'openFolder' })}>Open Folder</vscode-button>
  </div>`;
}
