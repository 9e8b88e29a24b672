// The element that draws the trend of the points as a line, by uPlot, in the colours of VS Code's theme. A text next to
// it describes the same trend.

import { LitElement, html, type PropertyValues, type TemplateResult } from 'lit';
import uPlot from 'uplot';
import type { TrendPoint } from '#protocol/state';

/** The height of the chart in pixels. */
const HEIGHT_PX = 56;

/** The element `selfware-trend`. Its properties must be set by whoever renders it. */
export class TrendChart extends LitElement {
  static override properties = {
    trend: { attribute: false },
    label: { attribute: false },
    pointed: { attribute: false },
  };

  declare trend: readonly TrendPoint[];
  /** The text for screen readers. */
  declare label: string;
  /** Called with the index of the measurement under the mouse; null if there is none. */
  declare pointed: (index: number | null) => void;

  #plot: uPlot | null = null;
  #resizeObserver = new ResizeObserver(() => this.#plot?.setSize({ width: this.clientWidth, height: HEIGHT_PX }));
  // When the theme changes, VS Code changes the class of the body, and the variables with the colours.
  #themeObserver = new MutationObserver(() => this.#draw());

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resizeObserver.observe(this);
    this.#themeObserver.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
    if (this.hasUpdated) this.#draw();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resizeObserver.disconnect();
    this.#themeObserver.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    return html`<div class="plot" role="img" aria-label=${this.label}></div>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('trend')) return;
    if (this.#plot) this.#plot.setData(this.#data());
    else this.#draw();
  }

  #data(): uPlot.AlignedData {
    return [this.trend.map((_, index) => index), this.trend.map(({ total }) => total)];
  }

  #draw(): void {
    const plotElement = this.querySelector<HTMLElement>('.plot');
    if (!plotElement) return;
    this.#plot?.destroy();
    const rootStyle = getComputedStyle(document.documentElement);
    const readColour = (name: string, fallback: string) =>
      rootStyle.getPropertyValue(`--vscode-${name}`).trim() || fallback;
    const lineColour = readColour('charts-green', '#388a34');
    const options: uPlot.Options = {
      width: this.clientWidth || 280,
      height: HEIGHT_PX,
      padding: [6, 4, 4, 4],
      legend: { show: false },
      axes: [{ show: false }, { show: false }],
      // Measurements are drawn at equal distances, because their order matters, not the time between them.
      scales: {
        x: { time: false },
        y: {
          range: (_, low, high) =>
            high - low < 0.5 ? [low - 0.5, high + 0.5] : [low - (high - low) * 0.1, high + (high - low) * 0.1],
        },
      },
      series: [
        {},
        {
          stroke: lineColour,
          width: 1.5,
          points: { show: this.trend.length < 24, size: 4, fill: lineColour, stroke: lineColour },
        },
      ],
      cursor: {
        y: false,
        drag: { x: false, y: false },
        points: { size: 6, fill: lineColour, stroke: readColour('foreground', '#888888') },
      },
      hooks: { setCursor: [({ cursor }) => this.pointed(cursor.idx ?? null)] },
    };
    this.#plot = new uPlot(options, this.#data(), plotElement);
  }
}

customElements.define('selfware-trend', TrendChart);
