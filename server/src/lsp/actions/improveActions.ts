// "Improve: …" for opportunities that a recipe can realise. Verifying can take minutes, so the action only names the
// command that does it.

import { CodeActionKind, type Command } from 'vscode-languageserver/node';
import { serverCommands } from '#protocol/methods';
import type { ImproveParams } from '#protocol/review';
import type { Opportunity } from '../../core/model.ts';
import { diagnosticsFor, untrusted, type Action, type ActionRequest, type Touched } from './actionRequest.ts';

/** Opportunities under the cursor come first, then those around it; better ones first. */
export function improveActions(request: ActionRequest, touched: readonly Touched[]): Action[] {
  const { abilities } = request.context;
  const { trusted } = request.repository;
  const candidates = touched
    .filter(({ opportunity }) => opportunity.recipe !== null)
    .toSorted(
      (one, other) =>
        Number(other.kind === CodeActionKind.QuickFix) - Number(one.kind === CodeActionKind.QuickFix) ||
        other.opportunity.impact - one.opportunity.impact,
    );
  const best = candidates[0]?.opportunity.id;
  return candidates.flatMap(({ opportunity, kind }): Action[] => {
    const command = improveCommand(opportunity);
    if (!abilities.codeActionLiterals) return trusted ? [command] : [];
    if (!trusted && !abilities.disabledCodeActions) return [];
    return [
      {
        title: command.title,
        kind,
        ...(kind === CodeActionKind.QuickFix
          ? { diagnostics: diagnosticsFor(request, opportunity), isPreferred: opportunity.id === best }
          : {}),
        ...(trusted ? (abilities.resolvesCommand ? {} : { command }) : { disabled: { reason: untrusted } }),
        data: { action: 'improve', opportunity: opportunity.id, title: command.title },
      },
    ];
  });
}

/** The command of a resolved action. */
export function resolvedImprove(title: string, opportunity: string): Command {
  return { title, tooltip, command: serverCommands.improve, arguments: [{ opportunity } satisfies ImproveParams] };
}

const tooltip =
  'Makes a proposal, verifies it in a sandbox and shows it for review. Nothing is written before you approve.';

function improveCommand({ id, message }: Opportunity): Command {
  return resolvedImprove(`Improve: ${message}`, id);
}
