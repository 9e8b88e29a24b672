// Defines the parameters of long operations, and their progress reports.

/**
 * The progress of an operation. `done` and `total` count the same unit, such as files. `total` is null if it is not
 * known yet.
 */
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
  /** The size of the answer of a model so far, while it is answering. */
  readonly answer?: ArrivingAnswer | undefined;
}

/**
 * The estimated number of tokens of one answer so far. `tokensPerSecond`: the rate since its first part; null during
 * the first second after it.
 */
export interface ArrivingAnswer {
  readonly tokens: number;
  readonly tokensPerSecond: number | null;
}

/** The name of the stage, as people see it. */
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
