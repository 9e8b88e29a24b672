// Episodic memory: decides which episodes are kept or forgotten, and which are recalled for a task.

import { splitIdentifier } from '../../util/identifiers.ts';
import type { Millis } from '../model.ts';
import { countNoteTokens } from './packLines.ts';
import { HOUR_MS } from '../../util/timing/durations.ts';

/** The tiers of importance, highest first. */
export const IMPORTANCE_TIERS = ['critical', 'high', 'normal', 'low'] as const;
/** The importance of an episode as a word. */
export type ImportanceTier = (typeof IMPORTANCE_TIERS)[number];

/** Importance of an episode for which none was given, by its tier. */
export const IMPORTANCE_BY_TIER: Readonly<Record<ImportanceTier, number>> = {
  critical: 1,
  high: 0.75,
  normal: 0.5,
  low: 0.25,
};

/** Something that happened in the repository. */
export interface Episode {
  readonly id: string;
  readonly at: Millis;
  readonly tier: ImportanceTier;
  /** Importance from 0 to 1. */
  readonly importance: number;
  readonly text: string;
  /** Number of packs that have recalled it. */
  readonly accesses: number;
}

/** An episode that was recalled for a task. */
export interface RecalledEpisode extends Episode {
  readonly score: number;
  readonly tokens: number;
}

/** The similarity of a text to a task, from 0 to 1. */
export type Similarity = (task: string, text: string) => number;

/** Age at which the recency of an episode is one half. */
const HALF_LIFE_MS = 24 * HOUR_MS;
/** A normal episode that is older than this is reduced to a summary. */
const OLD_MS = 7 * 24 * HOUR_MS;
/** Maximum number of characters of a summary. */
const SUMMARY_CHARACTERS = 120;
/** Amount by which each recall raises the score of an episode. */
const ACCESS_BONUS = 0.1;
/** Maximum amount by which recalls raise the score of an episode. */
const MAX_ACCESS_BONUS = 0.5;
/**
 * Episodes with a lower score (without the bonus for recalls) are not related to the task. Critical episodes are
 * recalled whatever their score.
 */
const MIN_RELEVANCE = 0.02;

/** The label of an episode in a pack. */
export function formatEpisodeLabel({ at, tier }: Episode): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} ${tier}`;
}

/**
 * The episodes that are kept. Old normal episodes become summaries in the tier `low`. Then, while there are more than
 * `capacity` tokens, episodes of the lowest tier are dropped, oldest first.
 */
export function retainEpisodes(episodes: readonly Episode[], capacity: number, now: Millis): Episode[] {
  const compressedEpisodes = episodes.map((episode) =>
    episode.tier === 'normal' && now - episode.at > OLD_MS
      ? {
          ...episode,
          tier: 'low' as const,
          importance: Math.min(episode.importance, IMPORTANCE_BY_TIER.low),
          text: summarise(episode.text),
        }
      : episode,
  );
  let tokens = compressedEpisodes.reduce((sum, episode) => sum + countTokens(episode), 0);
  const droppedEpisodes = new Set<Episode>();
  for (const episode of compressedEpisodes.toSorted(
    (a, b) => IMPORTANCE_TIERS.indexOf(b.tier) - IMPORTANCE_TIERS.indexOf(a.tier) || a.at - b.at,
  )) {
    if (tokens <= capacity) break;
    droppedEpisodes.add(episode);
    tokens -= countTokens(episode);
  }
  return compressedEpisodes.filter((episode) => !droppedEpisodes.has(episode));
}

/**
 * The episodes that are recalled for a task, best first, with at most `budget` tokens. An episode that does not fit is
 * skipped.
 */
export function recallEpisodes(
  episodes: readonly Episode[],
  task: string,
  similarity: Similarity,
  now: Millis,
  budget: number,
): RecalledEpisode[] {
  const relatedEpisodes = findRelatedEpisodes(episodes, task, similarity, now);
  let remaining = budget;
  return relatedEpisodes.filter(({ tokens }) => {
    if (tokens > remaining) return false;
    remaining -= tokens;
    return true;
  });
}

/** All episodes that are related to the task, and all critical ones, best first. */
export function findRelatedEpisodes(
  episodes: readonly Episode[],
  task: string,
  similarity: Similarity,
  now: Millis,
): RecalledEpisode[] {
  return (
    episodes
      .map((episode) => {
        const score = computeRecallScore(episode, similarity(task, episode.text), now);
        return {
          episode: { ...episode, score, tokens: countTokens(episode) },
          relevance: score - computeAccessBonus(episode),
        };
      })
      // The bonus only orders related episodes. It must not be sufficient to recall an episode, or an episode that was
      // recalled once would be recalled forever.
      .filter(({ relevance, episode: { tier } }) => relevance >= MIN_RELEVANCE || tier === 'critical')
      .map(({ episode }) => episode)
      .sort((a, b) => b.score - a.score || b.at - a.at || (a.id < b.id ? -1 : 1))
  );
}

/** The score of an episode: similarity × importance × (0.5 + 0.5 · recency) + min(0.5, 0.1 · accesses). */
export function computeRecallScore(episode: Episode, similarity: number, now: Millis): number {
  const recency = 2 ** (-Math.max(0, now - episode.at) / HALF_LIFE_MS);
  return similarity * episode.importance * (0.5 + 0.5 * recency) + computeAccessBonus(episode);
}

function computeAccessBonus({ accesses }: Episode): number {
  return Math.min(MAX_ACCESS_BONUS, ACCESS_BONUS * accesses);
}

/**
 * The similarity for callers without an index of the episodes: the cosine of the sets of words; 0 if one of the texts
 * has no words.
 */
export function computeWordSimilarity(task: string, text: string): number {
  const taskWords = new Set(splitIdentifier(task));
  const words = new Set(splitIdentifier(text));
  if (taskWords.size === 0 || words.size === 0) return 0;
  let sharedCount = 0;
  for (const word of taskWords) if (words.has(word)) sharedCount++;
  return sharedCount / Math.sqrt(taskWords.size * words.size);
}

function countTokens(episode: Episode): number {
  return countNoteTokens(formatEpisodeLabel(episode), episode.text);
}

/** The first sentence, or the first line if that sentence is very short; cut if it is long. */
function summarise(text: string): string {
  const sentence = /^[^\n]*?[.:](?=\s|$)/.exec(text)?.[0] ?? text.split('\n', 1)[0]!;
  const start = sentence.length >= SUMMARY_CHARACTERS / 3 ? sentence : text.split('\n', 1)[0]!;
  return start.length > SUMMARY_CHARACTERS ? `${start.slice(0, SUMMARY_CHARACTERS - 1)}…` : start;
}
