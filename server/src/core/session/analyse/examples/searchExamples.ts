// Runs the examples of the documentation in a sandbox, and finds those whose stated result is wrong.

import { posix } from 'node:path';
import type { Operation } from '../../../operation.ts';
import { SCRIPT_PATTERN } from '../../../paths/scriptFiles.ts';
import { isCopiedLibrary, isHistory } from '../../../paths/nonSourcePaths.ts';
import { isTestData, isTestSupport } from '../../../paths/tests.ts';
import { isWithin } from '../../../../util/pathWithin.ts';
import { parseJsonOrNull } from '../../../../util/parseJson.ts';
import { SelfwareError } from '../../../../util/typedError.ts';
import { isRecord } from '../../../../util/values/isRecord.ts';
import type {
  DocumentText,
  ExamplePlan,
  ExamplesOrder,
  ExamplesReport,
  WrongExample,
} from '../../../verify/examples/examplePlan.ts';
import type { SessionContext } from '../../context.ts';
import { readTextOrNull } from '../../search/packing.ts';
import { isJudge } from '../../verify/judgeFiles.ts';
import type { ExampleReport, ExamplesRequest, UnclearExample } from '../analysisTypes.ts';
import { isOrdinaryCode } from '../counterexamples.ts';
import { requireHarness, runHarness } from '../harnessRun.ts';
import { computeExampleGround, readStoredExamples, storeExamples } from './storedExamples.ts';

/** Matches Markdown documents. */
const DOCUMENT_PATTERN = /\.(?:md|mdx|markdown)$/i;
/** The tag of an example in a comment. */
const EXAMPLE_TAG = '@example';
/** Maximum number of documents that one job plans. */
const DOCUMENTS_PER_JOB = 100;
/** Extra milliseconds for starting the sandbox. */
const EXTRA_MS = 60_000;

/**
 * Runs the examples, stores the wrong ones, and reports them. Throws `untrusted`, `forbidden` if the machine cannot
 * isolate the examples, `unavailable` if the harness is missing or ends without a report, and the errors of a sandbox.
 */
export async function findWrongExamples(context: SessionContext, request: ExamplesRequest): Promise<ExampleReport> {
  const paths = listDocuments(context, request);
  const documents: { readonly path: string; readonly text: string }[] = [];
  for (const path of paths) {
    const text = await readTextOrNull(context, path);
    if (text !== null && (!SCRIPT_PATTERN.test(path) || text.includes(EXAMPLE_TAG))) documents.push({ path, text });
  }
  const { plan, report } = await checkDocuments(context, documents, request);
  const wrongExamples = collectWrong(plan, report);
  const storedFiles = new Map(await readStoredExamples(context));
  for (const { path } of documents) {
    const ground = computeExampleGround(context.state, path);
    storedFiles.set(path, { ground, examples: wrongExamples.filter((example) => example.path === path) });
  }
  await storeExamples(context, new Map([...storedFiles].filter(([path]) => context.state.analyses.has(path))));
  if (documents.length > 0) context.emit({ type: 'opportunities', paths: documents.map(({ path }) => path) });
  const unclear = collectUnclear(plan, report);
  return {
    wrong: wrongExamples,
    unclear,
    documents: new Set([...plan.programs, ...plan.leftOut].map(({ path }) => path)).size,
    checks: plan.programs.reduce((sum, { checks }) => sum + checks.length, 0),
  };
}

/**
 * The wrong examples in these documents, whose texts may differ from the files; the code is that of the tree. Stores
 * nothing. Throws the errors of `findWrongExamples`.
 */
export async function checkExamplesOf(
  context: SessionContext,
  documents: readonly { readonly path: string; readonly text: string }[],
  operation: Operation & { readonly seconds: number },
): Promise<readonly WrongExample[]> {
  const { plan, report } = await checkDocuments(context, documents, operation);
  return collectWrong(plan, report);
}

/** True for a document whose examples are run: Markdown, and code of the product with comments. */
export function isDocument(path: string): boolean {
  if (isHistory(path) || isCopied(path) || isJudge(path)) return false;
  return DOCUMENT_PATTERN.test(path) || (SCRIPT_PATTERN.test(path) && isOrdinaryCode(path));
}

/** True for a file that tests use as data, and for a copy of another project. */
function isCopied(path: string): boolean {
  return isTestSupport(path) || isTestData(path) || isCopiedLibrary(path);
}

/** Paths of the documents in these places, without the excluded ones, sorted. */
function listDocuments(
  { state }: SessionContext,
  { paths, excluded = [] }: Pick<ExamplesRequest, 'paths' | 'excluded'>,
): readonly string[] {
  return [...state.analyses.keys()]
    .filter((path) => isDocument(path) && (paths.length === 0 || isWithin(path, paths)) && !isWithin(path, excluded))
    .toSorted();
}

/** Runs the examples of these documents. */
async function checkDocuments(
  context: SessionContext,
  documents: readonly { readonly path: string; readonly text: string }[],
  { seconds, signal, report }: Operation & { readonly seconds: number },
): Promise<{ readonly plan: ExamplePlan; readonly report: ExamplesReport }> {
  const { ports } = context;
  const packageNames = await readPackageNames(context);
  const describedDocuments = documents.map(({ path, text }): DocumentText => {
    const folder = findPackageFolder(path, packageNames);
    return {
      path,
      text,
      packageName: packageNames.get(folder) ?? null,
      codePath: findCodePath(path, (candidate) => context.state.analyses.has(candidate)),
      isAtPackageRoot: posix.dirname(path) === folder,
    };
  });
  const plan = await planInParts(context, describedDocuments, signal);
  if (plan.programs.length === 0) return { plan, report: { obstacle: null, outcomes: [] } };
  const harness = await requireHarness(context);
  const order: ExamplesOrder = {
    examples: plan.programs,
    packageFolders: [...packageNames.keys()],
    emit: { compiler: {}, paths: {}, baseUrl: null },
    budgetMs: seconds * 1000,
  };
  const worktree = await ports.sandbox.open(signal);
  try {
    const answer = await runHarness<ExamplesReport & { readonly done?: number; readonly total?: number }>(
      worktree,
      harness,
      order,
      {
        timeoutMs: order.budgetMs + EXTRA_MS,
        soFar: ({ done = 0, total = 0 }) =>
          report?.({ stage: 'verifying', done, total, message: 'Runs the examples of the documentation' }),
      },
      signal,
    );
    if (answer.obstacle !== null)
      throw new SelfwareError('unavailable', answer.obstacle, { action: 'Run `selfware doctor`.' });
    return { plan, report: answer };
  } finally {
    await worktree.dispose();
  }
}

/** Plans the documents in several jobs, because a job that plans too many would run into its time limit. */
async function planInParts(
  { ports }: SessionContext,
  documents: readonly DocumentText[],
  signal: AbortSignal,
): Promise<ExamplePlan> {
  const plans: ExamplePlan[] = [];
  for (let first = 0; first < documents.length; first += DOCUMENTS_PER_JOB) {
    const part = documents.slice(first, first + DOCUMENTS_PER_JOB);
    plans.push(await ports.jobs.run('planExamples', { documents: part }, signal));
  }
  return { programs: plans.flatMap(({ programs }) => programs), leftOut: plans.flatMap(({ leftOut }) => leftOut) };
}

/**
 * The names of the repository's packages by folder, relative to the root (`.` for the root itself); null for a manifest
 * without a name. Packages in fixtures are omitted.
 */
async function readPackageNames(context: SessionContext): Promise<ReadonlyMap<string, string | null>> {
  const names = new Map<string, string | null>();
  for (const path of context.state.analyses.keys()) {
    if (!/(?:^|\/)package\.json$/.test(path) || isCopied(path)) continue;
    const manifest = parseJsonOrNull((await readTextOrNull(context, path)) ?? '');
    const name = isRecord(manifest) && typeof manifest['name'] === 'string' ? manifest['name'] : null;
    names.set(posix.dirname(path), name);
  }
  return names;
}

/**
 * The script that a document describes: a script itself, or the code next to type declarations; null if there is none.
 */
function findCodePath(path: string, exists: (path: string) => boolean): string | null {
  const declaration = /\.d\.([cm]?)ts$/.exec(path);
  if (!declaration) return SCRIPT_PATTERN.test(path) ? path : null;
  const stem = path.slice(0, declaration.index);
  return [`.${declaration[1]}js`, '.mjs', '.cjs', '.js'].map((end) => stem + end).find(exists) ?? null;
}

/** The nearest folder above a file that has a manifest; the root if none has. */
function findPackageFolder(path: string, names: ReadonlyMap<string, string | null>): string {
  let folder = posix.dirname(path);
  while (folder !== '.' && !names.has(folder)) folder = posix.dirname(folder);
  return folder;
}

/** The examples with a wrong result. */
function collectWrong({ programs }: ExamplePlan, { outcomes }: ExamplesReport): readonly WrongExample[] {
  return programs.flatMap(({ path, checks }, index) =>
    checks.flatMap((check, position): readonly WrongExample[] => {
      const outcome = outcomes[index]?.[position];
      return outcome?.outcome === 'wrong' ? [{ ...check, path, actual: outcome.actual }] : [];
    }),
  );
}

/** The examples whose result is unknown, with the reasons. */
function collectUnclear({ programs, leftOut }: ExamplePlan, { outcomes }: ExamplesReport): readonly UnclearExample[] {
  return [
    ...leftOut,
    ...programs.flatMap(({ path, checks }, index) =>
      checks.flatMap(({ line }, position): readonly UnclearExample[] => {
        const outcome = outcomes[index]?.[position] ?? { outcome: 'unknown', reason: 'The time was over.' };
        return outcome.outcome === 'unknown' ? [{ path, line, reason: outcome.reason }] : [];
      }),
    ),
  ];
}
