// The element for a list of any length, which renders only the visible rows. The Tab key stops at it once; the arrow,
// Page, Home and End keys move in it. The focused row is always rendered.

import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';

/** Height of a row in pixels, as in the style sheet. */
export const ROW_HEIGHT_PX = 40;
/** Number of rows that are rendered beyond each edge, so that scrolling does not show empty space. */
const EXTRA_ROWS = 6;

/** The element `selfware-rows`. Its properties must be set by whoever renders it. */
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
  /** Renders the content of a row. `active`: true for the row at which the Tab key stops. */
  declare row: (index: number, active: boolean) => TemplateResult;
  /**
   * Called with the indices of the first and the last rendered row and of the active one, when one of them or `stamp`
   * changes.
   */
  declare shown: (first: number, last: number, active: number) => void;
  /** When this value changes, the rows are rendered again, and `shown` is called. */
  declare stamp: unknown;

  /** Index of the row at which Tab stops. */
  #active = 0;
  /**
   * The index of the row that each element shows; null for a hidden one. Elements are reused and never removed, because
   * lit's `repeat` (3.3.3) leaves a comment node behind for each element that it removes.
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

  /** Scrolls to the top, and makes the first row active. To be called when the list is replaced by another. */
  scrollToTop(): void {
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

  /** Assigns rows to elements. A row keeps its element as long as it is rendered, so that it keeps the focus. */
  #assign(): void {
    const neededIndices = new Set(this.#indices());
    this.#slots = this.#slots.map((index) => (index !== null && neededIndices.delete(index) ? index : null));
    for (const index of neededIndices) {
      const freeSlot = this.#slots.indexOf(null);
      if (freeSlot < 0) this.#slots.push(index);
      else this.#slots[freeSlot] = index;
    }
  }

  protected override updated(_changed: PropertyValues): void {
    const { first, last } = this.#window();
    const windowKey = `${first} ${last} ${this.#active} ${String(this.stamp)}`;
    if (windowKey === this.#reported) return;
    this.#reported = windowKey;
    this.shown(first, last, this.#active);
  }

  /** The indices of the first and the last row to render, regardless of the active row. */
  #window(): { readonly first: number; readonly last: number } {
    const height = this.clientHeight || 12 * ROW_HEIGHT_PX;
    return {
      first: Math.max(0, Math.floor(this.scrollTop / ROW_HEIGHT_PX) - EXTRA_ROWS),
      last: Math.min(this.count - 1, Math.ceil((this.scrollTop + height) / ROW_HEIGHT_PX) + EXTRA_ROWS),
    };
  }

  /** The indices of all rows to render, the active row included. */
  #indices(): readonly number[] {
    const { first, last } = this.#window();
    const visibleIndices = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
    if (this.count === 0 || (this.#active >= first && this.#active <= last)) return visibleIndices;
    return this.#active < first ? [this.#active, ...visibleIndices] : [...visibleIndices, this.#active];
  }

  #onScroll = (): void => this.requestUpdate();

  #onFocusIn = (event: FocusEvent): void => {
    const index = Number((event.target as HTMLElement).closest('li')?.dataset['index'] ?? this.#active);
    if (index === this.#active) return;
    this.#active = index;
    this.requestUpdate();
  };

  #onKeyDown = (event: KeyboardEvent): void => {
    const rowsPerPage = Math.max(1, Math.floor(this.clientHeight / ROW_HEIGHT_PX) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: rowsPerPage,
      PageUp: -rowsPerPage,
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
