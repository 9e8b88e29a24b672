// Computes the edges from the definitions of one file to the definitions of all files, each with a confidence.

import { resolveImports } from './resolveImports.ts';
import { createNameResolver, type Confidence } from './nameResolver.ts';
import type { GraphRecord, DefinitionPlace, SymbolTable, LookupTrace } from './symbolTable.ts';

/** A use of one definition by another. */
export interface SymbolEdge {
  /** The definition that contains the use, by its path in the file; null outside of definitions. */
  readonly from: string | null;
  readonly to: DefinitionPlace;
  readonly confidence: Confidence;
}

/** The edges that begin in one file. */
export interface FileEdges {
  readonly symbolEdges: readonly SymbolEdge[];
  /** Files that the file names in an import, as written. */
  readonly imports: readonly string[];
  /** The files of `imports` that are loaded at run time. Imports of types are erased. */
  readonly loads: readonly string[];
  /** Files that define the names that the file uses; re-exports are followed. */
  readonly through: readonly string[];
  readonly trace: LookupTrace;
}

/** Computes the edges of one file. Their `trace` has the files and names on which they depend. */
export function createFileEdges(record: GraphRecord, table: SymbolTable): FileEdges {
  const trace: LookupTrace = { files: new Set(), names: new Set() };
  const { path, references, symbols } = record;
  const resolvedImports = resolveImports(record, table, trace);
  const { imports, loads, through } = resolvedImports;
  const resolver = createNameResolver(record, table, resolvedImports, trace);
  const edges = createEdgeSet(path);

  const uses = references?.uses ?? [];
  uses.forEach((line, index) => {
    if (line === '') return;
    const from = symbols[index]?.path ?? null;
    const members: string[] = [];
    const owners = new Set<string>();
    for (const use of line.split(' ')) {
      if (use.startsWith('.')) {
        members.push(use.slice(1));
        continue;
      }
      const names = use.split('.');
      if (names[0] === 'this') {
        const memberOfThis = resolver.findOwnMember(from, names[1]!);
        if (memberOfThis) edges.add(from, [memberOfThis], 'file');
        else members.push(names[1]!);
      } else if (names.length === 1) {
        const resolved = resolver.resolveName(from, use);
        if (!resolved) continue;
        edges.add(from, selectDefinitions(resolved.places), resolved.confidence);
        for (const place of resolved.places) owners.add(`${place.path}\0${place.symbol}`);
      } else {
        const resolved = resolver.resolveChain(from, names);
        if (resolved) edges.add(from, selectDefinitions(resolved.places), resolved.confidence);
        else members.push(names.at(-1)!);
      }
    }
    for (const name of members) {
      const resolved = resolver.resolveMember(name, owners);
      if (resolved) edges.add(from, resolved.places, resolved.confidence);
    }
  });
  for (const { path: symbol, kind } of symbols)
    if (kind === 'class') edges.add(symbol, collectConstructors(table, path, symbol), 'file');
  const allEdges = edges.all();
  for (const { to, confidence } of allEdges) if (to.path !== path && confidence !== 'ambiguous') through.add(to.path);
  return { symbolEdges: allEdges, imports: [...imports], loads: [...loads], through: [...through], trace };
}

/** By confidence: its rank, the most certain first. */
const CONFIDENCE_RANK: Readonly<Record<Confidence, number>> = { binding: 0, file: 1, scope: 2, name: 3, ambiguous: 4 };

/** Collects edges; of several between the same two definitions it keeps the one with the highest confidence. */
function createEdgeSet(path: string): {
  add(from: string | null, places: readonly DefinitionPlace[], confidence: Confidence): void;
  all(): readonly SymbolEdge[];
} {
  const edges = new Map<string, SymbolEdge>();
  return {
    add(from, places, confidence) {
      for (const to of places) {
        if (to.path === path && to.symbol === from) continue;
        const key = `${from ?? ''}\0${to.path}\0${to.symbol ?? ''}`;
        const existingEdge = edges.get(key);
        if (!existingEdge || CONFIDENCE_RANK[confidence] < CONFIDENCE_RANK[existingEdge.confidence])
          edges.set(key, { from, to, confidence });
      }
    },
    all: () => [...edges.values()],
  };
}

function selectDefinitions(places: readonly DefinitionPlace[]): readonly DefinitionPlace[] {
  return places.filter(({ symbol }) => symbol !== null);
}

/** The constructors of a class. The class gets an edge to them, because whoever uses the class runs them. */
function collectConstructors(table: SymbolTable, path: string, symbol: string): readonly DefinitionPlace[] {
  return ['constructor', '__init__', '__construct', 'initialize', 'init']
    .map((name) => `${symbol}.${name}`)
    .filter((constructor) => table.hasSymbol(path, constructor))
    .map((constructor) => ({ path, symbol: constructor }));
}
