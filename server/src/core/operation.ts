// What every long operation takes, and how it reports progress.

/** Counts never go back; `total` null = not known yet. */
export interface Progress {
  readonly stage:
    | 'walking'
    | 'reading'
    | 'indexing'
    | 'storing'
    | 'analysing'
    | 'relating'
    | 'realising'
    | 'verifying'
    | 'applying';
  readonly done: number;
  readonly total: number | null;
  readonly message: string;
}

export type Report = (progress: Progress) => void;

/** What every long operation takes. */
export interface Operation {
  readonly signal: AbortSignal;
  readonly report?: Report;
}
