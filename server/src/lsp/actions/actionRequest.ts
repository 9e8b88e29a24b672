// Defines what all code actions (quick fixes and refactorings of an editor) get as input.

import type { CodeAction, Command, Diagnostic } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Opportunity } from '../../core/model.ts';
import { isObject } from '../commands/commandArguments.ts';
import type { ServerContext, Repository } from '../serverContext.ts';
import { toDiagnostic } from '../toProtocol.ts';

/** A request of an editor for the code actions at a place in a file. `path`: relative to the repository. */
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
  /**
   * The kind of code action: a quick fix if the place is on the name of the opportunity, a refactoring elsewhere in its
   * range.
   */
  readonly kind: string;
}

/** An entry in the menu of quick fixes and refactorings. */
export type Action = CodeAction | Command;

/** The reason for disabled actions in a workspace that is not trusted. */
export const UNTRUSTED_REASON = 'The workspace is not trusted: nothing of it is run, so no change can be checked.';

/**
 * The diagnostics of an opportunity: those that the client has sent, so that it can relate the action to them;
 * otherwise a new one.
 */
export function diagnosticsOf({ context, diagnostics }: ActionRequest, opportunity: Opportunity): Diagnostic[] {
  const sentDiagnostics = diagnostics.filter(({ data }) => isObject(data) && data['id'] === opportunity.id);
  return sentDiagnostics.length > 0
    ? sentDiagnostics
    : [toDiagnostic(opportunity, { rulesDir: context.rulesDir, uriOf: null })];
}
