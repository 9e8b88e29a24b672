// Computes how important it is to show a unit in detail: by its place in the repository, and its relation to the task.

import { partsOf } from '../../util/identifiers.ts';
import { isTestFile } from '../paths/tests.ts';
import type { Unit } from './units.ts';
import type { Commit } from '../ports/git.ts';
import type { FileRecord } from '../ports/catalogue.ts';

/** The input of the weights besides the units. */
export interface Relevance {
  /** Number of files that import each file. */
  readonly inDegree: ReadonlyMap<string, number>;
  /** PageRank of files; sums to 1. */
  readonly rank?: ReadonlyMap<string, number>;
  /** Recent history, newest first. */
  readonly commits?: readonly Commit[];
  /**
   * How related each `path` or `path#symbol` is to the task, 0–1, from search. Left out: words of the task are compared
   * with names.
   */
  readonly related?: ReadonlyMap<string, number>;
  readonly task: string;
}

/** Weights are rounded to steps of 2^(1/4), so that tiny changes have no effect. */
export const STEPS_PER_OCTAVE = 4;

/** Factors for properties of a unit. */
const EXPORTED = 1.5;
/** A task is rarely about generated code. */
const GENERATED = 0.1;
const TEST = 0.5;
/** Files without a grammar are usually data. */
const UNKNOWN_LANGUAGE = 0.7;
/**
 * The factor of a fully related unit. It falls with a high power, so that the tail of a list of hits does not crowd out
 * its head.
 */
const RELATED = 1000;
const RELATED_POWER = 4;
/** A hit on a file says less about each of its definitions than a hit on the definition itself. */
const FILE_TO_SYMBOL = 0.8;
/** Only the newest commits show where work is going on. */
const COMMITS = 1000;
/** Shorter words match too much. */
const SHORTEST_WORD = 3;

/** Factor of each file by its place in the repository. */
export function createPlaceWeight(
  { inDegree, rank, commits }: Relevance,
  files: number,
): (record: FileRecord) => number {
  const touched = commitsByPath(commits ?? []);
  return ({ path, generated, language }) => {
    const graph = 1 + Math.log2(1 + (inDegree.get(path) ?? 0)) / 2 + Math.log2(1 + (rank?.get(path) ?? 0) * files) / 2;
    const churn = 1 + Math.log2(1 + (touched.get(path) ?? 0)) / 4;
    return (
      graph *
      churn *
      (generated ? GENERATED : 1) *
      (isTestFile(path) ? TEST : 1) *
      (language === null ? UNKNOWN_LANGUAGE : 1)
    );
  };
}

/** Factor of each unit of a file by its relation to the task. */
export function createTaskWeight({ task, related }: Relevance): (path: string, units: readonly Unit[]) => Float64Array {
  const scores = related && scoresByFile(related);
  const taskWords = related ? [] : [...new Set(partsOf(task).filter((word) => word.length >= SHORTEST_WORD))];
  return (path, units) => {
    const fileScores = scores?.get(path);
    const byPath = fileScores ? (fileScores.get('') ?? 0) : sharedWords(path, taskWords);
    if (byPath === 0 && !fileScores && taskWords.length === 0) return new Float64Array(units.length).fill(1);
    return Float64Array.from(units, ({ symbols }, index) => {
      let relation = index === 0 ? byPath : byPath * FILE_TO_SYMBOL;
      for (const symbol of symbols)
        relation = Math.max(relation, fileScores ? (fileScores.get(symbol) ?? 0) : sharedWords(symbol, taskWords));
      return 1 + RELATED * Math.min(1, relation) ** RELATED_POWER;
    });
  };
}

/** Logarithm of a unit's weight in steps of `STEPS_PER_OCTAVE`, not rounded yet. */
export function logWeight(unit: Unit, place: number, task: number): number {
  return STEPS_PER_OCTAVE * Math.log2(place * task * (unit.exported ? EXPORTED : 1));
}

/** The factor for a step. */
export function factorOf(step: number): number {
  return 2 ** (step / STEPS_PER_OCTAVE);
}

function commitsByPath(commits: readonly Commit[]): Map<string, number> {
  const touched = new Map<string, number>();
  for (const { paths } of commits.slice(0, COMMITS))
    for (const path of paths) touched.set(path, (touched.get(path) ?? 0) + 1);
  return touched;
}

/** `path#symbol` → path → symbol; the file itself has the empty name. */
function scoresByFile(related: ReadonlyMap<string, number>): Map<string, Map<string, number>> {
  const files = new Map<string, Map<string, number>>();
  for (const [key, score] of related) {
    const hash = key.lastIndexOf('#');
    const [path, symbol] = hash < 0 ? [key, ''] : [key.slice(0, hash), key.slice(hash + 1)];
    const scores = files.get(path) ?? new Map<string, number>();
    files.set(path, scores.set(symbol, Math.max(score, scores.get(symbol) ?? 0)));
  }
  return files;
}

/**
 * Share of the task's words that occur in a name, from 0 to 1. Words of more than three letters also match by their
 * beginning.
 */
function sharedWords(name: string, taskWords: readonly string[]): number {
  if (taskWords.length === 0) return 0;
  const parts = partsOf(name);
  let matchCount = 0;
  for (const word of taskWords) {
    if (
      parts.some(
        (part) =>
          part === word ||
          (part.length > SHORTEST_WORD &&
            word.length > SHORTEST_WORD &&
            (part.startsWith(word) || word.startsWith(part))),
      )
    )
      matchCount++;
  }
  return matchCount / taskWords.length;
}
