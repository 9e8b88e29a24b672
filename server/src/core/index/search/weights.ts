// The weights of the ranking, in one place. Tuned on the development half of an open code-search benchmark.

import { isDocumentation, isShown } from '../../paths/others.ts';
import { isBenchmarkCode, isMocked, isTest, isTestData, isTestSupport } from '../../paths/tests.ts';

/** What is measured of a chunk for a question. */
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
export type Signal = (typeof SIGNALS)[number];
export type SignalWeights = Readonly<Record<Signal, number>>;

/** Signals that are between 0 and 1 by themselves, and that can be weak for all chunks alike. */
export const ABSOLUTE: ReadonlySet<Signal> = new Set<Signal>(['commits']);

export interface Weights {
  readonly signals: SignalWeights;
  /** Each further chunk of a file counts this much of the one before. */
  readonly decay: number;
}

/** How much a signal counts; each signal but those of ABSOLUTE is divided by its best value for the question first. */
export const proseWeights: Weights = {
  signals: {
    /** Terms of the chunk (BM25). Without it NDCG@10 falls from .883 to .868 on the development half. */
    lexical: 1,
    /** Terms in the file's path. */
    path: 0.7,
    /** Sum of the file's best chunks. */
    coherence: 0.4,
    /**
     * Share of the file's name that the question's terms make up; of the folder's, where the file stands for it (index,
     * mod, main …).
     */
    stem: 0.3,
    /** A word of the question is the exact name of a definition in the chunk. */
    named: 0.2,
    /** Commits whose subjects have terms of the question touched the file. */
    commits: 1,
    /** How often the file was changed lately. */
    activity: 0.3,
    /** Likeness by the shipped table of terms. */
    shipped: 0.4,
    /** Likeness by the configured embedder. */
    dense: 0.4,
  },
  decay: 0.3,
};

/** For a question that is itself a name. */
export const symbolWeights: Weights = {
  signals: { ...proseWeights.signals, named: 1.5, stem: 1, path: 0.5 },
  decay: 0.5,
};

/** BM25 of each index. */
export const bm25 = {
  lexical: { k1: 2, b: 0.75 },
  path: { k1: 1.2, b: 0.75 },
  /** A subject is a line: how long it is says little. */
  commits: { k1: 1.2, b: 0.4 },
} as const;

/** How much a term counts in each index, by what it is to the question. */
export const termWeights = {
  asked: { lexical: 1, path: 1 },
  /** Words of the question written as one, as names are. */
  compound: { lexical: 0.5, path: 0.5 },
  /** Beginning of a term of the question, as abbreviations are. */
  beginning: { lexical: 0, path: 0.6 },
} as const;

/** Number of chunks that are examined closely. */
export const CANDIDATES = 500;
/** Number of files with the best paths that are added to the candidates. */
export const LEADING = 20;
/** Number of chunks that each kind of vector may add to the candidates. */
export const NEAREST = 60;
/**
 * A chunk that shares no word with the question must be at least this similar to it (cosine); otherwise nonsense would
 * find something.
 */
export const SMALLEST_LIKENESS = 0.25;
/** Chunks of a file that count for its coherence. */
export const COHERENT_CHUNKS = 10;

/** A commit that touches more files says nothing of one of them. */
export const MOST_FILES = 30;
/** Commits with the best subjects that count. */
export const TELLING = 50;
/**
 * Every commit touches a file that changes all the time, so what commits say about a file is divided by their number to
 * this power.
 */
export const BUSY = 1 / 2;
/** After so long a change counts half as activity. */
export const HALF_LIFE_MS = 365 * 24 * 60 * 60 * 1000;

export interface PathPenalty {
  readonly fits: (path: string) => boolean;
  readonly factor: number;
  /** Who asks with one of these terms means such a file. */
  readonly unless: readonly string[];
}

/** A path that matches is rarely what a person asked for; the factors of different rows multiply. */
export const pathPenalties: readonly PathPenalty[] = [
  { fits: (path) => isTest(path) || isTestSupport(path), factor: 0.3, unless: [] },
  { fits: (path) => isMocked(path) || isTestData(path), factor: 0.3, unless: ['mock', 'fixtur'] },
  {
    fits: (path) => isShown(path) || isBenchmarkCode(path) || OLD.test(path),
    factor: 0.3,
    unless: ['exampl', 'sampl', 'demo', 'compat', 'legaci', 'deprec', 'benchmark', 'bench'],
  },
  { fits: (path) => path.endsWith('__init__.py'), factor: 0.5, unless: [] },
  { fits: (path) => /\.d\.[cm]?ts$/.test(path), factor: 0.7, unless: [] },
  { fits: isDocumentation, factor: 0.4, unless: ['doc', 'document', 'changelog', 'readm'] },
  { fits: (path) => /\.(json|ya?ml|toml|lock|svg|css|scss|html?|snap|csv|xml)$/i.test(path), factor: 0.4, unless: [] },
];
/** Kept for those who still need it. */
const OLD = /(^|\/)(compat|legacy|deprecated)\//i;
/** Generated files are seldom what a person looks for. */
export const GENERATED_PENALTY = 0.3;
/**
 * A file that declares only types says what exists, not how it is done. It loses this share; other files lose as much
 * of it as the share of types among their definitions.
 */
export const TYPES_PENALTY = 0.1;

/** Candidates that are asked of a chunk store, of each kind. */
export const STORED_CANDIDATES = 150;
