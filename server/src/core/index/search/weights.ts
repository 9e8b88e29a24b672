// The weights of the ranking, in one place. They were tuned on the development half of an open code-search benchmark.

import { isDocumentation, isDemonstration } from '../../paths/nonSourcePaths.ts';
import { isBenchmarkCode, isMocked, isTest, isTestData, isTestSupport } from '../../paths/tests.ts';

/** The signals, which are measured for each chunk and query. */
export const SIGNALS = [
  'lexical',
  'path',
  'coherence',
  'stem',
  'named',
  'commits',
  'activity',
  'shipped',
  'dense',
] as const;
/** The name of a signal. */
export type Signal = (typeof SIGNALS)[number];
/** A weight for each signal. */
export type SignalWeights = Readonly<Record<Signal, number>>;

/** Signals that range from 0 to 1 by definition, and may be weak for all chunks. */
export const ABSOLUTE_SIGNALS: ReadonlySet<Signal> = new Set<Signal>(['commits', 'path']);

/** The weights for one kind of query. */
export interface Weights {
  readonly signals: SignalWeights;
  /** Factor of each further chunk of a file, relative to the previous one. */
  readonly decay: number;
}

/**
 * The weights for a query in words. All signals except `ABSOLUTE_SIGNALS` are first divided by their best value for the
 * query.
 */
export const proseWeights: Weights = {
  signals: {
    /** Terms of the chunk (BM25). Without this signal, NDCG@10 falls from .883 to .868 on the development half. */
    lexical: 1,
    /**
     * Terms in the file's path. A long question shares a word with some path by chance, so the best path counts only by
     * the share of the query that it matches.
     */
    path: 0.7,
    /** Terms of the whole file (BM25); if only some of its chunks are known, the sum over the best of these. */
    coherence: 0.6,
    /**
     * Share of the file's name that consists of terms of the query. A file that represents its folder (index, mod,
     * main …) is judged by the folder's name.
     */
    stem: 0.3,
    /** A word of the query is exactly the name of a definition in the chunk. */
    named: 0.2,
    /** Commits that touched the file have terms of the query in their subjects. */
    commits: 1,
    /** Recent changes of the file. */
    activity: 0.3,
    /** Similarity by the shipped table of term vectors. */
    shipped: 0.4,
    /** Similarity by the configured embedder. */
    dense: 0.4,
  },
  decay: 0.3,
};

/** Weights for a query that is itself a name. */
export const symbolWeights: Weights = {
  signals: { ...proseWeights.signals, named: 1.5, stem: 1, path: 0.5 },
  decay: 0.5,
};

/**
 * The BM25 parameters of each index: `k1` limits the effect of repetitions, `b` is the influence of a document's
 * length.
 */
export const bm25 = {
  lexical: { k1: 2, b: 0.75 },
  path: { k1: 1.2, b: 0.75 },
  /** Whole files differ in length far more than chunks. */
  file: { k1: 3, b: 0.9 },
  /** A subject is one line, so its length has little meaning. */
  commits: { k1: 1.2, b: 0.4 },
} as const;

/** Weight of a term in each index, by its role in the query. */
export const termWeights = {
  exact: { lexical: 1, path: 1 },
  /** Neighbouring words of the query, joined as in names. */
  compound: { lexical: 0.5, path: 0.5 },
  /** The beginning of a term of the query, as in abbreviations. */
  beginning: { lexical: 0, path: 0.6 },
} as const;

/** A path that matches this share of a query in words has its full weight. */
export const FULL_PATH_SHARE = 0.8;

/** Number of chunks that are ranked with all signals. */
export const CANDIDATE_COUNT = 500;
/** Number of files with the best path scores whose chunks are added to the candidates. */
export const LEADING_FILES = 20;
/** Number of chunks that each kind of vector may add to the candidates. */
export const NEAREST_COUNT = 60;
/**
 * Minimum similarity (cosine) to the query of a chunk that shares no word with it; without this limit, a meaningless
 * query would find something.
 */
export const MIN_COSINE = 0.25;
/** Number of chunks of a file that count for its coherence. */
export const COHERENT_CHUNKS = 10;

/** Maximum number of files of a commit. A commit that touches more is not characteristic of any of them. */
export const MAX_FILES_OF_COMMIT = 30;
/** Number of best matching commits that count. */
export const COUNTED_COMMITS = 50;
/**
 * A file that changes all the time is touched by every kind of commit, so the score of a file is divided by the number
 * of its commits to this power.
 */
export const BUSY_FILE_POWER = 1 / 2;
/** Age at which a change counts half for the activity. */
export const HALF_LIFE_MS = 365 * 24 * 60 * 60 * 1000;

/** A penalty for files whose path fits. */
export interface PathPenalty {
  readonly matches: (path: string) => boolean;
  readonly factor: number;
  /** Stemmed terms. The penalty does not apply if the query has one of them. */
  readonly unless: readonly string[];
}

/**
 * The penalties for files that are rarely the target of a query. The factors of several matching rows are multiplied.
 */
export const pathPenalties: readonly PathPenalty[] = [
  { matches: (path) => isTest(path) || isTestSupport(path), factor: 0.3, unless: [] },
  { matches: (path) => isMocked(path) || isTestData(path), factor: 0.3, unless: ['mock', 'fixtur'] },
  {
    matches: (path) => isDemonstration(path) || isBenchmarkCode(path) || OLD_PATTERN.test(path),
    factor: 0.3,
    unless: ['exampl', 'sampl', 'demo', 'compat', 'legaci', 'deprec', 'benchmark', 'bench'],
  },
  { matches: (path) => path.endsWith('__init__.py'), factor: 0.5, unless: [] },
  { matches: (path) => /\.d\.[cm]?ts$/.test(path), factor: 0.7, unless: [] },
  { matches: isDocumentation, factor: 0.4, unless: ['doc', 'document', 'changelog', 'readm'] },
  {
    matches: (path) => /\.(json|ya?ml|toml|lock|svg|css|scss|html?|snap|csv|xml)$/i.test(path),
    factor: 0.4,
    unless: [],
  },
];
/** Matches paths of code that is kept for old users. */
const OLD_PATTERN = /(^|\/)(compat|legacy|deprecated)\//i;
/** Factor for generated files, which are rarely the target of a query. */
export const GENERATED_PENALTY = 0.3;
/**
 * Share that a file of nothing but type declarations loses, because it does not show how something is done. Other
 * files lose in proportion to the share of types among their definitions.
 */
export const TYPES_PENALTY = 0.1;

/** Number of candidates of each kind that are requested from a chunk store. */
export const STORED_CANDIDATES = 150;
