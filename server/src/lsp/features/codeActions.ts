// "Improve: …" for opportunities that a recipe can realise. Verifying takes up to minutes, so an action only names the command that does it.

import { CodeActionKind, type CodeAction, type CodeActionParams, type Command, type Diagnostic, type Range as LspRange } from 'vscode-languageserver/node';
import { serverCommands } from '#protocol/methods';
import type { ImproveParams } from '#protocol/review';
import type { Opportunity } from '../../core/model.ts';
import { isObject } from '../fromProtocol.ts';
import { guarded } from '../guard.ts';
import type { Repository } from '../repository.ts';
import type { Feature, ServerContext } from '../serverContext.ts';
import { diagnosticTo, rangeTo } from '../toProtocol.ts';

const untrusted = 'The workspace is not trusted: nothing of it is run, so nothing can be verified.';

export const codeActions: Feature = (context) => {
  const { connection, log, abilities } = context;
  connection.onCodeAction(guarded<CodeActionParams, (CodeAction | Command)[]>(log, 'textDocument/codeAction', [], (params) => actionsFor(context, params)));
  connection.onCodeActionResolve((action, token) => guarded<CodeAction, CodeAction>(log, 'codeAction/resolve', action, () => resolved(action))(action, token));
  const codeActionKinds = [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite];
  return { capabilities: { codeActionProvider: abilities.codeActionLiterals ? { codeActionKinds, resolveProvider: true } : true } };
};

async function actionsFor(context: ServerContext, params: CodeActionParams): Promise<(CodeAction | Command)[]> {
  const place = context.repositories.locate(params.textDocument.uri);
  if (!place) return [];
  const { repository, path } = place;
  const session = await repository.session();
  const open = context.documents.get(params.textDocument.uri) !== undefined;
  const found = open ? (await context.live.look(params.textDocument.uri)).opportunities : await session.opportunities([path]);
  const meant = new Set(params.context.diagnostics.map(({ data }) => (isObject(data) ? data['id'] : undefined)));
  const candidates = found
    .filter(({ recipe }) => recipe !== null)
    .map((opportunity) => ({ opportunity, kind: kindOf(opportunity, params.range, meant) }))
    .filter(({ kind }) => kind !== null && (params.context.only?.some((asked) => kind === asked || kind.startsWith(`${asked}.`) || asked === '') ?? true))
    // What is under the cursor comes first, then what is around it; the better one first.
    .toSorted((one, other) => Number(other.kind === CodeActionKind.QuickFix) - Number(one.kind === CodeActionKind.QuickFix) || other.opportunity.impact - one.opportunity.impact);
  const best = candidates[0]?.opportunity.id;
  return candidates.flatMap(({ opportunity, kind }): (CodeAction | Command)[] => {
    const command = improveCommand(opportunity);
    if (!context.abilities.codeActionLiterals) return repository.trusted ? [command] : [];
    if (!repository.trusted && !context.abilities.disabledCodeActions) return [];
    return [actionOf(context, repository, opportunity, command, { kind: kind ?? '', isPreferred: opportunity.id === best, diagnostics: params.context.diagnostics })];
  });
}

/** On the name (or its diagnostic) it is a fix; elsewhere in the construct it is offered as a refactoring. */
function kindOf(opportunity: Opportunity, range: LspRange, meant: ReadonlySet<unknown>): string | null {
  if (meant.has(opportunity.id) || touches(rangeTo(opportunity.nameRange), range)) return CodeActionKind.QuickFix;
  return touches(rangeTo(opportunity.range), range) ? CodeActionKind.RefactorRewrite : null;
}

function actionOf(
  { abilities, rulesDir }: ServerContext,
  repository: Repository,
  opportunity: Opportunity,
  command: Command,
  { kind, isPreferred, diagnostics }: { readonly kind: string; readonly isPreferred: boolean; readonly diagnostics: readonly Diagnostic[] },
): CodeAction {
  const own = diagnostics.filter(({ data }) => isObject(data) && data['id'] === opportunity.id);
  return {
    title: command.title,
    kind,
    ...(kind === CodeActionKind.QuickFix ? { diagnostics: own.length > 0 ? own : [diagnosticTo(opportunity, rulesDir)], isPreferred } : {}),
    ...(repository.trusted ? (abilities.resolvesCommand ? {} : { command }) : { disabled: { reason: untrusted } }),
    data: { opportunity: opportunity.id, title: command.title },
  };
}

/** Adds the command; what is not ours comes back as it is. */
function resolved(action: CodeAction): CodeAction {
  const { data } = action;
  if (action.command || action.disabled || !isObject(data) || typeof data['opportunity'] !== 'string') return action;
  return { ...action, command: { title: action.title, tooltip, command: serverCommands.improve, arguments: [{ opportunity: data['opportunity'] } satisfies ImproveParams] } };
}

const tooltip = 'Makes a proposal, verifies it in a sandbox and shows it for review. Nothing is written before you approve.';

function improveCommand({ id, message }: Opportunity): Command {
  return { title: `Improve: ${message}`, tooltip, command: serverCommands.improve, arguments: [{ opportunity: id } satisfies ImproveParams] };
}

/** Ranges that share a position; an empty one (a cursor) counts at both its ends. */
function touches(one: LspRange, other: LspRange): boolean {
  return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}

function isBefore(one: LspRange['start'], other: LspRange['start']): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}
