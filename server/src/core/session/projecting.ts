// Opportunities that need more than one file: made when the whole repository is asked about, kept until a file changes.

import { projectOpportunities } from '../analysis/project/projectOpportunities.ts';
import type { ProjectFile, TestReach } from '../analysis/project/projectView.ts';
import { rules } from '../analysis/rules.ts';
import { applySuppressions, unusedSuppressions, type Suppressed } from '../analysis/suppressions.ts';
import { isTestFile } from '../analysis/testFile.ts';
import type { DependencyGraph } from '../index/graph/dependencyGraph.ts';
import { readEntryPoints } from '../index/graph/entryPoints.ts';
import { createImportResolver } from '../index/graph/importResolver.ts';
import { reachedFrom, usersOf } from '../index/graph/reached.ts';
import type { FileAnalysis } from '../indexPorts.ts';
import type { Opportunity } from '../model.ts';
import type { SessionContext } from './context.ts';
import { currentGraph } from './graph.ts';
import { projectConfigOf } from './imports.ts';
import { readFresh } from './remembering.ts';
import { hashOf } from '../../util/hash.ts';

/** What is found, without what comments in the files suppress. */
export interface ProjectFindings {
  readonly opportunities: readonly Opportunity[];
  readonly suppressed: readonly Suppressed[];
}

interface Kept {
  readonly analyses: ReadonlyMap<string, FileAnalysis>;
  readonly treeHash: string | null;
  readonly rules: string;
  readonly found: Promise<readonly Opportunity[]>;
  /** What `found` came to; null while it is being made. */
  done: readonly Opportunity[] | null;
}

const NOTHING: ProjectFindings = { opportunities: [], suppressed: [] };
const PROJECT_RULES = rules.filter(({ scope }) => scope === 'project').map(({ id }) => id);
const kept = new WeakMap<SessionContext, Kept>();

/**
 * Of the whole repository (`paths` undefined): made anew when a file has changed. Of some files: what is known of those that have not
 * changed since, so that opening a file never waits for the whole. `off`: rules that nobody wants.
 */
export async function projectFindings(context: SessionContext, paths: readonly string[] | undefined, off: readonly string[]): Promise<ProjectFindings> {
  const { analyses } = context.state;
  const asked = PROJECT_RULES.filter((id) => !off.includes(id));
  if (asked.length === 0 || context.state.lastAnalysis === null) return NOTHING;
  if (paths === undefined) return visible(await currentOf(context, asked), [...analyses.values()], asked);
  const known = kept.get(context);
  const wanted = new Set(paths);
  const unchanged = known?.done ? [...wanted].flatMap((path) => (known.analyses.get(path)?.hash === analyses.get(path)?.hash ? (analyses.get(path) ?? []) : [])) : [];
  return visible((known?.done ?? []).filter((opportunity) => asked.some((id) => id === opportunity.rule)), unchanged, asked);
}

function currentOf(context: SessionContext, asked: readonly string[]): Promise<readonly Opportunity[]> {
  const { analyses, lastAnalysis } = context.state;
  const treeHash = lastAnalysis?.treeHash ?? null;
  const key = asked.join(' ');
  const before = kept.get(context);
  if (before && before.treeHash === treeHash && before.rules === key) return before.found;
  const entry: Kept = { analyses, treeHash, rules: key, found: made(context, new Set(asked)), done: null };
  kept.set(context, entry);
  entry.found.then(
    (found) => {
      entry.done = found;
      const news = changedFiles(before?.done ?? [], found);
      if (news.length > 0 && kept.get(context) === entry) context.emit({ type: 'opportunities', paths: news });
    },
    // A failed attempt must not spoil the next one; whoever waits for it is told.
    () => kept.get(context) === entry && kept.delete(context),
  );
  return entry.found;
}

async function made(context: SessionContext, asked: ReadonlySet<string>): Promise<readonly Opportunity[]> {
  const { signal } = new AbortController();
  const rows = [...context.state.analyses.values()];
  const paths = rows.map(({ path }) => path);
  const config = await projectConfigOf(context, rows);
  const resolve = createImportResolver(rows.map(({ path, language }) => ({ path, language, symbols: [] })), config);
  const packages = await readEntryPoints(paths, config, resolve, (path) => readFresh(context, path));
  const graph = asked.has('test-gap') && paths.some(isTestFile) ? await currentGraph(context, signal) : null;
  const files = rows.map((row) => fileOf(row, graph));
  return projectOpportunities({ rules: asked, files, packages, resolve: (from, specifier) => resolve(from, specifier)[0] ?? null, read: (path) => textAsAnalysed(context, path), reach: graph && reachOf(graph) }, signal);
}

function fileOf({ path, language, generated, functions, facts }: FileAnalysis, graph: DependencyGraph | null): ProjectFile {
  return { path, language, test: isTestFile(path), generated, functions, facts, symbols: (graph?.records.get(path)?.symbols ?? []) as ProjectFile['symbols'] };
}

function reachOf(graph: DependencyGraph): TestReach {
  const reach = reachedFrom(graph, isTestCode);
  return { source: 'graph', tests: reach.starts, reaches: (path, symbol) => reach.has(path, symbol.path), usedBy: (path, symbol) => usersOf(graph, path, symbol.path, isTestFile) };
}

/** Rust keeps its tests in a module of the file that they test. */
function isTestCode(path: string, symbol: string | null): boolean {
  return isTestFile(path) || (symbol !== null && path.endsWith('.rs') && /^tests?(\.|$)/.test(symbol));
}

/** Null when the file has changed since: what was found in it then stands elsewhere now. */
async function textAsAnalysed({ ports, state }: SessionContext, path: string): Promise<string | null> {
  const bytes = await ports.files.read(path);
  if (!bytes || hashOf(bytes) !== state.analyses.get(path)?.hash) return null;
  return new TextDecoder('utf-8').decode(bytes);
}

/** What was found in these files, and what about the comments in them that speak of the rules that were asked. */
function visible(found: readonly Opportunity[], files: readonly FileAnalysis[], asked: readonly string[]): ProjectFindings {
  const byPath = new Map<string, Opportunity[]>();
  for (const opportunity of found) {
    const known = byPath.get(opportunity.path);
    if (known) known.push(opportunity);
    else byPath.set(opportunity.path, [opportunity]);
  }
  const parts = files.map(({ path, language, suppressions }) => {
    const { opportunities, suppressed } = applySuppressions(byPath.get(path) ?? [], suppressions);
    // Documents show how suppressions are written.
    const idle = language === null ? [] : unusedSuppressions(path, suppressions, suppressed, (rule) => asked.includes(rule));
    return { opportunities: [...opportunities, ...idle], suppressed };
  });
  return { opportunities: parts.flatMap(({ opportunities }) => opportunities), suppressed: parts.flatMap(({ suppressed }) => suppressed) };
}

/** Files of which something came or went. */
function changedFiles(before: readonly Opportunity[], now: readonly Opportunity[]): string[] {
  const keyOf = ({ id, range }: Opportunity) => `${id} ${range.startLine}`;
  const [old, fresh] = [new Set(before.map(keyOf)), new Set(now.map(keyOf))];
  return [...new Set([...before.filter((one) => !fresh.has(keyOf(one))), ...now.filter((one) => !old.has(keyOf(one)))].map(({ path }) => path))].sort();
}
