// Packs the related files of a task into the token budget, the parts with the highest relevance per token first.

import { CHARACTERS_PER_TOKEN, cutToSize, estimateTokens, sizeOf } from '../../util/tokens.ts';
import { throwIfCancelled } from '../../util/typedError.ts';
import { splitFile, type FilePart } from './fileParts.ts';
import { OMISSION_MARK } from './packLines.ts';
import type { TaskRelatedPlace } from './related.ts';
import { countHeadingTokens } from './packingUnits.ts';
import type { ContextPack } from './contextPack.ts';
import type { FileRecord } from '../ports/catalogue.ts';
import { sha256 } from '../../util/hash.ts';

type Item = ContextPack['items'][number];

/** The files that are related to the task, as far as the budget allows. */
export interface Focus {
  /** The shown parts, by file, the most relevant file first; within a file in the order of its text. */
  readonly items: readonly Item[];
  readonly tokens: number;
  /** False if a part did not fit. */
  readonly isComplete: boolean;
}

/** A part of a file with its density: its relevance to the task per token. */
interface RankedPart {
  readonly file: RelatedFile;
  readonly part: FilePart;
  readonly density: number;
}

/** A file that search relates to the task. */
interface RelatedFile {
  readonly path: string;
  /** Its rank among the related files: 0 is the most relevant one. */
  readonly rank: number;
  readonly places: readonly TaskRelatedPlace[];
  /** The lines of its text. */
  readonly lines: readonly string[];
  readonly parts: readonly FilePart[];
}

/** The relevance of a file is proportional to this power of its relation to the task. */
const RELATION_POWER = 4;
/** The relevance of a file is divided by its rank plus this number. */
const RANK_OFFSET = 3;
/**
 * Share of a file's relevance that is spread evenly over its text. The remaining share is divided among the parts where
 * search found something.
 */
const SPREAD_SHARE = 0.7;
/** A part counts as found if it makes up this share of the found place, or is completely inside it. */
const FOUND_SHARE = 0.2;
/** Characters of the mark for omitted lines, before a run of lines and at the end of a file. */
const MARK_CHARACTERS = OMISSION_MARK.length + 1;
/** Size (`sizeOf`) from which a line may be cut in the middle. */
const LONG_LINE = 80;

/**
 * Packs the related files into `budget` tokens. The order of the parts does not depend on it, and the first part that
 * does not fit is cut, so a larger budget never shows less.
 */
export async function packFocus(
  relatedPlaces: readonly TaskRelatedPlace[],
  records: ReadonlyMap<string, FileRecord>,
  read: (path: string) => Promise<string | null>,
  budget: number,
  signal: AbortSignal,
): Promise<Focus> {
  const rankedParts: RankedPart[] = [];
  let rank = 0;
  const byPath = new Map<string, TaskRelatedPlace[]>();
  for (const place of relatedPlaces) byPath.set(place.path, [...(byPath.get(place.path) ?? []), place]);
  for (const [path, places] of byPath) {
    throwIfCancelled(signal);
    const record = records.get(path);
    const text = record ? await read(path) : null;
    if (!record || !text) continue;
    const relevance = places[0]!.relation ** RELATION_POWER / (RANK_OFFSET + rank);
    rankedParts.push(...rankParts({ path, rank, places, ...createRelatedFile(record, text) }, relevance));
    rank++;
  }
  // The sort is stable: parts of equal density keep the order of search and of their text.
  return selectParts(
    rankedParts.sort((a, b) => b.density - a.density),
    budget,
  );
}

/** The lines and parts of a file; a file that has changed since it was indexed is one part. */
function createRelatedFile(record: FileRecord, text: string): Pick<RelatedFile, 'lines' | 'parts'> {
  const lines = text.split('\n');
  if (sha256(text) === record.hash) return { lines, parts: splitFile(record, text) };
  const numbers = lines.map((_, index) => index + 1);
  return { lines, parts: [{ symbols: [], isImports: false, lines: numbers, enclosingLines: [] }] };
}

/** The parts of a file with their density: relevance per token, in part spread evenly, in part by their relations. */
function rankParts(file: RelatedFile, relevance: number): RankedPart[] {
  const sizes = file.parts.map(({ lines }) => estimateTokens(sizeOfLines(file, lines)));
  const totalSize = sizes.reduce((sum, size) => sum + size, 0);
  const relations = findRelationsOfParts(file);
  const relationSum = relations.reduce((sum, relation) => sum + relation, 0);
  return file.parts.map((part, index) => {
    const partDensity = relationSum === 0 ? 0 : relations[index]! / relationSum / sizes[index]!;
    return { file, part, density: relevance * (SPREAD_SHARE / totalSize + (1 - SPREAD_SHARE) * partDensity) };
  });
}

/** The relation of each part of a file to the task, by the places that search found. Lines of imports do not count. */
function findRelationsOfParts({ places, parts, lines }: RelatedFile): number[] {
  const partOfLine = new Int32Array(lines.length + 1).fill(-1);
  parts.forEach(({ isImports, lines: partLines }, index) => {
    if (!isImports) for (const line of partLines) partOfLine[line] = index;
  });
  const relations = parts.map(() => 0);
  for (const { startLine, endLine, relation } of places) {
    const counts = new Map<number, number>();
    for (let line = startLine; line <= Math.min(endLine, lines.length); line++)
      if (partOfLine[line]! >= 0) counts.set(partOfLine[line]!, (counts.get(partOfLine[line]!) ?? 0) + 1);
    const lineCount = [...counts.values()].reduce((sum, count) => sum + count, 0);
    for (const [index, count] of counts) {
      const isFound = count / lineCount >= FOUND_SHARE || count === parts[index]!.lines.length;
      relations[index] = Math.max(relations[index]!, relation * (isFound ? 1 : count / lineCount));
    }
  }
  return relations;
}

/** Takes the parts in this order up to the first that does not fit, of which it takes the beginning. */
function selectParts(rankedParts: readonly RankedPart[], budget: number): Focus {
  const shownByFile = new Map<RelatedFile, { readonly lines: Set<number>; readonly items: Map<FilePart, Item> }>();
  let remaining = budget;
  let isComplete = true;
  for (const { file, part } of rankedParts) {
    const shownOfFile = shownByFile.get(file);
    const addedLines = [...part.enclosingLines, ...part.lines]
      .filter((line) => !shownOfFile?.lines.has(line))
      .sort((a, b) => a - b);
    const heading = shownOfFile ? 0 : countHeadingTokens(file.path) + estimateTokens(MARK_CHARACTERS);
    const allLines = { numbers: addedLines, tokens: heading + computeCost(file, addedLines) };
    isComplete = allLines.tokens <= remaining;
    const takenLines = isComplete ? allLines : findBeginning(file, part, addedLines, remaining, heading);
    if (takenLines) {
      const { lines, items } = shownOfFile ?? { lines: new Set(), items: new Map<FilePart, Item>() };
      for (const line of takenLines.numbers) lines.add(line);
      const { numbers, ...cost } = takenLines;
      const item = {
        path: file.path,
        symbol: part.symbols[0] ?? null,
        lines: collectRanges(numbers),
        ...cost,
      } as const;
      items.set(part, { ...item, resolution: isComplete ? 'body' : 'signature' });
      shownByFile.set(file, { lines, items });
      remaining -= takenLines.tokens;
    }
    if (!isComplete) break;
  }
  const files = [...shownByFile].sort(([a], [b]) => a.rank - b.rank);
  return {
    items: files.flatMap(([file, { items }]) => collectItems(file, items)),
    tokens: budget - remaining,
    isComplete,
  };
}

/** The lines from the beginning of a part that fit into these tokens; null if none of its own lines fits. */
function findBeginning(
  file: RelatedFile,
  part: FilePart,
  numbers: readonly number[],
  tokens: number,
  heading: number,
): { readonly numbers: readonly number[]; readonly tokens: number; readonly cut?: readonly [number, number] } | null {
  let room = Math.floor((tokens - heading) * CHARACTERS_PER_TOKEN);
  let count = 0;
  let cutAt = 0;
  for (; count < numbers.length && cutAt === 0; count++) {
    const isNewRun = numbers[count]! - 1 !== numbers[count - 1];
    if (isNewRun) room -= MARK_CHARACTERS;
    const line = file.lines[numbers[count]! - 1]!;
    const size = sizeOf(line) + 1;
    if (size > room) {
      if (size < LONG_LINE || room < LONG_LINE / 2) break;
      cutAt = cutToSize(line, room - MARK_CHARACTERS).length;
    }
    room -= size;
  }
  const fittingLines = numbers.slice(0, count);
  const isOfPart = (line: number) => !part.enclosingLines.includes(line) && file.lines[line - 1]!.trim() !== '';
  if (!fittingLines.some(isOfPart)) return null;
  return cutAt > 0
    ? { numbers: fittingLines, tokens, cut: [fittingLines.at(-1)!, cutAt] }
    : { numbers: fittingLines, tokens: heading + computeCost(file, fittingLines) };
}

/** Tokens of lines, with a mark before each run of lines. */
function computeCost(file: RelatedFile, numbers: readonly number[]): number {
  return estimateTokens(sizeOfLines(file, numbers) + collectRanges(numbers).length * MARK_CHARACTERS);
}

function sizeOfLines({ lines }: RelatedFile, numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + sizeOf(lines[number - 1]!) + 1, 0);
}

/** Ascending numbers as ranges, both ends included. */
function collectRanges(numbers: readonly number[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const lastRange = ranges.at(-1);
    if (lastRange?.[1] === number - 1) lastRange[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

/**
 * The items of a file in the order of its text. Imports and remaining lines are one item, with the lowest resolution of
 * its parts and the sum of their tokens.
 */
function collectItems({ parts }: RelatedFile, shown: ReadonlyMap<FilePart, Item>): Item[] {
  const otherItems = parts.filter(({ symbols }) => symbols.length === 0).flatMap((part) => shown.get(part) ?? []);
  const mergedItem = otherItems.reduce<Item | null>(
    (a, b) =>
      a === null
        ? b
        : {
            ...a,
            resolution: a.resolution === 'body' ? b.resolution : a.resolution,
            tokens: a.tokens + b.tokens,
            lines: [...a.lines!, ...b.lines!],
            ...(b.cut && { cut: b.cut }),
          },
    null,
  );
  return [
    ...(mergedItem ? [mergedItem] : []),
    ...parts.flatMap((part) => {
      const item = part.symbols.length > 0 ? shown.get(part) : undefined;
      if (!item) return [];
      // Definitions in the same line are shown together: the first one counts for all.
      return part.symbols.map((symbol, index) => (index === 0 ? item : { ...item, symbol, tokens: 0, lines: [] }));
    }),
  ];
}
