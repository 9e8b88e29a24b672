// An icon button, with a name for screen readers and a tooltip for the mouse.

import { html, type TemplateResult } from 'lit';
import { icon } from './icon.ts';

export interface ToolParts {
  readonly icon: string;
  /** What it does, in one or two words. */
  readonly title: string;
  /** What it does it to, where several do the same. */
  readonly of?: string;
  readonly act: () => void;
  /** Where Tab stops at one of many only. */
  readonly tab?: 0 | -1;
}

export function tool({ icon: name, title, of, act, tab = 0 }: ToolParts): TemplateResult {
  return html`<button class="tool" type="button" tabindex=${tab} title=${title} aria-label=${of === undefined ? title : `${title}: ${of}`} @click=${act}>${icon(name)}</button>`;
}
