// The parameters of every long operation, and its progress reports.

/** The progress of an operation. `total`: null if it is not known yet. */
export interface Progress {
  readonly stage:
    | 'walking'
    | 'reading'
    | 'indexing'
    | 'storing'
    | 'analysing'
    | 'relating'
    | 'realising'
    | 'installing'
    | 'verifying'
    | 'applying';
  readonly done: number;
  readonly total: number | null;
  readonly message: string;
  /** While a model answers: the size of its answer so far. */
  readonly answer?: ArrivingAnswer | undefined;
}

/**
 * The estimated tokens of one answer so far. `tokensPerSecond`: the rate since its first part; null during the first
 * second.
 */
export interface ArrivingAnswer {
  readonly tokens: number;
  readonly tokensPerSecond: number | null;
}

/** The name of a stage for people. */
export function nameStage({ stage }: Pick<Progress, 'stage'>): string {
  return stage === 'realising' ? 'proposing' : stage;
}

/** Receives the progress of an operation. */
export type Report = (progress: Progress) => void;

/** The parameters of every long operation. */
export interface Operation {
  readonly signal: AbortSignal;
  readonly report?: Report;
}
