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
  /** While a model answers: the part of its answer that has come. */
  readonly answer?: ArrivingAnswer | undefined;
}

/** The estimated tokens of one answer so far. `tokensPerSecond`: since its first part; null for less than a second. */
export interface ArrivingAnswer {
  readonly tokens: number;
  readonly tokensPerSecond: number | null;
}

/** The name of a stage for people. */
export function stageWord({ stage }: Pick<Progress, 'stage'>): string {
  return stage === 'realising' ? 'proposing' : stage;
}

export type Report = (progress: Progress) => void;

/** The parameters of every long operation. */
export interface Operation {
  readonly signal: AbortSignal;
  readonly report?: Report;
}
