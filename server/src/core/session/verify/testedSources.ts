// Finds the code that new tests check, by the imports of the tests.

import { listSpecifiers } from '../../index/graph/importGraph.ts';
import { createImportResolver } from '../../index/graph/importResolver.ts';
import type { FileEdit } from '../../model.ts';
import { MAX_EXAMINED } from '../../verify/claims/outsideEffects.ts';
import { sha256 } from '../../../util/hash.ts';
import type { SessionContext } from '../context.ts';
import { loadProjectConfig } from '../index/imports.ts';
import { readAnalysedText } from '../analyse/projectFindings.ts';

/** Matches a relative specifier. */
const RELATIVE_PATTERN = /^\.{1,2}(?:\/|$)/;
/** Matches specifiers of files that run nothing when they are imported. */
const DATA_PATTERN = /\.(?:json5?|css|scss|less|svg|png|jpe?g|gif|webp|txt|md|ya?ml|toml)$/i;

/**
 * Sources of the repository that the edited tests import, directly or indirectly, nearest first, each with its text.
 * Test helpers are included. `text` is empty if the edits create the file. It is null if the effect of an import is
 * unknown: the file has changed since it was analysed, or a relative import leads to no known file; then `path` is the
 * specifier.
 */
export async function findTestedSources(
  context: SessionContext,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<readonly { readonly path: string; readonly text: string | null }[]> {
  const rows = await context.ports.jobs.run(
    'analyse',
    edits.flatMap(({ path, after }) => {
      if (after === null) return [];
      const bytes = new TextEncoder().encode(after);
      return [{ path, bytes, size: bytes.byteLength, mtimeMs: 0, hash: sha256(bytes) }];
    }),
    signal,
  );
  const { analyses } = context.state;
  const files = [...analyses.values()];
  const resolve = createImportResolver([...files, ...rows], await loadProjectConfig(context, files));
  const paths = new Set<string>();
  const addPaths = (foundPaths: readonly string[]) => {
    for (const path of foundPaths) if (paths.size < MAX_EXAMINED) paths.add(path);
  };
  const unknownSpecifiers = new Set<string>();
  const followImports = (file: (typeof rows)[number]) => {
    for (const specifier of listSpecifiers(file)) {
      const resolved = resolve(file, specifier);
      addPaths(resolved);
      if (resolved.length === 0 && RELATIVE_PATTERN.test(specifier) && !DATA_PATTERN.test(specifier))
        unknownSpecifiers.add(specifier);
    }
  };
  rows.forEach(followImports);
  // The nearest come first: iterating over a set includes entries that are added during the iteration.
  for (const path of paths) {
    addPaths(context.state.imports.get(path) ?? []);
    const file = analyses.get(path);
    if (file) followImports(file);
  }
  const sources: { readonly path: string; readonly text: string | null }[] = [];
  // Every path is listed, so that callers can recognise a truncated list by its length. Files that the edits create are
  // judged as edits.
  for (const path of paths)
    sources.push({ path, text: analyses.has(path) ? await readAnalysedText(context, path) : '' });
  return [...sources, ...[...unknownSpecifiers].map((path) => ({ path, text: null }))];
}
