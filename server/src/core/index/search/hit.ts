// The type of one result of a search.

/** A piece of a file that matches a query. */
export interface SearchHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string | null;
  readonly score: number;
  readonly resolution: 'body' | 'signature' | 'name';
}
