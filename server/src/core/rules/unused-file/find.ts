// unused-file: finds modules that no file imports, to which no entry point leads, and that no text of the repository
// names.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import { isDeclarationPath, isLoadedByConvention, isDeveloperTool } from '../../analysis/project/conventions.ts';
import { toProjectOpportunity } from '../../analysis/project/projectFinding.ts';
import type { GraphModule, ModuleGraph } from '../../analysis/project/moduleGraph.ts';
import { doExclusionsHideCode } from '../../analysis/project/excludesCode.ts';
import { escapeForRegExp, findReferringTexts, type ReferringText } from '../../analysis/project/referringTexts.ts';
import type { Opportunity } from '../../model.ts';
import { isTestSupport } from '../../paths/tests.ts';
import type { ProjectContext, ProjectFinder } from '../finders.ts';

export const finder: ProjectFinder = { find: findUnusedFiles };

/** Matches code that loads files by names which are not written in an import. */
const LOADS_BY_NAME_PATTERN =
  /\b(readdir|glob|fast-?glob|tinyglobby|requireAll|import-?all|autoload)|\b(import|require)\(\s*(?!["'`)])|`\s*\+/i;
/** Minimum number of modules without importers in a folder that suggests that some code loads the whole folder. */
const MIN_UNREACHED_MODULES = 2;

/** A module that may be unused, with patterns of texts that may name it. */
interface PossiblyUnusedModule {
  readonly module: GraphModule;
  /** Matches the name of the module as a whole word or as the last part of a path. */
  readonly namePattern: RegExp;
  /**
   * Matches the name of the module with one of its exports, by which cloud configuration names a function: `handler:
   * src/hello.main`.
   */
  readonly handlerPattern: RegExp;
  /** Matches the name of the module's folder as the last part of a path in a string; null in the root. */
  readonly folderPattern: RegExp | null;
}

/**
 * Reports the modules that no import reaches and no text names. Empty if the exclusions of the analysis may hide an
 * importer.
 */
async function findUnusedFiles({ product, modules, packageOf, view, signal }: ProjectContext): Promise<Opportunity[]> {
  if (await doExclusionsHideCode(view)) return [];
  const graph = modules();
  const unreachedModules = [...graph.modules.values()].filter(({ file }) => !file.test && !graph.isReached(file.path));
  const productPaths = new Set(product.map(({ path }) => path));
  let candidates = unreachedModules
    .filter(({ file, facts }) => productPaths.has(file.path) && offersNames(facts) && mayBeForgotten(file.path))
    .filter(({ file }) => packageOf(file.path)?.isDeterminable ?? false)
    .filter(({ file }) => !isOneOfMany(file.path, unreachedModules, graph))
    .map(createCandidate);
  for await (const text of findReferringTexts(view.files, view, () => candidates.length === 0, signal))
    candidates = candidates.filter((candidate) => !isNamedIn(text, candidate, graph));
  const opportunities: Opportunity[] = [];
  for (const { module } of candidates) {
    const text = await view.read(module.file.path);
    if (text !== null && !text.startsWith('#!')) opportunities.push(createOpportunity(module, text));
  }
  return opportunities;
}

/** False for a module without exports, because it may be a script that somebody runs by hand. */
function offersNames({ exports, opaque }: GraphModule['facts']): boolean {
  return opaque || exports.length > 0;
}

/** True for a script file, unless tests, conventions of a framework or people load or run it without an import. */
function mayBeForgotten(path: string): boolean {
  return (
    SCRIPT_PATTERN.test(path) &&
    !isDeclarationPath(path) &&
    !isTestSupport(path) &&
    !isLoadedByConvention(path) &&
    !isDeveloperTool(path)
  );
}

/**
 * True if at least two modules of the folder, and at least half of all, have no importer, because a tool or a loop may
 * load the folder.
 */
function isOneOfMany(path: string, unreachedModules: readonly GraphModule[], graph: ModuleGraph): boolean {
  const folder = posix.dirname(path);
  const unreachedCount = unreachedModules.filter(({ file }) => posix.dirname(file.path) === folder).length;
  const siblings = [...graph.modules.values()].filter(({ file }) => !file.test && posix.dirname(file.path) === folder);
  return unreachedCount >= MIN_UNREACHED_MODULES && unreachedCount * 2 >= siblings.length;
}

/** The module with the patterns of texts that may name it. An `index` file is named by its folder. */
function createCandidate(module: GraphModule): PossiblyUnusedModule {
  const { dir, name } = posix.parse(module.file.path);
  const folder = posix.basename(dir);
  const escapedName =
    name === 'index' && folder !== '' ? `${escapeForRegExp(folder)}(?:/index)?` : escapeForRegExp(name);
  return {
    module,
    namePattern: new RegExp(
      String.raw`(?:^|[/"'\x60\s=:#(,])${escapedName}(?:\.[cm]?[jt]sx?)?(?=["'\x60\s,;:)\]}#?]|$)`,
      'g',
    ),
    handlerPattern: new RegExp(String.raw`(?:/|[Hh]andler["']?\s*[:=]\s*["']?)${escapedName}\.\w+(?=["'\s,;)\]}#]|$)`),
    folderPattern:
      folder === '' ? null : new RegExp(String.raw`["'\x60/]${escapeForRegExp(folder)}/?(?:[*{$][^"'\x60]*)?["'\x60]`),
  };
}

/**
 * True if the text names the module. In a script, only strings count that are not specifiers of imports which lead to a
 * known file. Loading a folder by its name counts as naming all modules in it.
 */
function isNamedIn(
  { file, text, isScript }: ReferringText,
  { module, namePattern, handlerPattern, folderPattern }: PossiblyUnusedModule,
  graph: ModuleGraph,
): boolean {
  if (file.path === module.file.path) return false;
  if (!isScript) return text.search(namePattern) >= 0 || handlerPattern.test(text);
  if (folderPattern !== null && LOADS_BY_NAME_PATTERN.test(text) && folderPattern.test(text)) return true;
  const resolvedSpecifiers = collectResolvedSpecifiers(file.path, graph);
  return [...text.matchAll(namePattern)].some(({ index, 0: match }) => {
    const stringText = findStringAround(text, index + match.length - 1);
    return stringText !== null && !resolvedSpecifiers.has(stringText);
  });
}

/** Specifiers in the file's imports and re-exports that lead to a file of the graph. */
function collectResolvedSpecifiers(path: string, graph: ModuleGraph): ReadonlySet<string> {
  const { imports = [], exports = [] } = graph.modules.get(path)?.facts ?? {};
  const specifiers = [...imports.map(([from]) => from), ...exports.flatMap(({ from }) => from ?? [])];
  return new Set(specifiers.filter((specifier) => graph.findTarget(path, specifier) !== null));
}

/** The text between the quotes around a position; null if the line has none around it. */
function findStringAround(text: string, position: number): string | null {
  const lineStart = text.lastIndexOf('\n', position) + 1;
  const lineEnd = text.indexOf('\n', position);
  const line = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  for (const { index, 2: inner = '' } of line.matchAll(/(["'`])((?:(?!\1).)*)\1/g))
    if (lineStart + index <= position && position <= lineStart + index + inner.length + 1) return inner;
  return null;
}

function createOpportunity({ file, facts }: GraphModule, text: string): Opportunity {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const range = { startLine: 1, startColumn: 1, endLine: lines + 1, endColumn: 1 };
  return toProjectOpportunity({
    rule: 'unused-file',
    path: file.path,
    range,
    nameRange: { ...range, endLine: 1, endColumn: (text.split('\n', 1)[0] ?? '').length + 1 },
    symbol: null,
    about: '',
    impact: Math.min(60, 25 + Math.round(lines / 5)),
    confidence: 0.75,
    message: `no file imports it, no entry point leads to it, and no script or configuration names it (${lines} lines).`,
    evidence: { importers: 0, exports: facts.exports.length, lines, namedBy: 'no import, script or configuration' },
  });
}
