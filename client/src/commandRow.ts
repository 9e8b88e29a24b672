// One command of the extension: what the tables of commands hold.

export interface CommandRow {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Shown in the command palette (and in the documentation). */
  readonly palette: boolean;
  /** When the palette offers it: only where it can be done. Left out: always. */
  readonly when?: string;
  readonly icon?: string;
  readonly enablement?: string;
}
