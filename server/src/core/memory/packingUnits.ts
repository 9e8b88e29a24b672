// Computes the units of which a context pack consists: every definition, and the remaining lines of each file, with the
// levels of detail at which each can be shown.

import { estimateTokens, sizeOf } from '../../util/tokens.ts';
import type { ContextPack } from './contextPack.ts';
import type { FileRecord } from '../ports/catalogue.ts';

/** The part of a unit that is shown. */
export type ShownDetail = ContextPack['items'][number]['resolution'];

/** A way to show a unit. A `signature` with more tokens than the signature needs is the beginning of the body. */
export interface DetailLevel {
  readonly resolution: ShownDetail;
  /** The total number of tokens, not the difference from the lower level. */
  readonly tokens: number;
  /** The worth of the text, before the unit's weight. */
  readonly worth: number;
}

/** A part of a file that is shown in more or less detail. */
export interface Unit {
  /** The definitions of the unit, which share their first line. Empty for the lines outside of definitions. */
  readonly symbols: readonly string[];
  /** Tokens of each symbol in a list of names. */
  readonly nameTokens: readonly number[];
  readonly exported: boolean;
  /** From coarse to fine; each step has less worth per token than the previous one. */
  readonly levels: readonly DetailLevel[];
}

/**
 * Line range of a unit according to the index. `tokens`: number of tokens of the whole definition with its doc
 * comment.
 */
export interface LineSpan {
  readonly symbols: readonly number[];
  readonly startLine: number;
  readonly endLine: number;
  readonly tokens: number;
  readonly signature: number;
  /** Tokens without the inner definitions. */
  readonly ownTokens: number;
  /** True if there are inner definitions. */
  readonly hasInner: boolean;
}

/**
 * Number of characters of the heading of a file besides its path, and of the line breaks after its text: `## `, `\n`,
 * `\n`, `\n`.
 */
const HEADING_CHARACTERS = 6;
/** Number of characters of the separator after each name in a list of names. */
const SEPARATOR_CHARACTERS = 1;
/** Number of characters of the brackets around the names of inner definitions in a list of names. */
const BRACKET_CHARACTERS = 2;
/** A part that is shown without its neighbours may cost one token more than its share of the rounded total. */
const CUT_TOKENS = 1;
/** A token of a signature or a doc comment is worth as much as this many tokens of a body. */
const SIGNATURE_DENSITY = 4;
/** Tokens for the beginning of a file outside of its definitions: title, purpose, imports. */
const HEAD_TOKENS = 60;
/** Number of tokens beyond the signature of the first level that shows the beginning of a long text. */
const FIRST_CUT = 250;
/** Each further level of this kind shows this many times as many tokens. */
const CUT_FACTOR = 4;

/**
 * The units of a file: first the lines outside of definitions, then the definitions in text order. Depends only on the
 * record.
 */
export function createUnits(record: FileRecord): Unit[] {
  const { spans, remainingTokens } = computeSpans(record);
  const header = countHeadingTokens(record.path);
  const head = header + Math.min(remainingTokens, HEAD_TOKENS);
  const file: Unit = {
    symbols: [],
    nameTokens: [],
    exported: false,
    levels: collectLevels(header, head, header + remainingTokens),
  };
  return [
    file,
    ...spans.map((span): Unit => {
      const symbols = span.symbols.map((index) => record.symbols[index]!);
      const nameTokens = symbols.map(
        ({ name }) =>
          estimateTokens(sizeOf(name) + SEPARATOR_CHARACTERS + (span.hasInner ? BRACKET_CHARACTERS : 0)) + CUT_TOKENS,
      );
      const name = nameTokens.reduce((sum, tokens) => sum + tokens, 0);
      return {
        symbols: symbols.map(({ path }) => path),
        nameTokens,
        exported: symbols.some(({ exported }) => exported),
        levels: collectLevels(name, span.signature + CUT_TOKENS, span.ownTokens),
      };
    }),
  ];
}

/** Tokens of the heading of a file. */
export function countHeadingTokens(path: string): number {
  return estimateTokens(sizeOf(path) + HEADING_CHARACTERS);
}

/**
 * The line ranges and costs of the definitions, and the tokens of the remaining lines of the file. No token is counted
 * twice.
 */
export function computeSpans(record: FileRecord): {
  readonly spans: readonly LineSpan[];
  readonly remainingTokens: number;
} {
  const perLine = record.tokens / Math.max(1, record.chunks.at(-1)?.endLine ?? 1);
  const spans: {
    symbols: number[];
    startLine: number;
    endLine: number;
    tokens: number;
    signature: number;
    ownTokens: number;
    hasInner: boolean;
  }[] = [];
  let remainingTokens = record.tokens;
  const openSpans: (typeof spans)[number][] = [];
  record.symbols.forEach(({ range: { startLine, endLine } }, index) => {
    const [tokens, signature] = record.symbolTokens?.[index] ?? [
      Math.ceil(perLine * (endLine - startLine + 1)),
      Math.ceil(perLine),
    ];
    while (openSpans.length > 0 && !(endLine <= openSpans.at(-1)!.endLine)) openSpans.pop();
    const outer = openSpans.at(-1);
    if (outer?.startLine === startLine) {
      outer.symbols.push(index);
      return;
    }
    const span = {
      symbols: [index],
      startLine,
      endLine,
      tokens,
      signature: Math.min(signature, tokens),
      ownTokens: tokens,
      hasInner: false,
    };
    if (outer) {
      outer.ownTokens -= tokens;
      outer.hasInner = true;
    } else remainingTokens -= tokens;
    spans.push(span);
    openSpans.push(span);
  });
  for (const span of spans) span.ownTokens = Math.max(0, span.ownTokens);
  return { spans, remainingTokens: Math.max(0, remainingTokens) };
}

/** The useful levels: increasing in cost, and on the upper convex hull of worth over cost. */
function collectLevels(name: number, signature: number, body: number): DetailLevel[] {
  const computeWorth = (tokens: number) =>
    Math.min(tokens, name) +
    SIGNATURE_DENSITY * clamp(tokens - name, 0, Math.max(0, signature - name)) +
    Math.max(0, tokens - Math.max(name, signature));
  const createLevel = (resolution: ShownDetail, tokens: number): DetailLevel => ({
    resolution,
    tokens,
    worth: Math.sqrt(computeWorth(tokens)),
  });
  // The whole text is never worth less than a part of it, however few tokens it takes.
  const fullLevel: DetailLevel = { ...createLevel('body', body), worth: Math.sqrt(Math.max(1, computeWorth(body))) };
  if (body <= name) return [fullLevel];
  const levels = [createLevel('name', name)];
  if (signature > name && signature < body) levels.push(createLevel('signature', signature));
  for (let cutTokens = FIRST_CUT; Math.max(name, signature) + cutTokens < body / 2; cutTokens *= CUT_FACTOR)
    levels.push(createLevel('signature', Math.max(name, signature) + cutTokens));
  levels.push(fullLevel);
  return computeUpperHull(levels);
}

/**
 * The levels on the upper convex hull. Only these can be part of an optimum of the linear relaxation (Sinha and
 * Zoltners 1979).
 */
function computeUpperHull(candidates: readonly DetailLevel[]): DetailLevel[] {
  const hull: DetailLevel[] = [];
  for (const level of candidates) {
    while (hull.length >= 2 && computeDensity(hull.at(-2)!, hull.at(-1)!) <= computeDensity(hull.at(-1)!, level))
      hull.pop();
    hull.push(level);
  }
  return hull;
}

/** The gain in worth per token between two levels. */
function computeDensity(from: DetailLevel, to: DetailLevel): number {
  return (to.worth - from.worth) / (to.tokens - from.tokens);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
