// Renders a button with an icon, a name for screen readers, and a tooltip.

import { html, type TemplateResult } from 'lit';
import { renderIcon } from './icon.ts';

/** The data of a button. */
export interface ToolButtonParts {
  readonly icon: string;
  /** The effect of the button, in one or two words. */
  readonly title: string;
  /** What the button acts on, for screen readers, if several buttons have the same title. */
  readonly objectName?: string;
  readonly onClick: () => void;
  /** The tab index: -1 if the Tab key skips the button, because it stops at only one of many. Default: 0. */
  readonly tab?: 0 | -1;
}

/** The button. */
export function renderToolButton({ icon, title, objectName, onClick, tab = 0 }: ToolButtonParts): TemplateResult {
  return html`<button class="tool" type="button" tabindex=${tab} title=${title}
      aria-label=${objectName === undefined ? title : `${title}: ${objectName}`} @click=${onClick}>${renderIcon(icon)}</button>`;
}
