// Makes the code actions "Improve: …" for opportunities that a recipe can fix, and "Improve with a Model…" for others.
// Verifying a change can take minutes, so an action has no edit, but a command.

import { CodeActionKind, type Command } from 'vscode-languageserver/node';
import { serverCommands } from '#protocol/methods';
import type { ImproveWithModelParams } from '#protocol/models';
import type { ImproveParams } from '#protocol/review';
import { describeSkip, type SkippedPlace } from '../../core/model/skippedPlaces.ts';
import type { Opportunity } from '../../core/model.ts';
import {
  diagnosticsOf,
  UNTRUSTED_REASON,
  type Action,
  type ActionRequest,
  type OpportunityAtPlace,
} from './actionRequest.ts';

const RECIPE_TOOLTIP =
  'Makes a proposal, verifies it in a sandbox and shows it for review. Nothing is written before you approve.';
const MODEL_TOOLTIP = 'Asks which language model should change this place, then verifies and shows what it answers.';

/**
 * One action for each opportunity at the place that a recipe can fix: first those whose name is under the cursor, then
 * those with the cursor elsewhere in their range; within each group, those with the higher impact first.
 * `rejectedPlaces`: the opportunities whose last proposal was refused, by id; the action for them is to try again.
 */
export function listImproveActions(
  request: ActionRequest,
  touchedOpportunities: readonly OpportunityAtPlace[],
  rejectedPlaces: ReadonlyMap<string, SkippedPlace>,
): Action[] {
  const { abilities } = request.context;
  const { trusted } = request.repository;
  const candidates = touchedOpportunities
    .filter(({ opportunity }) => opportunity.recipe !== null)
    .toSorted(
      (a, b) =>
        Number(b.kind === CodeActionKind.QuickFix) - Number(a.kind === CodeActionKind.QuickFix) ||
        b.opportunity.impact - a.opportunity.impact,
    );
  const bestId = candidates[0]?.opportunity.id;
  return candidates.flatMap(({ opportunity, kind }): Action[] => {
    const previousSkip = rejectedPlaces.get(opportunity.id);
    const command = createCommandFor(opportunity, previousSkip);
    if (!abilities.codeActionLiterals) return trusted ? [command] : [];
    if (!trusted && !abilities.disabledCodeActions) return [];
    return [
      {
        title: command.title,
        kind,
        ...(kind === CodeActionKind.QuickFix
          ? {
              diagnostics: diagnosticsOf(request, opportunity),
              isPreferred: opportunity.id === bestId && previousSkip === undefined,
            }
          : {}),
        ...(trusted ? (abilities.resolvesCommand ? {} : { command }) : { disabled: { reason: UNTRUSTED_REASON } }),
        data: {
          action: 'improve',
          opportunity: opportunity.id,
          title: command.title,
          again: previousSkip !== undefined,
        },
      },
    ];
  });
}

/**
 * One action for each opportunity that no recipe can fix, or whose change by a recipe was refused. Empty if the client
 * cannot ask which model to use, or if the workspace is not trusted.
 */
export function listModelActions(
  request: ActionRequest,
  touchedOpportunities: readonly OpportunityAtPlace[],
  rejectedPlaces: ReadonlyMap<string, SkippedPlace>,
): Action[] {
  if (!request.context.abilities.canAskModels || !request.repository.trusted) return [];
  return touchedOpportunities
    .filter(({ opportunity }) => opportunity.recipe === null || rejectedPlaces.has(opportunity.id))
    .toSorted((a, b) => b.opportunity.impact - a.opportunity.impact)
    .map(({ opportunity, kind }): Action => {
      const title = `Improve with a Model…: ${opportunity.message}`;
      const params: ImproveWithModelParams = { opportunity: opportunity.id };
      return {
        title,
        kind,
        ...(kind === CodeActionKind.QuickFix ? { diagnostics: diagnosticsOf(request, opportunity) } : {}),
        command: { title, tooltip: MODEL_TOOLTIP, command: serverCommands.improveWithModel, arguments: [params] },
      };
    });
}

/** The command that improves one opportunity. `isRepeated`: true to try again after a refusal. */
export function createImproveCommand(title: string, opportunity: string, isRepeated: boolean): Command {
  const params: ImproveParams = { opportunity, ...(isRepeated ? { again: isRepeated } : {}) };
  return { title, tooltip: RECIPE_TOOLTIP, command: serverCommands.improve, arguments: [params] };
}

/**
 * The command for an opportunity. `previousSkip`: the reason why it was passed over earlier, if it was; the title then
 * says so, and offers to try again.
 */
function createCommandFor({ id, message }: Opportunity, previousSkip: SkippedPlace | undefined): Command {
  return previousSkip
    ? createImproveCommand(`Try Again: ${message} ${describeSkip(previousSkip)}`, id, true)
    : createImproveCommand(`Improve: ${message}`, id, false);
}
