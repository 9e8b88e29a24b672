// An icon button, with a name for screen readers and a tooltip for the mouse.

import { html, type TemplateResult } from 'lit';
import { renderIcon } from './icon.ts';

/** The label and the action of a button. */
export interface ToolParts {
  readonly icon: string;
  /** The effect of the button, in one or two words. */
  readonly title: string;
  /** The object of the action, if several buttons have the same title. */
  readonly objectName?: string;
  readonly onClick: () => void;
  /** -1: Tab skips the button, because it stops at only one of many. */
  readonly tab?: 0 | -1;
}

/** The button. `objectName`: the thing on which it acts, for screen readers. */
export function renderToolButton({ icon: name, title, objectName, onClick, tab = 0 }: ToolParts): TemplateResult {
  return html`<button class="tool" type="button" tabindex=${tab} title=${title}
      aria-label=${objectName === undefined ? title : `${title}: ${objectName}`} @click=${onClick}>${renderIcon(name)}</button>`;
}
