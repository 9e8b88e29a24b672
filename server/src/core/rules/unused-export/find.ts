// unused-export: finds names that a file of the project exports and that no file imports, except public API.

import type { Opportunity, Range } from '../../model.ts';
import { isTestSupport } from '../../paths/tests.ts';
import { isDeclarationPath } from '../../analysis/project/conventions.ts';
import { toProjectOpportunity } from '../../analysis/project/projectFinding.ts';
import type { ModuleGraph, GraphModule } from '../../analysis/project/moduleGraph.ts';
import type { ProjectPackage } from '../../analysis/project/projectView.ts';
import type { ExportFact } from '../../analysis/project/facts.ts';
import type { ProjectFinder } from '../finders.ts';

export const finder: ProjectFinder = { find: ({ modules, packageOf }) => findUnusedExports(modules(), packageOf) };

/**
 * Minimum number of exports that form a row: their names begin or end with the same word, or they are constants in
 * capitals. Unused exports of a row are not reported, because they belong together. Also the minimum number of
 * variables in a file of constants.
 */
const MIN_ROW_LENGTH = 5;
/**
 * Minimum number of exports that form a set: their names have the same first two words (`addSwipeLeft`, `addSwipeRight`
 * …), or they are types of one file. Unused members of a set are not reported.
 */
const MIN_SET_SIZE = 3;
/** Kinds of exports that count as types. */
const TYPE_KINDS: ReadonlySet<ExportFact['kind']> = new Set(['interface', 'type', 'enum', 'namespace']);

/**
 * Kinds of exports without a recipe. The score does not count them (`api.exported`), so it does not rise if they are
 * removed, and every such proposal would be refused.
 */
const UNCOUNTED_KINDS: ReadonlySet<ExportFact['kind']> = new Set(['variable', 'namespace']);

/** Matches test doubles, which may not be used yet: `createFakeStore`, `mockUser`. */
const TEST_DOUBLE_NAME = /^(create|make|get|build|use)?_?(fake|mock|stub)(?=[A-Z_])/i;

/** Matches files of components that are copied from a kit. Names that such a file uses itself stay exported. */
const KIT_PATTERN = /(^|\/)(components\/ui|ui\/components)\//;
/** Matches names in capitals. */
const CONSTANT_PATTERN = /^[A-Z][A-Z\d_]+$/;

/** Reports the exports that no other file uses, except those that belong to a row or a set. */
function findUnusedExports(graph: ModuleGraph, packageOf: (path: string) => ProjectPackage | null): Opportunity[] {
  const opportunities: Opportunity[] = [];
  for (const module of graph.modules.values()) {
    if (!isCandidate(module, graph, packageOf)) continue;
    const unusedFacts = module.facts.exports.filter(
      (fact) =>
        fact.from === undefined &&
        !fact.offered &&
        !graph.isUsed(module.file.path, fact.name) &&
        !isInnerPart(fact) &&
        !TEST_DOUBLE_NAME.test(fact.name) &&
        !(fact.usedHere && KIT_PATTERN.test(module.file.path)),
    );
    if (unusedFacts.length === 0) continue;
    const belongsToGroup = createGroupTest(module);
    for (const fact of unusedFacts)
      if (!belongsToGroup(fact) && !isUsedByOtherName(fact, module, graph))
        opportunities.push(createOpportunity(module, fact, graph));
  }
  return opportunities;
}

/**
 * Matches files of constants. A file with at least `MIN_ROW_LENGTH` variables is a vocabulary, of which some names may
 * not be used yet.
 */
const VOCABULARY_PATTERN = /(^|\/)(constants?|consts)(\/|\.[cm]?[jt]sx?$)/;

/**
 * True for a name that its own file uses in a type, and for a type, class or variable that its own file uses at all. It
 * may be a part of another export's signature, or belong to a group of constants.
 */
function isInnerPart({ usedHere, kind }: ExportFact): boolean {
  return (
    usedHere !== undefined && (usedHere === 'type' || kind === 'variable' || kind === 'class' || TYPE_KINDS.has(kind))
  );
}

/**
 * Returns a function that is true for an export of the file that forms a row or a set with others (`handleUser`,
 * `handleBooks` …, `TextSkeleton`, `TableSkeleton` …, `ERROR_A`, `ERROR_B` …), or that is part of a vocabulary.
 */
function createGroupTest({ file, facts }: GraphModule): (fact: ExportFact) => boolean {
  const declaredExports = facts.exports.filter(({ from }) => from === undefined);
  const typeCount = declaredExports.filter(({ kind }) => TYPE_KINDS.has(kind)).length;
  const constantCount = declaredExports.filter(({ name }) => CONSTANT_PATTERN.test(name)).length;
  const isVocabulary =
    VOCABULARY_PATTERN.test(file.path) &&
    declaredExports.filter(({ kind }) => kind === 'variable').length >= MIN_ROW_LENGTH;
  const counts = new Map<string, number>();
  for (const { name } of declaredExports)
    for (const [part] of collectParts(name)) counts.set(part, (counts.get(part) ?? 0) + 1);
  return ({ name, kind }) =>
    (TYPE_KINDS.has(kind) && typeCount >= MIN_SET_SIZE) ||
    (kind === 'variable' && isVocabulary) ||
    (CONSTANT_PATTERN.test(name) && constantCount >= MIN_ROW_LENGTH) ||
    collectParts(name).some(([part, minimum]) => counts.get(part)! >= minimum);
}

/**
 * The parts of a name that may make a row or set: its first word, its last word and, for a name of more than two words,
 * its first two words, each with the number of names that it takes. Empty for a name of one word.
 */
function collectParts(name: string): readonly (readonly [part: string, enough: number])[] {
  const words = (name.match(/[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z\d]+|[A-Z\d]+/g) ?? []).map((word) => word.toLowerCase());
  if (words.length < 2) return [];
  return [
    [`${words[0]}…`, MIN_ROW_LENGTH],
    [`…${words.at(-1)}`, MIN_ROW_LENGTH],
    ...(words.length > 2 ? [[`${words[0]} ${words[1]}…`, MIN_SET_SIZE] as const] : []),
  ];
}

/**
 * True for a value with two exported names, of which the other one is used: `export const App = …; export default App`.
 * Which of the names to remove is a matter of taste.
 */
function isUsedByOtherName(fact: ExportFact, { file, facts }: GraphModule, graph: ModuleGraph): boolean {
  const local = fact.local ?? fact.name;
  return facts.exports.some(
    (other) =>
      other.name !== fact.name &&
      other.from === undefined &&
      (other.local ?? other.name) === local &&
      graph.isUsed(file.path, other.name),
  );
}

/** True for a product module that other files import, in a package whose entry points are known. */
function isCandidate(
  { file, facts }: GraphModule,
  graph: ModuleGraph,
  packageOf: (path: string) => ProjectPackage | null,
): boolean {
  if (file.test || isTestSupport(file.path) || file.generated || facts.opaque || isDeclarationPath(file.path))
    return false;
  // If no file imports this one, it is loaded in a way that imports do not show, or the whole file is forgotten.
  if (!graph.isReached(file.path)) return false;
  return packageOf(file.path)?.isDeterminable ?? false;
}

function createOpportunity({ file, facts }: GraphModule, fact: ExportFact, graph: ModuleGraph): Opportunity {
  const name = fact.local ?? fact.name;
  const isAlias = fact.name !== name && fact.name !== 'default';
  const hasTwoNames = facts.exports.some(
    (other) => other !== fact && other.from === undefined && (other.local ?? other.name) === name,
  );
  const shownName =
    fact.name !== 'default'
      ? `\`${fact.name}\``
      : name === 'default'
        ? 'the default export'
        : `\`${name}\`, the default export,`;
  const lines = fact.at[3] - fact.at[2] + 1;
  const reExports = graph.findReExports(file.path, fact.name);
  return toProjectOpportunity({
    rule: 'unused-export',
    path: file.path,
    ...rangesOf(fact),
    symbol: name === 'default' ? null : name,
    about: fact.name,
    impact: fact.usedHere ? 10 : 20 + Math.min(10, lines),
    confidence: fact.usedHere ? 0.7 : 0.85,
    severity: fact.usedHere ? 'hint' : 'information',
    message: isAlias
      ? `${shownName}, another name of \`${name}\`, is exported, and nobody imports it.`
      : fact.usedHere
        ? `${shownName} is used in this file only: it need not be exported.`
        : `${shownName} is ${shownName.startsWith('`') ? 'exported, and nobody imports or uses it' : 'imported and used by nobody'}.`,
    // If there are two names, only a person can say which one should stay.
    ...(UNCOUNTED_KINDS.has(fact.kind) || hasTwoNames ? {} : { recipe: 'unexport' }),
    evidence: { kind: fact.kind, importers: 0, usedInOwnFile: fact.usedHere ? 'yes' : 'no', lines },
    related: reExports.map(({ path, fact: other }) => ({
      path,
      range: rangesOf(other).nameRange,
      message: 'Passed on from here; nobody takes it from here either.',
    })),
  });
}

/** The lines of the declaration, and the place of the name. */
function rangesOf({ at: [line, column, firstLine, lastLine], name, local }: ExportFact): {
  readonly range: Range;
  readonly nameRange: Range;
} {
  return {
    range: { startLine: firstLine, startColumn: 1, endLine: lastLine + 1, endColumn: 1 },
    nameRange: { startLine: line, startColumn: column, endLine: line, endColumn: column + (local ?? name).length },
  };
}
