// unused-export: names that a file of the project exports and that no file of it imports, public API left out.

import type { Opportunity, Range } from '../../model.ts';
import { isTestSupport } from '../testFile.ts';
import { isDeclarationPath } from './conventions.ts';
import { projectOpportunity } from './found.ts';
import type { ExportFact } from './moduleFacts.ts';
import type { ModuleGraph, Module } from './moduleGraph.ts';
import type { ProjectPackage } from './projectView.ts';

/** So many exports whose names begin or end alike are a row; one that only its own file uses yet stays in it. Constants always have others beside them: keys, patterns, parts of a schema. */
const FAMILY = 5;
/** So many that have two words in common are the sides of one thing (`addSwipeLeft`, `addSwipeRight` …): it is whole with those that nobody needs yet. */
const SET = 3;
/** What their own file uses as types is left out: it names parts of signatures that are used. */
const TYPES: ReadonlySet<ExportFact['kind']> = new Set(['interface', 'type', 'enum', 'namespace']);

export function unusedExports(graph: ModuleGraph, packageOf: (path: string) => ProjectPackage | null): Opportunity[] {
  const found: Opportunity[] = [];
  for (const module of graph.modules.values()) {
    if (!isLookedAt(module, graph, packageOf)) continue;
    for (const fact of module.facts.exports) {
      if (fact.from !== undefined || fact.offered || graph.isUsed(module.file.path, fact.name)) continue;
      if (fact.usedHere && (fact.kind === 'variable' || alikeIn(module, fact, FIRST) >= FAMILY || alikeIn(module, fact, LAST) >= FAMILY)) continue;
      if (fact.kind === 'function' && alikeIn(module, fact, FIRST_TWO) >= SET) continue;
      if (isTakenByAnotherName(fact, module, graph)) continue;
      if (fact.usedHere === 'type' || (fact.usedHere && TYPES.has(fact.kind))) continue;
      found.push(opportunityOf(module, fact, graph));
    }
  }
  return found;
}

const FIRST = /^[$_]?[a-z]+(?=[A-Z])/;
const LAST = /(?<=[a-z\d])[A-Z][a-z\d]+$/;
const FIRST_TWO = /^[$_]?[a-z]+[A-Z][a-z\d]+(?=[A-Z])/;

/** Exports of the file that have that part of their names in common: `handleUser`, `handleBooks` …, `TextSkeleton`, `TableSkeleton` … */
function alikeIn({ facts }: Module, { name }: ExportFact, part: RegExp): number {
  const word = part.exec(name)?.[0];
  return word === undefined ? 0 : facts.exports.filter((other) => other.from === undefined && part.exec(other.name)?.[0] === word).length;
}

/** `export const App = …; export default App`: what it names is used, and which of the two names goes is a matter of taste. */
function isTakenByAnotherName(fact: ExportFact, { file, facts }: Module, graph: ModuleGraph): boolean {
  const local = fact.local ?? fact.name;
  return facts.exports.some((other) => other.name !== fact.name && other.from === undefined && (other.local ?? other.name) === local && graph.isUsed(file.path, other.name));
}

function isLookedAt({ file, facts }: Module, graph: ModuleGraph, packageOf: (path: string) => ProjectPackage | null): boolean {
  if (file.test || isTestSupport(file.path) || file.generated || facts.opaque || isDeclarationPath(file.path)) return false;
  // Nobody imports the file at all: it is loaded in a way that imports do not tell, or forgotten as a whole.
  if (!graph.isReached(file.path)) return false;
  return packageOf(file.path)?.determinable ?? false;
}

function opportunityOf({ file }: Module, fact: ExportFact, graph: ModuleGraph): Opportunity {
  const name = fact.local ?? fact.name;
  const shown = fact.name !== 'default' ? `\`${fact.name}\`` : name === 'default' ? 'the default export' : `\`${name}\`, the default export`;
  const lines = fact.at[3] - fact.at[2] + 1;
  const passedOn = graph.passedOnBy(file.path, fact.name);
  return projectOpportunity({
    rule: 'unused-export',
    path: file.path,
    ...placeOf(fact),
    symbol: name === 'default' ? null : name,
    about: fact.name,
    impact: fact.usedHere ? 10 : 20 + Math.min(10, lines),
    confidence: fact.usedHere ? 0.7 : 0.85,
    severity: fact.usedHere ? 'hint' : 'information',
    message: fact.usedHere ? `Only this file uses ${shown}: it need not be exported.` : `No file of the project imports or uses ${shown}.`,
    recipe: 'unexport',
    evidence: { kind: fact.kind, importers: 0, usedInOwnFile: fact.usedHere ? 'yes' : 'no', lines },
    related: passedOn.map(({ path, fact: other }) => ({ path, range: placeOf(other).nameRange, message: 'Passed on from here; nobody takes it from here either.' })),
  });
}

function placeOf({ at: [line, column, firstLine, lastLine], name, local }: ExportFact): { readonly range: Range; readonly nameRange: Range } {
  return {
    range: { startLine: firstLine, startColumn: 1, endLine: lastLine + 1, endColumn: 1 },
    nameRange: { startLine: line, startColumn: column, endLine: line, endColumn: column + (local ?? name).length },
  };
}
