// Stores wrong examples by document, and shows them as opportunities as long as document and code are the same.

import { SCRIPT_PATTERN } from '../../../paths/scriptFiles.ts';
import { sha256 } from '../../../../util/hash.ts';
import { toProjectOpportunity } from '../../../analysis/project/projectFinding.ts';
import type { SuppressedOpportunity } from '../../../analysis/suppressions.ts';
import type { Opportunity } from '../../../model.ts';
import type { WrongExample } from '../../../verify/examples/examplePlan.ts';
import type { SessionContext } from '../../context.ts';
import { CORRECT_EXAMPLE_RECIPE } from '../../propose/recipeNames.ts';
import { isOrdinaryCode } from '../counterexamples.ts';
import { readStoredJson, showStoredResults } from '../storedJson.ts';

/** The rule of these opportunities. */
export const WRONG_EXAMPLE_RULE = 'wrong-example';

/** The wrong examples of one document. */
export interface StoredDocument {
  /** Hash of the document and of all product code. */
  readonly ground: string;
  readonly examples: readonly WrongExample[];
}

/** The name of the blob with the stored results. */
const BLOB_NAME = 'examples.json';
/** Version of the stored form. Increase it whenever the form or the search changes. */
const FORMAT_VERSION = 2;
/** The expected share of wrong examples that people correct. */
const CONFIDENCE = 0.7;
/** The impact of a wrong example. */
const IMPACT = 55;

/** The hash of a document and of the product code in JavaScript and TypeScript. */
export function computeExampleGround({ analyses }: Pick<SessionContext['state'], 'analyses'>, path: string): string {
  const hashes = [...analyses.values()]
    .filter((row) => row.path === path || (SCRIPT_PATTERN.test(row.path) && isOrdinaryCode(row.path)))
    .map((row) => [row.path, row.hash])
    .sort();
  return sha256(new TextEncoder().encode(JSON.stringify(hashes))).slice(0, 24);
}

/** The stored documents by path; empty if no examples were run. */
export async function readStoredExamples(context: SessionContext): Promise<ReadonlyMap<string, StoredDocument>> {
  const stored = (await readStoredJson(context, BLOB_NAME, '`selfware examples`')) as {
    readonly format?: number;
    readonly documents?: readonly (readonly [string, StoredDocument])[];
  } | null;
  return new Map(stored?.format === FORMAT_VERSION ? stored.documents : []);
}

/** Replaces the stored documents. */
export async function storeExamples(
  context: SessionContext,
  documents: ReadonlyMap<string, StoredDocument>,
): Promise<void> {
  const text = JSON.stringify({ format: FORMAT_VERSION, documents: [...documents] });
  await context.ports.blobs.write(BLOB_NAME, new TextEncoder().encode(text));
}

/** The wrong examples of earlier runs in documents and code that have not changed. Runs nothing. */
export async function listKnownWrongExamples(
  context: SessionContext,
  paths: readonly string[] | undefined,
): Promise<{ readonly opportunities: readonly Opportunity[]; readonly suppressed: readonly SuppressedOpportunity[] }> {
  return showStoredResults(
    context.state.analyses,
    await readStoredExamples(context),
    paths,
    (path) => computeExampleGround(context.state, path),
    ({ examples }) => examples.map(createExampleOpportunity),
  );
}

/** The wrong examples that are still in the document; empty if it or the code has changed. */
export async function findWrongExamplesIn(context: SessionContext, path: string): Promise<readonly WrongExample[]> {
  const stored = (await readStoredExamples(context)).get(path);
  return stored && computeExampleGround(context.state, path) === stored.ground ? stored.examples : [];
}

/** The wrong example as an opportunity. */
export function createExampleOpportunity(example: WrongExample): Opportunity {
  const { path, line, column, call, stated, actual } = example;
  const isOneLine = !stated.includes('\n');
  const range = {
    startLine: line,
    startColumn: column + 1,
    endLine: line,
    endColumn: column + 1 + stated.split('\n', 1)[0]!.length,
  };
  return toProjectOpportunity({
    rule: WRONG_EXAMPLE_RULE,
    path,
    range,
    nameRange: range,
    symbol: null,
    about: `${call} ${stated}`,
    impact: IMPACT,
    confidence: CONFIDENCE,
    message: `the example says that \`${call}\` returns ${firstLine(stated)}, but it returns ${actual}.`,
    evidence: { call, stated, actual },
    ...(isOneLine ? { recipe: CORRECT_EXAMPLE_RECIPE } : {}),
  });
}

function firstLine(text: string): string {
  const [line = '', ...others] = text.split('\n');
  return others.length > 0 ? `${line} …` : line;
}
