// The common input of all code actions.

import type { CodeAction, Command, Diagnostic } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Opportunity } from '../../core/model.ts';
import { isObject } from '../fromProtocol.ts';
import type { ServerContext, Repository } from '../serverContext.ts';
import { toDiagnostic } from '../toProtocol.ts';

/** The place in a file for which an editor requests actions. */
export interface ActionRequest {
  readonly context: ServerContext;
  readonly repository: Repository;
  readonly path: string;
  readonly uri: string;
  /** The open document; null if it is not open. */
  readonly document: TextDocument | null;
  /** Diagnostics to which the requested actions should belong. */
  readonly diagnostics: readonly Diagnostic[];
}

/** An opportunity at the place of the request. */
export interface OpportunityAtPlace {
  readonly opportunity: Opportunity;
  /** A fix if the place is on the opportunity's name, a refactoring elsewhere in its construct. */
  readonly kind: string;
}

/** An entry in the menu of quick fixes and refactorings. */
export type Action = CodeAction | Command;

/** The reason for disabled actions in a workspace that is not trusted. */
export const untrusted = 'The workspace is not trusted: nothing of it is run, so no change can be checked.';

/**
 * The client's own diagnostic if it sent one, so that it can relate the action to the diagnostic; otherwise a new one.
 */
export function findDiagnostics({ context, diagnostics }: ActionRequest, opportunity: Opportunity): Diagnostic[] {
  const sentDiagnostics = diagnostics.filter(({ data }) => isObject(data) && data['id'] === opportunity.id);
  return sentDiagnostics.length > 0
    ? sentDiagnostics
    : [toDiagnostic(opportunity, { rulesDir: context.rulesDir, uriOf: null })];
}
