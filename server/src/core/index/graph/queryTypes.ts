// Types of queries on the dependency graph, and of their results. Plain data.

/** A query on the dependency graph. */
export type GraphQuery =
  | { readonly question: 'cycles' }
  /** The `top` places on which most others depend. */
  | { readonly question: 'central'; readonly top: number }
  | {
      /**
       * `dependents` and `dependencies` are direct by default; `impact` is everything that can reach the target;
       * `tests` are the tests that reach it.
       */
      readonly question: 'dependents' | 'dependencies' | 'impact' | 'tests';
      /** A path, `path#symbol`, or the name of a definition. */
      readonly target: string;
      /** Maximum number of steps. Default: 1 for `dependents` and `dependencies`, unlimited for the others. */
      readonly depth?: number;
      /** True to follow uses that may mean one of several definitions. */
      readonly ambiguous?: boolean;
    };

/** A definition; if `symbol` is null, a whole file, or its code outside of definitions. */
export interface GraphPlace {
  readonly path: string;
  readonly symbol: string | null;
  readonly line: number | null;
}

/** The result of a query, by its kind. */
export type GraphResult =
  | {
      readonly question: 'central';
      /** Highest rank first. `inDegree`: direct users; `rank`: share of the whole, by PageRank. */
      readonly central: readonly (GraphPlace & { readonly inDegree: number; readonly rank: number })[];
    }
  | {
      readonly question: 'cycles';
      /** Smallest first. Each file of `path` imports the next one, and the last file imports the first. */
      readonly cycles: readonly { readonly files: readonly string[]; readonly path: readonly string[] }[];
    }
  | {
      readonly question: Exclude<GraphQuery['question'], 'cycles' | 'central'>;
      /** The definitions with the name of the target, if there are several. */
      readonly several: readonly GraphPlace[];
    }
  | {
      readonly question: Exclude<GraphQuery['question'], 'cycles' | 'central'>;
      readonly target: GraphPlace;
      /**
       * Nearest first. `way`: the places from the target (excluded) to this one. `confidence`: the confidence of the
       * least certain step.
       */
      readonly items: readonly (GraphPlace & {
        readonly depth: number;
        readonly confidence: 'import' | 'binding' | 'file' | 'scope' | 'name' | 'ambiguous';
        readonly way: readonly { readonly path: string; readonly symbol: string | null }[];
      })[];
    };
