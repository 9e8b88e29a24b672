// The parts that a repository is packed in: every definition, and what is left of each file around them.

import { partsOf } from '../../util/identifiers.ts';
import { estimateTokens } from '../../util/tokens.ts';
import type { FileRecord } from '../indexPorts.ts';

/** Costs are tokens beyond the coarser form: a body includes its signature and name. Parts nest without overlap. */
export interface Unit {
  readonly path: string;
  readonly symbol: string | null;
  readonly cost: { readonly name: number; readonly signature: number; readonly body: number };
  /** Higher goes first. */
  readonly importance: number;
  /** 0–1: share of the task's words that the names hold. */
  readonly relation: number;
}

/** A name in a list takes a separator as well. */
const SEPARATOR_TOKENS = 1;
/** Generated code is seldom what a task is about. */
const GENERATED_FACTOR = 0.1;
const EXPORTED_FACTOR = 1.5;
/** Words shorter than this match too much. */
const SHORTEST_WORD = 3;

/** Parts of all files, in the order of paths and lines. */
export function unitsOf(records: readonly FileRecord[], inDegree: ReadonlyMap<string, number>, task: string): Unit[] {
  const wanted = new Set(partsOf(task).filter((word) => word.length >= SHORTEST_WORD));
  return [...records].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)).flatMap((record) => unitsOfFile(record, inDegree.get(record.path) ?? 0, wanted));
}

function unitsOfFile(record: FileRecord, inDegree: number, wanted: ReadonlySet<string>): Unit[] {
  const weight = (1 + Math.log2(1 + inDegree)) * (record.generated ? GENERATED_FACTOR : 1);
  const ofPath = relationOf(record.path, wanted);
  const own = ownTokens(record);
  const file: Unit = {
    path: record.path,
    symbol: null,
    cost: costs(record.path, 0, own.file),
    importance: weight,
    relation: ofPath,
  };
  const symbols = record.symbols.map((symbol, index): Unit => {
    const relation = Math.max(ofPath * 0.5, relationOf(symbol.path, wanted));
    return { path: record.path, symbol: symbol.path, cost: costs(symbol.name, own.signatures[index]!, own.bodies[index]!), importance: weight * (symbol.exported ? EXPORTED_FACTOR : 1), relation };
  });
  return [file, ...symbols];
}

function costs(name: string, signature: number, body: number): Unit['cost'] {
  const ofName = estimateTokens(name) + SEPARATOR_TOKENS;
  const ofSignature = Math.max(ofName, signature);
  return { name: ofName, signature: ofSignature, body: Math.max(ofSignature, body) };
}

/** Tokens of each definition without those inside it, and of the file without any, so that nothing is counted twice. */
function ownTokens(record: FileRecord): { file: number; bodies: number[]; signatures: number[] } {
  const perLine = record.tokens / Math.max(1, record.chunks.at(-1)?.endLine ?? 1);
  const measured = record.symbols.map(({ range }, index) => record.symbolTokens?.[index] ?? [Math.ceil(perLine * (range.endLine - range.startLine + 1)), Math.ceil(perLine)] as const);
  const bodies = measured.map(([body]) => body);
  let file = record.tokens;
  const open: number[] = [];
  record.symbols.forEach(({ range }, index) => {
    while (open.length > 0 && record.symbols[open.at(-1)!]!.range.endLine < range.startLine) open.pop();
    const around = open.at(-1);
    if (around === undefined) file -= measured[index]![0];
    else bodies[around]! -= measured[index]![0];
    open.push(index);
  });
  return { file: Math.max(0, file), bodies: bodies.map((body) => Math.max(0, body)), signatures: measured.map(([, signature], index) => Math.min(signature, Math.max(0, bodies[index]!))) };
}

function relationOf(name: string, wanted: ReadonlySet<string>): number {
  if (wanted.size === 0) return 0;
  const parts = new Set(partsOf(name));
  let found = 0;
  for (const word of wanted) if (parts.has(word) || [...parts].some((part) => part.length > SHORTEST_WORD && word.length > SHORTEST_WORD && (part.startsWith(word) || word.startsWith(part)))) found++;
  return found / wanted.size;
}
