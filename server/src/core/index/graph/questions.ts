// Questions about who depends on what, and their answers.

export type GraphRequest =
  | { readonly question: 'cycles' }
  /** What everything else leans on. */
  | { readonly question: 'central'; readonly top: number }
  | {
      /** Direct users, what is used directly, whatever can reach it, tests that reach it. */
      readonly question: 'dependents' | 'dependencies' | 'impact' | 'tests';
      /** A path, `path#symbol`, or the name of a definition. */
      readonly target: string;
      /** Steps to go; without it 1 for the first two, all for the others. */
      readonly depth?: number;
      /** Follow what one of several definitions may be meant by, too. */
      readonly ambiguous?: boolean;
    };

/** A definition, or with `symbol` null a whole file or its code outside of definitions. */
export interface GraphPlace {
  readonly path: string;
  readonly symbol: string | null;
  readonly line: number | null;
}

export type GraphAnswer =
  | {
      readonly question: 'central' /** Highest rank first. `inDegree`: direct users; `rank`: share of the whole, by PageRank. */;
      readonly central: readonly (GraphPlace & { readonly inDegree: number; readonly rank: number })[];
    }
  | {
      readonly question: 'cycles' /** Smallest first; each file of `path` imports the next, the last the first. */;
      readonly cycles: readonly { readonly files: readonly string[]; readonly path: readonly string[] }[];
    }
  | {
      readonly question: Exclude<
        GraphRequest['question'],
        'cycles' | 'central'
      > /** More than one definition is called like the target. */;
      readonly several: readonly GraphPlace[];
    }
  | {
      readonly question: Exclude<GraphRequest['question'], 'cycles' | 'central'>;
      readonly target: GraphPlace;
      /**
       * Nearest first. `way` leads from the target (left out) to the place; `confidence` is that of its least sure
       * step.
       */
      readonly items: readonly (GraphPlace & {
        readonly depth: number;
        readonly confidence: 'import' | 'binding' | 'file' | 'scope' | 'name' | 'ambiguous';
        readonly way: readonly { readonly path: string; readonly symbol: string | null }[];
      })[];
    };
