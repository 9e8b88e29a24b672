// The type of one result of a search.

/**
 * A piece of a file that matches a query. Lines are counted from 1. `symbol`: the path of its definition in the file;
 * null if it has none. `score`: comparable within one search. `resolution`: the part of the definition that is shown.
 */
export interface SearchHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string | null;
  readonly score: number;
  readonly resolution: 'body' | 'signature' | 'name';
}
