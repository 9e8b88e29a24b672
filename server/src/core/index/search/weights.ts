// The numbers behind the ranking, in one place. Tuned on the development half of an open code-search benchmark.

/** How much a signal counts; each signal is divided by its best value for the query first. */
export const signalWeights = {
  /** Terms of the chunk (BM25). */
  lexical: 1,
  /** Likeness of the vectors. */
  dense: 0.3,
  /** Terms in the file's path. */
  path: 0.5,
  /** Terms in the names that the chunk defines. */
  definition: 0.3,
  /** Sum of the file's best chunks. */
  coherence: 0.3,
  /** Share of the question's terms that the file's name is made of. */
  stem: 0.2,
  /** A CamelCase or snake_case word of the question is the exact name of a definition in the chunk. */
  namedDefinition: 0.2,
} as const;

/** For a question that is itself a name. */
export const symbolWeights = { ...signalWeights, definition: 0.5, namedDefinition: 1.5, stem: 0.6 } as const;

/** Each list of the store has this many candidates. */
export const CANDIDATES = 150;
/** A chunk that shares no word with the question must be at least this like it (cosine), or any nonsense would find something. */
export const SMALLEST_LIKENESS = 0.25;
/** Chunks of a file that count for its coherence. */
export const COHERENT_CHUNKS = 3;

/** A path that matches is rarely what was asked for; the first match counts, and the factors of different rows multiply. */
export const pathPenalties: readonly (readonly [pattern: RegExp, factor: number])[] = [
  [/(^|\/)(tests?|__tests__|spec|specs|testing|testdata|fixtures?|__mocks__|mocks?|e2e)\/|[._-](test|tests|spec)\.[^/]+$|(^|\/)(test_[^/]+|conftest)\.py$|_test\.go$|Tests?\.(java|cs|kt|swift)$/i, 0.3],
  [/(^|\/)(examples?|samples?|demos?|compat|legacy|deprecated|benchmarks?|bench)\//i, 0.3],
  [/(^|\/)__init__\.py$/, 0.5],
  [/\.d\.[cm]?ts$/, 0.7],
  [/(^|\/)(docs?|changelogs?|\.github)\/|\.(md|mdx|rst|txt|adoc)$|(^|\/)(CHANGELOG|CHANGES|HISTORY)[^/]*$/i, 0.4],
  [/\.(json|ya?ml|toml|lock|svg|css|scss|html?|snap|csv|xml)$/i, 0.4],
];
/** Generated files are seldom what one looks for. */
export const GENERATED_PENALTY = 0.3;

/** Each further chunk of a file counts this much of the one before. */
export const fileDecay = { prose: 0.3, symbol: 0.5 } as const;
