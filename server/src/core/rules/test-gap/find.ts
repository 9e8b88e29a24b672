// test-gap: finds complex functions that a package exports and that no test reaches.

import type { FunctionMetrics, Opportunity, SymbolInfo } from '../../model.ts';
import { isDeclarationPath, isLoadedByConvention } from '../../analysis/project/conventions.ts';
import { toProjectOpportunity } from '../../analysis/project/projectFinding.ts';
import type { ProjectFile, ProjectPackage, TestReach } from '../../analysis/project/projectView.ts';
import type { ProjectFinder } from '../finders.ts';

export const finder: ProjectFinder = {
  find: ({ view: { reach }, product, packageOf }) => (reach ? findTestGaps(product, packageOf, reach) : []),
};

/** Minimum cognitive complexity. The paths of such a function cannot be verified only by reading. */
const MIN_COGNITIVE = 8;
/**
 * Minimum share of the complex exported functions of a package that tests reach. If the share is smaller, the tests run
 * the program from outside (or there are hardly any), and single gaps are not informative.
 */
const MIN_REACHED_SHARE = 0.5;
/** Minimum number of complex exported functions in a package. With fewer, their share is not meaningful. */
const MIN_FUNCTIONS = 4;

/** A complex exported function. `source`: how it is known whether tests reach it. */
interface ComplexExport {
  readonly file: ProjectFile;
  readonly symbol: SymbolInfo;
  readonly metrics: FunctionMetrics;
  readonly reached: boolean;
  readonly source: 'graph' | 'coverage';
}

/** Reports the complex exported functions that no test reaches, in packages whose tests reach enough of the others. */
function findTestGaps(
  files: readonly ProjectFile[],
  packageOf: (path: string) => ProjectPackage | null,
  reach: TestReach,
): Opportunity[] {
  if (reach.tests === 0) return [];
  const candidatesByPackage = new Map<string, ComplexExport[]>();
  for (const file of files) {
    if (isDeclarationPath(file.path) || isLoadedByConvention(file.path)) continue;
    for (const { symbol, metrics } of findComplexExports(file)) {
      const key = packageOf(file.path)?.dir ?? '';
      const candidates = candidatesByPackage.get(key) ?? [];
      candidates.push({ file, symbol, metrics, ...reach.findReach(file.path, symbol) });
      candidatesByPackage.set(key, candidates);
    }
  }
  return [...candidatesByPackage.values()].flatMap((candidates) => {
    const reachedCount = candidates.filter((candidate) => candidate.reached).length;
    if (candidates.length < MIN_FUNCTIONS || reachedCount < MIN_REACHED_SHARE * candidates.length) return [];
    return candidates
      .filter((candidate) => !candidate.reached)
      .map((candidate) => createOpportunity(candidate, reach, reachedCount / candidates.length));
  });
}

/** The exported functions and methods of a file whose complexity is at least `MIN_COGNITIVE`. */
function findComplexExports({
  functions,
  symbols,
}: ProjectFile): { readonly symbol: SymbolInfo; readonly metrics: FunctionMetrics }[] {
  const complexFunctions = functions.filter(({ cognitive }) => cognitive >= MIN_COGNITIVE);
  if (complexFunctions.length === 0) return [];
  return symbols.flatMap((symbol) => {
    if (!symbol.exported || symbol.name.startsWith('[') || (symbol.kind !== 'function' && symbol.kind !== 'method'))
      return [];
    const metrics = complexFunctions.find(
      ({ name, line }) =>
        name === symbol.name && line >= symbol.range.startLine && line <= symbol.nameRange.startLine + 1,
    );
    return metrics ? [{ symbol, metrics }] : [];
  });
}

/**
 * The opportunity for a complex function that no test reaches. `reachedShare`: the share of the candidates of the same package
 * that tests reach, from 0 to 1.
 */
function createOpportunity(
  { file, symbol, metrics, source }: ComplexExport,
  reach: TestReach,
  reachedShare: number,
): Opportunity {
  const users = reach.countUsers(file.path, symbol);
  const sourceNote = source === 'coverage' ? 'the coverage report shows no run of it' : 'no test leads to it';
  return toProjectOpportunity({
    rule: 'test-gap',
    path: file.path,
    range: symbol.range,
    nameRange: symbol.nameRange,
    symbol: symbol.path,
    about: symbol.path,
    impact: Math.min(70, 20 + metrics.cognitive + 5 * Math.min(4, users)),
    confidence: source === 'coverage' ? 0.8 : 0.5 + 0.25 * reachedShare,
    severity: metrics.cognitive >= 2 * MIN_COGNITIVE && users > 0 ? 'information' : 'hint',
    message: `\`${symbol.name}\` has a cognitive complexity of ${metrics.cognitive} and ${sourceNote}${users > 0 ? `; ${users} ${users === 1 ? 'place uses' : 'places use'} it` : ''}.`,
    evidence: {
      cognitive: metrics.cognitive,
      cyclomatic: metrics.cyclomatic,
      users,
      tests: reach.tests,
      source,
      reachedInPackage: `${Math.round(100 * reachedShare)} %`,
    },
  });
}
