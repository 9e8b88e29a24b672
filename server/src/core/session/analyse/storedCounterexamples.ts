// Stores calls that break functions, by file, and shows them as opportunities as long as the code is the same.

import { sha256 } from '../../../util/hash.ts';
import { toProjectOpportunity } from '../../analysis/project/projectFinding.ts';
import type { SuppressedOpportunity } from '../../analysis/suppressions.ts';
import type { Opportunity } from '../../model.ts';
import type { CheckedCounterexample } from '../../verify/counterexamples/plan.ts';
import type { SessionContext } from '../context.ts';
import { readStoredJson, showStoredResults } from './storedJson.ts';

/** The rule of these opportunities. */
export const COUNTEREXAMPLE_RULE = 'counterexample';

/** The counterexamples in one file. */
export interface StoredFile {
  /** Hash of all code on which the counterexamples depend. */
  readonly ground: string;
  readonly finds: readonly CheckedCounterexample[];
  /**
   * Exports that users of the package could not import when it was searched. The law `breaks` was not tried on them.
   */
  readonly internal: readonly string[];
  /** True if the time ended before everything was tried, so that the next search tries the file again. */
  readonly partly: boolean;
}

/** The name of the blob with the stored counterexamples. */
const BLOB_NAME = 'counterexamples.json';
/** Version of the stored form. Increase it whenever the form or the search changes. */
const FORMAT_VERSION = 4;
/** The expected share of counterexamples on which people act, by kind. */
const CONFIDENCE = {
  engineError: 0.7,
  wrongType: 0.65,
  endless: 0.8,
  roundTrip: 0.6,
  order: 0.7,
  settles: 0.55,
} as const;
/** The confidence in a counterexample whose input is unlikely, regardless of its kind. */
const UNLIKELY_CONFIDENCE = 0.3;
/** The impact of a counterexample, by kind. */
const IMPACT = { engineError: 60, wrongType: 55, endless: 80, roundTrip: 60, order: 60, settles: 40 } as const;

/**
 * The hash of a file, of the declarations that may state its types, and of all that these import, directly or not. The
 * types of a JavaScript file without declarations next to it may be in any declaration file.
 */
export function computeGround(
  {
    analyses,
    imports,
  }: {
    readonly analyses: ReadonlyMap<string, { readonly hash: string }>;
    readonly imports: SessionContext['state']['imports'];
  },
  path: string,
): string {
  const declaration = path.replace(/\.([cm]?)js$/, '.d.$1ts');
  const reachedPaths = new Set([path, declaration]);
  if (declaration !== path && !analyses.has(declaration))
    for (const declarationPath of analyses.keys())
      if (/\.d\.[cm]?ts$/.test(declarationPath)) reachedPaths.add(declarationPath);
  for (const reachedPath of reachedPaths) for (const next of imports.get(reachedPath) ?? []) reachedPaths.add(next);
  const hashes = [...reachedPaths].sort().map((path) => [path, analyses.get(path)?.hash ?? null]);
  return sha256(new TextEncoder().encode(JSON.stringify(hashes))).slice(0, 24);
}

/** The stored counterexamples by path; empty if no search was made. */
export async function readStoredCounterexamples(context: SessionContext): Promise<ReadonlyMap<string, StoredFile>> {
  // Another process may have stored counterexamples since, so the blob is read again.
  const stored = (await readStoredJson(context, BLOB_NAME, '`selfware counterexamples`')) as {
    readonly format?: number;
    readonly files?: readonly (readonly [string, StoredFile])[];
  } | null;
  return new Map(stored?.format === FORMAT_VERSION ? stored.files : []);
}

/** Replaces the stored counterexamples. */
export async function storeCounterexamples(
  context: SessionContext,
  files: ReadonlyMap<string, StoredFile>,
): Promise<void> {
  const text = JSON.stringify({ format: FORMAT_VERSION, files: [...files] });
  await context.ports.blobs.write(BLOB_NAME, new TextEncoder().encode(text));
}

/** The counterexamples of earlier searches in code that has not changed, for some files or all. Runs nothing. */
export async function listKnownCounterexamples(
  context: SessionContext,
  paths: readonly string[] | undefined,
): Promise<{ readonly opportunities: readonly Opportunity[]; readonly suppressed: readonly SuppressedOpportunity[] }> {
  return showStoredResults(
    context.state.analyses,
    await readStoredCounterexamples(context),
    paths,
    (path) => computeGround(context.state, path),
    ({ finds }) => finds.map(createCounterexampleOpportunity),
  );
}

/** The counterexample behind an opportunity; null if it no longer exists. */
export async function findCounterexampleOf(
  context: SessionContext,
  { id, path }: Opportunity,
): Promise<CheckedCounterexample | null> {
  const storedOfFile = (await readStoredCounterexamples(context)).get(path)?.finds ?? [];
  return storedOfFile.find((find) => createCounterexampleOpportunity(find).id === id) ?? null;
}

/** The counterexample as an opportunity. */
export function createCounterexampleOpportunity(find: CheckedCounterexample): Opportunity {
  const { kind, path, name, call, expected, observed, unlikely, precondition, range, nameRange, test } = find;
  const doubt = precondition === undefined ? 'unlikely input' : `its comment says “${precondition}”`;
  return toProjectOpportunity({
    rule: COUNTEREXAMPLE_RULE,
    path,
    range,
    nameRange,
    symbol: name,
    about: `${kind} ${kind === 'engineError' || kind === 'wrongType' ? observed : ''}`,
    impact: IMPACT[kind],
    confidence: unlikely ? UNLIKELY_CONFIDENCE : CONFIDENCE[kind],
    severity: unlikely ? 'hint' : 'information',
    message: `\`${call}\` ${observed}; it ${expected}${unlikely ? ` (${doubt})` : ''}.`,
    evidence: {
      kind,
      call,
      expected,
      observed,
      ...(precondition === undefined ? {} : { precondition }),
      ...('refused' in test ? { noTest: test.refused } : { test: test.text, testPath: test.path }),
    },
  });
}
