// Defines the questions about dependencies, and their answers: plain data.

/** A question about dependencies. */
export type GraphRequest =
  | { readonly question: 'cycles' }
  /** The places that most others depend on. */
  | { readonly question: 'central'; readonly top: number }
  | {
      /**
       * `dependents` and `dependencies` are direct by default; `impact` is everything that can reach the target;
       * `tests` are the tests that reach it.
       */
      readonly question: 'dependents' | 'dependencies' | 'impact' | 'tests';
      /** A path, `path#symbol`, or the name of a definition. */
      readonly target: string;
      /** Maximum number of steps. Default: 1 for the first two questions, unlimited for the others. */
      readonly depth?: number;
      /** True to follow uses that may mean one of several definitions. */
      readonly ambiguous?: boolean;
    };

/** A definition. If `symbol` is null: a whole file, or its code outside of definitions. */
export interface GraphPlace {
  readonly path: string;
  readonly symbol: string | null;
  readonly line: number | null;
}

/** The answer to a question, by its kind. */
export type GraphAnswer =
  | {
      readonly question: 'central';
      /** Highest rank first. `inDegree`: direct users; `rank`: share of the whole, by PageRank. */
      readonly central: readonly (GraphPlace & { readonly inDegree: number; readonly rank: number })[];
    }
  | {
      readonly question: 'cycles';
      /** Smallest first; each file of `path` imports the next, the last the first. */
      readonly cycles: readonly { readonly files: readonly string[]; readonly path: readonly string[] }[];
    }
  | {
      readonly question: Exclude<GraphRequest['question'], 'cycles' | 'central'>;
      /** The definitions that are called like the target, if there are several. */
      readonly several: readonly GraphPlace[];
    }
  | {
      readonly question: Exclude<GraphRequest['question'], 'cycles' | 'central'>;
      readonly target: GraphPlace;
      /**
       * Nearest first. `way` leads from the target (left out) to the place; `confidence` is that of its least certain
       * step.
       */
      readonly items: readonly (GraphPlace & {
        readonly depth: number;
        readonly confidence: 'import' | 'binding' | 'file' | 'scope' | 'name' | 'ambiguous';
        readonly way: readonly { readonly path: string; readonly symbol: string | null }[];
      })[];
    };
