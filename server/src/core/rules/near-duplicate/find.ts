// near-duplicate: finds pairs of functions of nearly the same form that share most of their names, and whose vectors
// are similar if the index has vectors.

import type { FunctionMetrics, Opportunity } from '../../model.ts';
import { isParallelData } from '../../analysis/project/conventions.ts';
import { toProjectOpportunity } from '../../analysis/project/projectFinding.ts';
import type { ProjectFile, ProjectView } from '../../analysis/project/projectView.ts';
import { tokenize, type Tokens } from '../../analysis/duplicates/lexer.ts';
import { isSharableCode } from '../../analysis/duplicates/trim.ts';
import {
  computeForm,
  computeJaccardSimilarity,
  findCandidatePairs,
  type Form,
} from '../../analysis/duplicates/shingles.ts';
import type { ProjectFinder } from '../finders.ts';

export const finder: ProjectFinder = {
  find: ({ product, view, signal }) =>
    findNearDuplicates(
      product.filter(({ path }) => !isParallelData(path)),
      view,
      signal,
    ),
};

/** Minimum number of lines of a compared function. Smaller functions are similar by chance. */
const MIN_LINES = 8;
/** Minimum number of tokens of a compared function. Smaller functions are similar by chance. */
const MIN_TOKENS = 80;
/** Minimum similarity of the forms of two functions, from 0 to 1. */
const MIN_FORM_SIMILARITY = 0.85;
/** Minimum similarity of the sets of names in two functions, from 0 to 1. */
const MIN_NAME_SIMILARITY = 0.5;
/** Minimum cosine similarity of the vectors of two functions, if the index has vectors. */
const MIN_COSINE = 0.8;
/** Maximum number of functions of one form. If there are more, a framework probably requires that form. */
const MAX_FUNCTIONS_OF_FORM = 12;

/** A function that is compared. */
interface ComparedFunction {
  readonly file: ProjectFile;
  readonly metrics: FunctionMetrics;
  readonly form: Form;
  /** Hash of all tokens. It is equal for exact copies, which the rule `duplicate-code` reports. */
  readonly tokenHash: number;
}

/** The opportunities for similar functions in these files. If `signal` is aborted, throws its reason. */
async function findNearDuplicates(
  files: readonly ProjectFile[],
  { read, similarity }: Pick<ProjectView, 'read' | 'similarity'>,
  signal: AbortSignal,
): Promise<Opportunity[]> {
  const candidates: ComparedFunction[] = [];
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const largeFunctions = file.functions.filter(
      ({ line, endLine, kind }) => kind !== 'topLevel' && endLine - line + 1 >= MIN_LINES,
    );
    if (largeFunctions.length === 0 || file.language === null || !file.facts?.prints) continue;
    signal.throwIfAborted();
    const text = await read(file.path);
    if (text === null) continue;
    const tokens = tokenize(text, file.language);
    for (const metrics of largeFunctions) {
      const [from, to] = findTokenRange(tokens, metrics);
      if (to - from >= MIN_TOKENS && isSharableCode(tokens, { from, to }))
        candidates.push({
          file,
          metrics,
          form: computeForm(tokens, from, to),
          tokenHash: computeHash(tokens, from, to),
        });
    }
  }
  const similarByCandidate = new Map<
    ComparedFunction,
    { readonly twin: ComparedFunction; readonly form: number; readonly cosine: number | null }[]
  >();
  const laterTwins = new Set<ComparedFunction>();
  for (const [a, b] of findCandidatePairs(
    candidates.map(({ form }) => form),
    MAX_FUNCTIONS_OF_FORM,
  )) {
    const pair = [candidates[a]!, candidates[b]!] as const;
    if (pair[0].tokenHash === pair[1].tokenHash || haveCommonLines(...pair)) continue;
    const form = computeJaccardSimilarity(pair[0].form.shingles, pair[1].form.shingles);
    if (
      form < MIN_FORM_SIMILARITY ||
      computeJaccardSimilarity(pair[0].form.names, pair[1].form.names) < MIN_NAME_SIMILARITY
    )
      continue;
    const cosine = (await similarity?.(linesOf(pair[0]), linesOf(pair[1]))) ?? null;
    if (cosine !== null && cosine < MIN_COSINE) continue;
    similarByCandidate.set(pair[0], [...(similarByCandidate.get(pair[0]) ?? []), { twin: pair[1], form, cosine }]);
    laterTwins.add(pair[1]);
  }
  // The first of several similar functions represents all of them. Functions inside of other similar functions are not
  // reported.
  const firstFunctions = [...similarByCandidate].filter(([first]) => !laterTwins.has(first));
  const similarFunctions = [...similarByCandidate.keys(), ...laterTwins];
  return firstFunctions
    .filter(
      ([first]) =>
        !similarFunctions.some(
          (candidate) =>
            candidate !== first && haveCommonLines(first, candidate) && measureLines(candidate) > measureLines(first),
        ),
    )
    .map(([first, otherFunctions]) => createOpportunity(first, otherFunctions));
}

/** The opportunity for a function and the functions that are similar to it. */
function createOpportunity(
  { file, metrics }: ComparedFunction,
  otherFunctions: readonly {
    readonly twin: ComparedFunction;
    readonly form: number;
    readonly cosine: number | null;
  }[],
): Opportunity {
  const lines = metrics.endLine - metrics.line + 1;
  const [{ twin, form, cosine }] = otherFunctions as readonly [(typeof otherFunctions)[number]];
  const placeText = `\`${twin.metrics.name}\` in ${twin.file.path === file.path ? 'this file' : twin.file.path}`;
  return toProjectOpportunity({
    rule: 'near-duplicate',
    path: file.path,
    range: rangeOf(metrics),
    nameRange: { startLine: metrics.line, startColumn: metrics.column, endLine: metrics.line + 1, endColumn: 1 },
    symbol:
      file.symbols.find(
        ({ name, range }) =>
          name === metrics.name && range.startLine <= metrics.line && range.endLine >= metrics.endLine,
      )?.path ?? null,
    about: `${metrics.name} ${twin.file.path} ${twin.metrics.name}`,
    impact: Math.min(50, 10 + Math.round((otherFunctions.length * lines) / 4)),
    confidence: cosine === null ? 0.5 : 0.6,
    message:
      `\`${metrics.name}\` is nearly the same as ${placeText}` +
      `${otherFunctions.length > 1 ? ` and ${otherFunctions.length - 1} more` : ''}.`,
    evidence: {
      lines,
      alike: `${Math.round(100 * form)} %`,
      functions: otherFunctions.length + 1,
      ...(cosine === null ? {} : { cosine: Math.round(100 * cosine) / 100 }),
    },
    ...(isScript(file) && otherFunctions.some((similar) => similar.twin.file.path === file.path && similar.form === 1)
      ? { recipe: 'merge-copies' }
      : {}),
    related: otherFunctions.map((similar) => ({
      path: similar.twin.file.path,
      range: rangeOf(similar.twin.metrics),
      message: `\`${similar.twin.metrics.name}\`, alike by ${Math.round(100 * similar.form)} %.`,
    })),
  });
}

function isScript({ language }: ProjectFile): boolean {
  return language === 'typescript' || language === 'tsx' || language === 'javascript';
}

/** The range of tokens that begin on the lines of a function; `to` is exclusive. */
function findTokenRange(
  { lines, count }: Tokens,
  { line, endLine }: FunctionMetrics,
): readonly [from: number, to: number] {
  let from = 0;
  while (from < count && lines[from]! < line) from++;
  let to = from;
  while (to < count && lines[to]! <= endLine) to++;
  return [from, to];
}

/** A hash of the tokens from `from` to `to` (exclusive). Equal runs of tokens have equal hashes. */
function computeHash({ hashes }: Tokens, from: number, to: number): number {
  let hash = to - from;
  for (let index = from; index < to; index++) hash = (Math.imul(hash, 31) + hashes[index]!) | 0;
  return hash;
}

/** True if one function contains the other, or if they share a line. */
function haveCommonLines(a: ComparedFunction, b: ComparedFunction): boolean {
  return a.file.path === b.file.path && a.metrics.line <= b.metrics.endLine && b.metrics.line <= a.metrics.endLine;
}

/** The number of lines, less one; only for comparisons. */
function measureLines({ metrics: { line, endLine } }: ComparedFunction): number {
  return endLine - line;
}

/** The path and the lines of a function, which begin with 1; both ends are included. */
function linesOf({ file, metrics }: ComparedFunction): {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
} {
  return { path: file.path, startLine: metrics.line, endLine: metrics.endLine };
}

/** The range of whole lines; it ends where the next line begins. */
function rangeOf({ line, endLine }: FunctionMetrics): Opportunity['range'] {
  return { startLine: line, startColumn: 1, endLine: endLine + 1, endColumn: 1 };
}
