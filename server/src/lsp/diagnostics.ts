// Makes the diagnostics of a document or of a folder from the opportunities in it, for pull and push diagnostics.

import { createHash } from 'node:crypto';
import type { Diagnostic } from 'vscode-languageserver/node';
import type { Opportunity } from '../core/model.ts';
import type { Session } from '../core/session.ts';
import type { ServerContext, Repository } from './serverContext.ts';
import { toDiagnostic } from './toProtocol.ts';

/**
 * The diagnostics of a file. For an open document, they come from its text in the editor; for another file, from the
 * disk, and only if the settings include closed files. Empty if the file is in no open folder, or if diagnostics are
 * switched off.
 */
export async function computeDocumentDiagnostics(context: ServerContext, uri: string): Promise<readonly Diagnostic[]> {
  const { documents, repositories, live } = context;
  const place = repositories.locate(uri);
  if (!place) return [];
  const { repository, path } = place;
  const session = await repository.session();
  if (!isEnabled(repository)) return [];
  if (documents.get(uri)) return collectDiagnostics(context, repository, (await live.analyse(uri)).opportunities);
  const coveredPaths = await findCoveredPaths(repository, session);
  return coveredPaths === null || coveredPaths.has(path)
    ? collectDiagnostics(context, repository, await live.analyseClosed(place))
    : [];
}

/**
 * The diagnostics of the last analysis, by path, for all files of a folder that the settings include while they are
 * closed.
 */
export async function computeFolderDiagnostics(
  context: ServerContext,
  repository: Repository,
): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const session = await repository.session();
  if (!isEnabled(repository) || !coversClosedFiles(repository)) return new Map();
  const coveredPaths = await findCoveredPaths(repository, session);
  const byPath = new Map<string, Opportunity[]>();
  for (const opportunity of await session.opportunities.shown(coveredPaths === null ? undefined : [...coveredPaths])) {
    const opportunitiesOfFile = byPath.get(opportunity.path);
    if (opportunitiesOfFile) opportunitiesOfFile.push(opportunity);
    else byPath.set(opportunity.path, [opportunity]);
  }
  return new Map(
    [...byPath].map(([path, opportunitiesOfFile]) => [
      path,
      collectDiagnostics(context, repository, opportunitiesOfFile),
    ]),
  );
}

/** A hash of the diagnostics, by which a client recognises that it already has them. */
export function computeResultId(diagnostics: readonly Diagnostic[]): string {
  return createHash('sha256').update(JSON.stringify(diagnostics)).digest('base64url').slice(0, 16);
}

/** True if the settings include files that are not open. */
export function coversClosedFiles(repository: Repository): boolean {
  return repository.settings?.['diagnostics.scope'] !== 'openFiles';
}

/**
 * The paths of closed files whose diagnostics are reported: none, those of changed and saved files, or null for all.
 */
async function findCoveredPaths(repository: Repository, session: Session): Promise<ReadonlySet<string> | null> {
  const scope = repository.settings?.['diagnostics.scope'];
  if (scope === 'all') return null;
  return scope === 'openFiles'
    ? new Set()
    : new Set([...(await session.analysis.changedPaths()), ...repository.savedPaths]);
}

function collectDiagnostics(
  { rulesDir, abilities }: ServerContext,
  repository: Repository,
  opportunities: readonly Opportunity[],
): readonly Diagnostic[] {
  return opportunities.map((opportunity) =>
    toDiagnostic(opportunity, { rulesDir, uriOf: abilities.showsRelatedInformation ? repository.uriOf : null }),
  );
}

function isEnabled(repository: Repository): boolean {
  return repository.settings?.['diagnostics.enable'] !== false;
}
