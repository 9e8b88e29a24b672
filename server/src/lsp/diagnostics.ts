// Diagnostics of a document or of a folder, for the pull and the push feature alike.

import { createHash } from 'node:crypto';
import type { Diagnostic } from 'vscode-languageserver/node';
import type { Opportunity } from '../core/model.ts';
import type { Repository } from './repository.ts';
import type { ServerContext } from './serverContext.ts';
import { diagnosticTo } from './toProtocol.ts';

/** Of one document: as it stands in the editor when it is open, as indexed when it is not. */
export async function documentDiagnostics({ documents, repositories, live, rulesDir }: ServerContext, uri: string): Promise<readonly Diagnostic[]> {
  const place = repositories.locate(uri);
  if (!place) return [];
  const { repository, path } = place;
  const session = await repository.session();
  if (!isEnabled(repository)) return [];
  const open = documents.get(uri) !== undefined;
  if (!open && !coversRepository(repository)) return [];
  const opportunities = open ? (await live.look(uri)).opportunities : await session.opportunities([path]);
  return opportunities.map((opportunity) => diagnosticTo(opportunity, rulesDir));
}

/** Of all files of a folder as indexed, by path; empty unless the settings ask for the whole repository. */
export async function folderDiagnostics({ rulesDir }: ServerContext, repository: Repository): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const session = await repository.session();
  if (!isEnabled(repository) || !coversRepository(repository)) return new Map();
  const byPath = new Map<string, Opportunity[]>();
  for (const opportunity of await session.opportunities()) {
    const known = byPath.get(opportunity.path);
    if (known) known.push(opportunity);
    else byPath.set(opportunity.path, [opportunity]);
  }
  return new Map([...byPath].map(([path, opportunities]) => [path, opportunities.map((opportunity) => diagnosticTo(opportunity, rulesDir))]));
}

/** Equal for equal diagnostics, so that a client need not be sent what it has. */
export function resultId(diagnostics: readonly Diagnostic[]): string {
  return createHash('sha256').update(JSON.stringify(diagnostics)).digest('base64url').slice(0, 16);
}

export function coversRepository(repository: Repository): boolean {
  return repository.settings?.['diagnostics.scope'] === 'repository';
}

function isEnabled(repository: Repository): boolean {
  return repository.settings?.['diagnostics.enable'] !== false;
}
