// The table of jobs, which run outside of the thread that answers requests. Each job is a function of plain data.
// Worker threads and their in-process counterpart share the table.

import { analyseFile } from './jobs/analyseFile.ts';
import type { SourceAnalysis, SourceInput } from './analysis/analyse.ts';
import { inspectFiles } from './index/inspect.ts';
import { looksGenerated } from './paths/generated.ts';
import { detectLanguage } from './index/parse/language.ts';
import { isProse } from './paths/nonSourcePaths.ts';
import { createParser } from './index/parse/parser.ts';
import { scanFiles } from './index/search/scanFiles.ts';
import { relateFile } from './index/relate.ts';
import { createTermDictionary, type TermDictionary } from './index/terms/termPacker.ts';
import { findSyntaxErrors } from './index/parse/syntaxErrors.ts';
import { SelfwareError } from '../util/typedError.ts';
import type { FileAnalysis, FileRelations } from './ports/catalogue.ts';
import type { Grammars, PythonLinter, SourceTree } from './ports/sources.ts';
import type { IndexJobs } from './index/jobs.ts';
import type { AnalysisJobs } from './analysis/jobs.ts';
import type { ShellJobs } from './learn/inbox/shell/jobs.ts';
import type { RecipeLearningJobs } from './learn/recipes/jobs.ts';
import type { ProposeJobs } from './propose/jobs.ts';
import type { VerifyJobs } from './verify/jobs.ts';
import type { JobRunner } from './ports/jobs.ts';
import type { GuardingTestsJob } from './jobs/guardingTests.ts';
import type { TestPlace } from './propose/characterization/testPlace.ts';
import type { DifferentialPlan } from './verify/differential/plan.ts';
import type { CheckedCounterexample } from './verify/counterexamples/plan.ts';

/** All jobs: those of single rooms (folders of the core), and three that use several rooms. */
export interface JobTable extends IndexJobs, AnalysisJobs, ProposeJobs, VerifyJobs, RecipeLearningJobs, ShellJobs {
  /** Plans how the behaviour of an untested function is recorded: the calls, and the place and form of its test. */
  planRecording: {
    input: ProposeJobs['applyRecipe']['input'];
    output:
      | {
          readonly name: string;
          readonly exportedAs: string;
          readonly place: TestPlace;
          readonly plan: Pick<DifferentialPlan, 'targets' | 'shapes' | 'constants' | 'emit'>;
        }
      | { readonly refused: string };
  };
  /**
   * Drops counterexamples whose calls the compiler rejects or that tests already contain, and writes a failing test for
   * each of the others.
   */
  checkFinds: {
    input: { readonly rootDir: string; readonly finds: readonly Omit<CheckedCounterexample, 'test'>[] };
    output: readonly CheckedCounterexample[];
  };
  guardingTests: GuardingTestsJob;
}

/** Runs any job by its name. */
export type Jobs = JobRunner<JobTable>;

/** Implementations by name. A job may take long and may throw; its caller sets the time limit. */
export type JobImplementations = {
  readonly [K in keyof JobTable]: (input: JobTable[K]['input']) => Promise<JobTable[K]['output']>;
};

/** The ports that the jobs need. */
export interface JobDependencies {
  readonly grammars: Grammars;
  readonly sourceTree: (rootDir: string) => SourceTree;
  readonly lintPython: PythonLinter;
}

/** Maximum number of terms in the dictionary of a thread. When it has more, the thread starts a new dictionary. */
const MAX_TERMS = 200_000;

/** Creates the jobs. The analysis and the TypeScript compiler are loaded by the first job that needs them. */
export function createJobTable({ grammars, sourceTree, lintPython }: JobDependencies): JobImplementations {
  const parser = createParser(grammars);
  let dictionary = createTermDictionary();
  const getDictionary = (): TermDictionary =>
    dictionary.terms.length > MAX_TERMS ? (dictionary = createTermDictionary()) : dictionary;
  let quickAnalysis: ((input: SourceInput) => SourceAnalysis) | null = null;
  return {
    async inspect(input) {
      return inspectFiles(parser, input, getDictionary());
    },
    async analyse(input) {
      const { analyseSource } = await loadPart(() => import('./analysis/analyse.ts'));
      const output: FileAnalysis[] = [];
      for (const file of input) output.push(await analyseFile({ parser, lintPython }, analyseSource, file));
      return output;
    },
    async glance({ path, text }) {
      const { createQuickAnalysis } = await loadPart(() => import('./analysis/live/quickAnalysis.ts'));
      quickAnalysis ??= createQuickAnalysis();
      const bytes = new TextEncoder().encode(text);
      const { functions, opportunities } = await analyseFile({ parser, lintPython }, quickAnalysis, {
        path,
        bytes,
        size: bytes.byteLength,
        mtimeMs: 0,
        hash: '',
      });
      return { functions, opportunities };
    },
    async explain({ path, text, line, column }) {
      const { explainFunction } = await loadPart(() => import('./analysis/metrics/explain.ts'));
      const language = detectLanguage(path, text);
      return language && explainFunction(path, text, language, { line, column });
    },
    async fixText({ rootDir, path, text, without }) {
      const { analyseSource } = await loadPart(() => import('./analysis/analyse.ts'));
      const { fixAll } = await loadPart(() => import('./propose/fixAll.ts'));
      const language = detectLanguage(path, text);
      const isGenerated = looksGenerated(path, text);
      const excludedIds = new Set([...without.rules, ...without.opportunities]);
      return fixAll(path, text, sourceTree(rootDir), (current) => {
        const { opportunities } = analyseSource({
          path,
          text: current,
          language,
          tree: null,
          symbols: null,
          generated: isGenerated,
        });
        return opportunities.filter(({ id, rule }) => !excludedIds.has(id) && !excludedIds.has(rule));
      });
    },
    async compose({ rootDir, opportunity, without }) {
      const { analyseSource } = await loadPart(() => import('./analysis/analyse.ts'));
      const { composeAround } = await loadPart(() => import('./propose/composition.ts'));
      const { path } = opportunity;
      const excludedIds = new Set([...without.rules, ...without.opportunities]);
      return composeAround(opportunity, sourceTree(rootDir), (text) => {
        const { opportunities } = analyseSource({
          path,
          text,
          language: detectLanguage(path, text),
          tree: null,
          symbols: null,
          generated: looksGenerated(path, text),
        });
        return opportunities.filter(({ id, rule }) => !excludedIds.has(id) && !excludedIds.has(rule));
      });
    },
    async alike({ rootDir, opportunity, wanted }) {
      const { analyseSource } = await loadPart(() => import('./analysis/analyse.ts'));
      const { planJointChange } = await loadPart(() => import('./propose/jointChange.ts'));
      const { path } = opportunity;
      return planJointChange(
        opportunity,
        wanted,
        sourceTree(rootDir),
        (text) =>
          analyseSource({
            path,
            text,
            language: detectLanguage(path, text),
            tree: null,
            symbols: null,
            generated: looksGenerated(path, text),
          }).opportunities,
      );
    },
    async typeHoles({ rootDir, paths }) {
      const { findTypeHolesInFiles } = await loadPart(() => import('./analysis/project/holesInFiles.ts'));
      const { findConfigFolder } = await loadPart(() => import('./propose/extraction/compilerOptions.ts'));
      const { openProjects } = await loadPart(() => import('./propose/extraction/project.ts'));
      return findTypeHolesInFiles(paths, sourceTree(rootDir), {
        findConfigFolder: findConfigFolder,
        open: openProjects,
      });
    },
    async inventory(input) {
      const { listContent } = await loadPart(() => import('./analysis/inventory.ts'));
      return input.map(({ path, bytes }) => {
        const text = new TextDecoder().decode(bytes);
        return listContent({ path, text, language: detectLanguage(path, text), generated: looksGenerated(path, text) });
      });
    },
    async relate(input) {
      const output: FileRelations[] = [];
      for (const file of input) output.push(await relateFile(parser, file));
      return output;
    },
    async scan({ rootDir, paths, query, top }) {
      return scanFiles(sourceTree(rootDir), paths, query, top);
    },
    async configure(text) {
      return (await loadPart(() => import('./index/graph/config/readConfig.ts'))).parseConfig(text);
    },
    async syntax({ path, text, earlier }) {
      if (isProse(path)) return [];
      const language = detectLanguage(path, text);
      if (!language)
        return (await loadPart(() => import('./index/parse/dataSyntax.ts'))).findDataProblems(path, text, earlier);
      const tree = await parser.parse(language, text);
      if (!tree) return null;
      try {
        const messages = findSyntaxErrors(tree);
        if (messages.length === 0 || (await isReadByCompiler(path, text))) return [];
        return messages.map((message) => ({ code: '', message }));
      } finally {
        tree.delete();
      }
    },
    async readCommand({ line }) {
      const { readCommand } = await loadPart(() => import('./learn/inbox/shell/readCommand.ts'));
      const tree = await parser.parse('bash', line);
      if (!tree) return { refused: 'it cannot be read as a command line' };
      try {
        return readCommand(line, tree.rootNode);
      } finally {
        tree.delete();
      }
    },
    async planDifferential({ rootDir, edits, tests }) {
      const { planDifferential } = await loadPart(() => import('./verify/differential/planDifferential.ts'));
      const { openProject } = await loadPart(() => import('./propose/extraction/project.ts'));
      return planDifferential(edits, sourceTree(rootDir), openProject, tests);
    },
    async planSearch({ rootDir, paths, tests, recorded, imports }) {
      const { planSearch } = await loadPart(() => import('./verify/counterexamples/planSearch.ts'));
      const { openProject } = await loadPart(() => import('./propose/extraction/project.ts'));
      return planSearch(paths, tests, sourceTree(rootDir), openProject, recorded, imports);
    },
    async planExamples({ documents }) {
      const { planExamples } = await loadPart(() => import('./verify/examples/planExamples.ts'));
      const plans = documents.map(planExamples);
      return {
        programs: plans.flatMap(({ programs }) => programs),
        leftOut: plans.flatMap(({ leftOut }) => leftOut),
      };
    },
    async checkFinds({ rootDir, finds }) {
      const { filterAllowed } = await loadPart(() => import('./verify/counterexamples/filterAllowed.ts'));
      const { openProject } = await loadPart(() => import('./propose/extraction/project.ts'));
      const { createFailingTest } = await loadPart(() => import('./propose/characterization/failingTest.ts'));
      const { isStated } = await loadPart(() => import('./verify/counterexamples/isStated.ts'));
      const tree = sourceTree(rootDir);
      const unstated = finds.filter((find) => !isStated(find, tree));
      return filterAllowed(unstated, tree, openProject).map((find) => ({
        ...find,
        test: createFailingTest(tree, find),
      }));
    },
    async guardingTests(input) {
      const { writeGuardingTests } = await loadPart(() => import('./jobs/guardingTests.ts'));
      const { openProject } = await loadPart(() => import('./propose/extraction/project.ts'));
      return writeGuardingTests(input, sourceTree(input.rootDir), openProject);
    },
    async testCases(files) {
      const { parseTestCases } = await loadPart(() => import('./verify/judge/testCases.ts'));
      const { readGoTestCases } = await loadPart(() => import('./verify/judge/go/testCases.ts'));
      const cases = await Promise.all(
        files.map(({ path, text }) =>
          path.endsWith('.go') ? readGoTestCases(parser, path, text) : parseTestCases(path, text),
        ),
      );
      return cases.flat();
    },
    async planRecording({ rootDir, opportunity }) {
      const tree = sourceTree(rootDir);
      const { findSubject } = await loadPart(() => import('./propose/characterization/subject.ts'));
      const { chooseTestPlace } = await loadPart(() => import('./propose/characterization/testPlace.ts'));
      const { planDifferential } = await loadPart(() => import('./verify/differential/planDifferential.ts'));
      const { openProject } = await loadPart(() => import('./propose/extraction/project.ts'));
      const text = tree.read(`${tree.rootDir.replaceAll('\\', '/')}/${opportunity.path}`);
      const subject = text === undefined ? { refused: 'The file no longer exists.' } : findSubject(opportunity, text);
      if ('refused' in subject || text === undefined)
        return 'refused' in subject ? subject : { refused: 'The file no longer exists.' };
      const place = chooseTestPlace(tree, opportunity.path);
      if ('refused' in place) return place;
      const { targets, gaps, shapes, constants, emit } = planDifferential(
        [{ path: opportunity.path, before: text, after: subject.touchedText }],
        tree,
        openProject,
      );
      const target = targets.find(({ kind, name }) => kind === 'function' && name === subject.name);
      if (target?.kind !== 'function' || target.exportedAs === null)
        return { refused: gaps[0] ?? 'It cannot be called from outside.' };
      return {
        name: subject.name,
        exportedAs: target.exportedAs,
        place,
        plan: { targets: [target], shapes, constants, emit },
      };
    },
    async recordCalls({ files, file }) {
      const { insertRecorders } = await loadPart(() => import('./verify/guard/recorders.ts'));
      return files.map(({ path, text }) => insertRecorders(path, text, file));
    },
    async planMutants({ edits, most }) {
      const { planMutants } = await loadPart(() => import('./verify/guard/planMutants.ts'));
      const { findPythonMutants } = await loadPart(() => import('./verify/guard/python/findMutants.ts'));
      const { isTestEdit } = await loadPart(() => import('./paths/testEdits.ts'));
      const { findGoMutants } = await loadPart(() => import('./verify/guard/go/findMutants.ts'));
      return planMutants(edits, most, isTestEdit, [
        ...(await findPythonMutants(parser, edits, isTestEdit)),
        ...(await findGoMutants(parser, edits, isTestEdit)),
      ]);
    },
    async planGoCalls(input) {
      return (await loadPart(() => import('./verify/guard/go/calls/planCalls.ts'))).planGoCalls(parser, input);
    },
    async newState({ edits }) {
      return (await loadPart(() => import('./verify/integrity/newState.ts'))).collectNewState(edits);
    },
    async lostDocumentation({ edits }) {
      return (await loadPart(() => import('./analysis/script/exportedApi.ts'))).countLostDocumentation(edits);
    },
    async docNames({ edits }) {
      return (await loadPart(() => import('./verify/integrity/docNames.ts'))).collectUnknownDocNames(edits);
    },
    async hiddenFaults({ edits, renamed }) {
      return (await loadPart(() => import('./verify/integrity/hiddenFaults.ts'))).findHiddenFaults(edits, renamed);
    },
    async planNear({ edits, shown }) {
      return (await loadPart(() => import('./verify/claims/planSpecialCase.ts'))).planSimilarTests(edits, shown);
    },
    async planCheats({ edits }) {
      return (await loadPart(() => import('./verify/cheats/planCheats.ts'))).planCheats(edits);
    },
    async contradictions({ path, text }) {
      return (await loadPart(() => import('./verify/cheats/contradictions.ts'))).createContradictions(path, text);
    },
    async planTraces({ edits }) {
      const { planTraces } = await loadPart(() => import('./verify/traces/planTraces.ts'));
      const { isTestEdit } = await loadPart(() => import('./paths/testEdits.ts'));
      return planTraces(edits, isTestEdit);
    },
    async safety({ rootDir, edits, isExternal = false }) {
      const { determineSafety } = await loadPart(() => import('./propose/safety.ts'));
      return determineSafety(edits, sourceTree(rootDir), { isExternal });
    },
    async applyRecipe({ rootDir, opportunity, asked }) {
      const { applyRecipe } = await loadPart(() => import('./propose/applyRecipe.ts'));
      return applyRecipe(opportunity, sourceTree(rootDir), { asked: asked ?? false });
    },
    async mineEdits(input) {
      const { mineEdits, cacheTrees } = await loadPart(() => import('./learn/recipes/mineEdits.ts'));
      const { parseForRecipes } = await loadPart(() => import('./propose/syntax/parse.ts'));
      const parse = cacheTrees(parseForRecipes);
      return input.flatMap((versions) => mineEdits(versions, parse));
    },
    async induceRecipes({ edits, options }) {
      const { induceRecipes: induce } = await loadPart(() => import('./learn/recipes/induceRecipes.ts'));
      const { rewriteExpression } = await loadPart(() => import('./propose/patterns/jobs.ts'));
      return induce(edits, rewriteExpression, options);
    },
    async findShapes(input) {
      const { findShapes } = await loadPart(() => import('./propose/patterns/jobs.ts'));
      return findShapes(input, sourceTree(input.rootDir));
    },
    async rewriteShape(input) {
      const { rewriteShape } = await loadPart(() => import('./propose/patterns/jobs.ts'));
      return rewriteShape(input, sourceTree(input.rootDir));
    },
    async knowsCause({ rootDir, paths }) {
      const { explainNoCause } = await loadPart(() => import('./propose/causeSupport.ts'));
      const tree = sourceTree(rootDir);
      const root = tree.rootDir.replaceAll('\\', '/');
      return paths.map((path) => explainNoCause(tree, `${root}/${path}`, tree.read(`${root}/${path}`) ?? '') === null);
    },
    async transform({ rootDir, request }) {
      const { transform } = await loadPart(() => import('./propose/transforms/transform.ts'));
      return transform(request, sourceTree(rootDir));
    },
  };
}

/**
 * Loads a part of the program. Throws `unavailable` if that fails, because the current file is not the cause, so trying
 * the next file would not help.
 */
async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw new SelfwareError('unavailable', `A part of Selfware could not be loaded: ${reason}.`, {
      action:
        'If Selfware was updated while it ran, start it again (in VS Code: reload the window). Else install it again.',
      cause,
    });
  }
}

/**
 * True if the compiler parses a TypeScript file without errors, although the parser with the grammar reported some,
 * because a grammar may lack the newest syntax. JavaScript is excluded, because the compiler would accept types in it.
 */
async function isReadByCompiler(path: string, text: string): Promise<boolean> {
  if (!/\.[cm]?tsx?$/.test(path)) return false;
  const { parseSource, listSyntaxErrors } = await loadPart(() => import('./propose/syntax/parse.ts'));
  const source = parseSource(path, text);
  return source !== null && listSyntaxErrors(source).length === 0;
}
