// unused-export: names that a file of the project exports and that no file of it imports, public API left out.

import type { Opportunity } from '../../model.ts';
import { isDeclarationPath } from './conventions.ts';
import { projectOpportunity } from './found.ts';
import type { ExportFact } from './moduleFacts.ts';
import type { ModuleGraph, Module } from './moduleGraph.ts';
import type { ProjectPackage } from './projectView.ts';

/** Types that their own file uses are left out: they name parts of signatures that are used. */
const TYPES: ReadonlySet<ExportFact['kind']> = new Set(['interface', 'type', 'enum', 'namespace']);

export function unusedExports(graph: ModuleGraph, packageOf: (path: string) => ProjectPackage | null): Opportunity[] {
  const found: Opportunity[] = [];
  for (const module of graph.modules.values()) {
    if (!isLookedAt(module, graph, packageOf)) continue;
    for (const fact of module.facts.exports) {
      if (fact.from !== undefined || fact.offered || graph.isUsed(module.file.path, fact.name)) continue;
      if (fact.usedHere && TYPES.has(fact.kind)) continue;
      found.push(opportunityOf(module, fact, graph));
    }
  }
  return found;
}

function isLookedAt({ file, facts }: Module, graph: ModuleGraph, packageOf: (path: string) => ProjectPackage | null): boolean {
  if (file.test || file.generated || facts.opaque || isDeclarationPath(file.path)) return false;
  // Nobody imports the file at all: it is loaded in a way that imports do not tell, or forgotten as a whole.
  if (!graph.isReached(file.path)) return false;
  return packageOf(file.path)?.determinable ?? false;
}

function opportunityOf({ file }: Module, fact: ExportFact, graph: ModuleGraph): Opportunity {
  const name = fact.local ?? fact.name;
  const shown = fact.name === 'default' ? (name === 'default' ? 'The default export' : `\`${name}\` (the default export)`) : `\`${fact.name}\``;
  const passedOn = graph.passedOnBy(file.path, fact.name);
  return projectOpportunity({
    rule: 'unused-export',
    path: file.path,
    range: fact.range,
    nameRange: fact.nameRange,
    symbol: file.symbols.find(({ path }) => path === name)?.path ?? null,
    about: fact.name,
    impact: fact.usedHere ? 10 : 20 + Math.min(10, fact.range.endLine - fact.range.startLine),
    confidence: fact.usedHere ? 0.7 : 0.85,
    severity: fact.usedHere ? 'hint' : 'information',
    message: fact.usedHere ? `${shown} is used in this file only, so it need not be exported.` : `${shown} is exported, and no file of the project imports or uses it.`,
    evidence: { kind: fact.kind, importers: 0, usedInOwnFile: fact.usedHere ? 'yes' : 'no', lines: fact.range.endLine - fact.range.startLine + 1 },
    related: passedOn.map(({ path, fact: { nameRange } }) => ({ path, range: nameRange, message: 'Passed on from here; nobody takes it from here either.' })),
  });
}
