// Makes the code actions for an opportunity other than fixing it: suppress it in the source, dismiss it, or explain it.

import { CodeActionKind, type CodeAction, type Command } from 'vscode-languageserver/node';
import { serverCommands } from '#protocol/methods';
import type { DecisionParams } from '#protocol/review';
import type { Opportunity } from '../../core/model.ts';
import { diagnosticsOf, type Action, type ActionRequest, type OpportunityAtPlace } from './actionRequest.ts';

/** Rules about suppressions themselves, whose findings cannot be suppressed. */
const NOT_SUPPRESSIBLE: ReadonlySet<string> = new Set(['suppression-without-reason', 'unused-suppression']);

/**
 * The actions to suppress, dismiss and explain each opportunity whose name is under the cursor. Elsewhere in the range
 * of an opportunity there are none, so that it is clear what the person decides about. The caller lists them after the
 * actions that improve something.
 */
export function listDecisionActions(
  request: ActionRequest,
  touchedOpportunities: readonly OpportunityAtPlace[],
): Action[] {
  const { abilities } = request.context;
  return touchedOpportunities
    .filter(({ kind }) => kind === CodeActionKind.QuickFix)
    .flatMap(({ opportunity }) => {
      const params: DecisionParams = { uri: request.uri, opportunity: opportunity.id, rule: opportunity.rule };
      return [
        ...(NOT_SUPPRESSIBLE.has(opportunity.rule) ? [] : [createSuppressAction(opportunity, params)]),
        createDismissAction(opportunity, params),
        createExplainAction(opportunity, params),
      ];
    });

  function createSuppressAction(opportunity: Opportunity, params: DecisionParams): Action {
    const command: Command = {
      title: `Suppress ${opportunity.rule} here, with a reason`,
      command: serverCommands.suppress,
      arguments: [params],
    };
    if (!abilities.codeActionLiterals) return command;
    // With snippets, the edit is computed when the action is chosen, and the person types the reason into it. Without,
    // the command asks for the reason.
    const usesSnippet = abilities.snippetEdits && abilities.resolvesEdit && request.document !== null;
    return createLiteral(opportunity, command, usesSnippet ? { data: { action: 'suppress', ...params } } : { command });
  }

  function createDismissAction(opportunity: Opportunity, params: DecisionParams): Action {
    const command: Command = {
      title: `Dismiss this ${opportunity.rule}…`,
      tooltip: 'It is not shown again, and its rule learns from it.',
      command: serverCommands.dismiss,
      arguments: [params],
    };
    return abilities.codeActionLiterals ? createLiteral(opportunity, command, { command }) : command;
  }

  function createExplainAction(opportunity: Opportunity, params: DecisionParams): Action {
    const command: Command = {
      title: `Explain ${opportunity.rule}`,
      command: serverCommands.explain,
      arguments: [params],
    };
    return abilities.codeActionLiterals ? createLiteral(opportunity, command, { command }) : command;
  }

  function createLiteral(
    opportunity: Opportunity,
    { title }: Command,
    parts: Pick<CodeAction, 'command' | 'data'>,
  ): CodeAction {
    return { title, kind: CodeActionKind.QuickFix, diagnostics: diagnosticsOf(request, opportunity), ...parts };
  }
}
