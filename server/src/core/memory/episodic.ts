// Episodic memory: what is kept, what is forgotten, and what is recalled for a task.

import { partsOf } from '../../util/identifiers.ts';
import type { Millis } from '../model.ts';
import { noteTokens } from './lines.ts';

export const TIERS = ['critical', 'high', 'normal', 'low'] as const;
export type Tier = (typeof TIERS)[number];

/** Importance of an entry that nobody gave one. */
export const IMPORTANCE: Readonly<Record<Tier, number>> = { critical: 1, high: 0.75, normal: 0.5, low: 0.25 };

export interface Episode {
  readonly id: string;
  readonly at: Millis;
  readonly tier: Tier;
  /** 0–1. */
  readonly importance: number;
  readonly text: string;
  /** How often a pack recalled it. */
  readonly accesses: number;
}

export interface Recalled extends Episode {
  readonly score: number;
  readonly tokens: number;
}

/** 0–1: how much a text has to do with a task. */
export type Similarity = (task: string, text: string) => number;

const HOUR = 3_600_000;
const HALF_LIFE = 24 * HOUR;
/** A normal entry older than this is worth a summary only. */
const OLD = 7 * 24 * HOUR;
const SUMMARY_CHARACTERS = 120;
const ACCESS_BONUS = 0.1;
const MOST_ACCESS_BONUS = 0.5;
/**
 * What is less relevant (its score without the bonus) has nothing to do with the task. Critical entries come back in
 * any case.
 */
const LEAST_RELEVANCE = 0.02;

/** How an episode is written into a pack. */
export function episodeLabel({ at, tier }: Episode): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} ${tier}`;
}

/**
 * Old normal entries become short low ones; then, while there are more than `capacity` tokens, the lowest tier goes
 * first, oldest first.
 */
export function retain(episodes: readonly Episode[], capacity: number, now: Millis): Episode[] {
  const compressed = episodes.map((episode) =>
    episode.tier === 'normal' && now - episode.at > OLD
      ? {
          ...episode,
          tier: 'low' as const,
          importance: Math.min(episode.importance, IMPORTANCE.low),
          text: summary(episode.text),
        }
      : episode,
  );
  let tokens = compressed.reduce((sum, episode) => sum + tokensOf(episode), 0);
  const gone = new Set<Episode>();
  for (const episode of compressed.toSorted((a, b) => TIERS.indexOf(b.tier) - TIERS.indexOf(a.tier) || a.at - b.at)) {
    if (tokens <= capacity) break;
    gone.add(episode);
    tokens -= tokensOf(episode);
  }
  return compressed.filter((episode) => !gone.has(episode));
}

/** Best first, at most `budget` tokens; an entry that does not fit leaves its place to the next. */
export function recall(
  episodes: readonly Episode[],
  task: string,
  similarity: Similarity,
  now: Millis,
  budget: number,
): Recalled[] {
  const ranked = scored(episodes, task, similarity, now);
  let left = budget;
  return ranked.filter(({ tokens }) => {
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}

/** Everything that has to do with the task, best first. */
export function scored(episodes: readonly Episode[], task: string, similarity: Similarity, now: Millis): Recalled[] {
  return (
    episodes
      .map((episode) => {
        const score = recallScore(episode, similarity(task, episode.text), now);
        return { episode: { ...episode, score, tokens: tokensOf(episode) }, relevance: score - accessBonus(episode) };
      })
      // The bonus orders what is relevant; alone it brings nothing back, or what was recalled once would be recalled
      // for ever.
      .filter(({ relevance, episode: { tier } }) => relevance >= LEAST_RELEVANCE || tier === 'critical')
      .map(({ episode }) => episode)
      .sort((a, b) => b.score - a.score || b.at - a.at || (a.id < b.id ? -1 : 1))
  );
}

/** Similarity × importance × (0.5 + 0.5 · recency) + min(0.5, 0.1 · accesses). */
export function recallScore(episode: Episode, similarity: number, now: Millis): number {
  const recency = 2 ** (-Math.max(0, now - episode.at) / HALF_LIFE);
  return similarity * episode.importance * (0.5 + 0.5 * recency) + accessBonus(episode);
}

function accessBonus({ accesses }: Episode): number {
  return Math.min(MOST_ACCESS_BONUS, ACCESS_BONUS * accesses);
}

/** Words in common, for callers without an index of the episodes: cosine of the sets of words. */
export function wordSimilarity(task: string, text: string): number {
  const wanted = new Set(partsOf(task));
  const words = new Set(partsOf(text));
  if (wanted.size === 0 || words.size === 0) return 0;
  let shared = 0;
  for (const word of wanted) if (words.has(word)) shared++;
  return shared / Math.sqrt(wanted.size * words.size);
}

function tokensOf(episode: Episode): number {
  return noteTokens(episodeLabel(episode), episode.text);
}

/** The first sentence, cut where it is long. */
function summary(text: string): string {
  const sentence = /^[^\n]*?[.:](?=\s|$)/.exec(text)?.[0] ?? text.split('\n', 1)[0]!;
  const start = sentence.length >= SUMMARY_CHARACTERS / 3 ? sentence : text.split('\n', 1)[0]!;
  return start.length > SUMMARY_CHARACTERS ? `${start.slice(0, SUMMARY_CHARACTERS - 1)}…` : start;
}
