// A list of any length that renders only the visible rows. It is one Tab stop: arrows, Page, Home and End move in it,
// and the focused row always exists.

import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';

/** Height of a row in pixels, as in the style sheet. */
export const ROW_HEIGHT_PX = 40;
/** Rows that are rendered beyond each edge, so that they are there when the list scrolls. */
const EXTRA_ROWS = 6;

/** The element `selfware-rows`. The caller sets its properties. */
export class VirtualList extends LitElement {
  static override properties = {
    count: { attribute: false },
    label: { attribute: false },
    row: { attribute: false },
    shown: { attribute: false },
    stamp: { attribute: false },
  };

  declare count: number;
  declare label: string;
  /** The content of a row; `active`: Tab stops at it. */
  declare row: (index: number, active: boolean) => TemplateResult;
  /** Called when other rows become visible, and when the active row or `stamp` changes. */
  declare shown: (first: number, last: number, active: number) => void;
  /** If this value changes, the rows are rendered again, and `shown` is called. */
  declare stamp: unknown;

  /** Index of the row at which Tab stops. */
  #active = 0;
  /**
   * The row that each element shows; null for none. Elements are used again, never removed: lit's `repeat` (3.3.3)
   * leaves a comment behind for each that it removes.
   */
  #slots: (number | null)[] = [];
  /** The last values with which `shown` was called. */
  #reported = '';
  #resizeObserver = new ResizeObserver(() => this.requestUpdate());

  constructor() {
    super();
    this.count = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('scroll', this.#onScroll, { passive: true });
    this.addEventListener('keydown', this.#onKeyDown);
    this.addEventListener('focusin', this.#onFocusIn);
    this.#resizeObserver.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener('scroll', this.#onScroll);
    this.removeEventListener('keydown', this.#onKeyDown);
    this.removeEventListener('focusin', this.#onFocusIn);
    this.#resizeObserver.disconnect();
  }

  /** Scrolls to the top, for another list. */
  toTop(): void {
    this.scrollTop = 0;
    this.#active = 0;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { count, label } = this;
    this.#active = Math.min(this.#active, Math.max(0, count - 1));
    this.#assign();
    return html`<ul class="rows" aria-label=${label} .style=${`height: ${count * ROW_HEIGHT_PX}px`}>
      ${this.#slots.map((index) => (index === null ? html`<li hidden></li>` : this.#item(index)))}
    </ul>`;
  }

  #item(index: number): TemplateResult {
    return html`<li .style=${`transform: translateY(${index * ROW_HEIGHT_PX}px)`} aria-posinset=${index + 1} aria-setsize=${this.count} data-index=${index}>${this.row(index, index === this.#active)}</li>`;
  }

  /** A row keeps its element while it is needed, so that the focus stays on it. */
  #assign(): void {
    const needed = new Set(this.#indices());
    this.#slots = this.#slots.map((index) => (index !== null && needed.delete(index) ? index : null));
    for (const index of needed) {
      const free = this.#slots.indexOf(null);
      if (free < 0) this.#slots.push(index);
      else this.#slots[free] = index;
    }
  }

  protected override updated(_changed: PropertyValues): void {
    const { first, last } = this.#window();
    const now = `${first} ${last} ${this.#active} ${String(this.stamp)}`;
    if (now === this.#reported) return;
    this.#reported = now;
    this.shown(first, last, this.#active);
  }

  /** The rows to render, without the active one if it is elsewhere. */
  #window(): { readonly first: number; readonly last: number } {
    const height = this.clientHeight || 12 * ROW_HEIGHT_PX;
    return {
      first: Math.max(0, Math.floor(this.scrollTop / ROW_HEIGHT_PX) - EXTRA_ROWS),
      last: Math.min(this.count - 1, Math.ceil((this.scrollTop + height) / ROW_HEIGHT_PX) + EXTRA_ROWS),
    };
  }

  /** Indices of the rows to render, with the active one. */
  #indices(): readonly number[] {
    const { first, last } = this.#window();
    const visible = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
    if (this.count === 0 || (this.#active >= first && this.#active <= last)) return visible;
    return this.#active < first ? [this.#active, ...visible] : [...visible, this.#active];
  }

  #onScroll = (): void => this.requestUpdate();

  #onFocusIn = (event: FocusEvent): void => {
    const index = Number((event.target as HTMLElement).closest('li')?.dataset['index'] ?? this.#active);
    if (index === this.#active) return;
    this.#active = index;
    this.requestUpdate();
  };

  #onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(this.clientHeight / ROW_HEIGHT_PX) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.count,
      End: this.count,
    };
    const step = steps[event.key];
    if (step === undefined || this.count === 0) return;
    event.preventDefault();
    void this.#moveTo(Math.min(Math.max(0, this.#active + step), this.count - 1));
  };

  async #moveTo(index: number): Promise<void> {
    this.#active = index;
    const top = index * ROW_HEIGHT_PX;
    if (top < this.scrollTop) this.scrollTop = top;
    else if (top + ROW_HEIGHT_PX > this.scrollTop + this.clientHeight)
      this.scrollTop = top + ROW_HEIGHT_PX - this.clientHeight;
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>(`li[data-index="${index}"] [data-row]`)?.focus({ preventScroll: true });
  }
}

customElements.define('selfware-rows', VirtualList);
