// `selfware dismiss ID --reason …` records that something is not an opportunity, `selfware undismiss ID` records that
// it is an opportunity again, and `selfware dismiss --list` lists what is dismissed.

import type { Dismissal, DismissalKind } from '../../core/model.ts';
import type { Session } from '../../core/session.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { requirePersonsCommand } from '../person.ts';
import { formatIsoDay } from '../../util/isoDay.ts';

interface DismissOptions extends CommonOptions {
  readonly reason?: string;
  readonly list?: boolean;
}

/**
 * The kind of dismissal for the words of a person, in lower case. In the option, the person's own reason may follow
 * these words after a colon.
 */
const KIND_BY_WORDS: Readonly<Record<string, DismissalKind>> = {
  'not a problem here': 'notAProblem',
  'not a problem': 'notAProblem',
  fine: 'notAProblem',
  wrong: 'wrong',
  later: 'later',
  generated: 'generated',
  vendored: 'generated',
  'generated or vendored': 'generated',
};
/** The words for each kind of dismissal in a list. */
const KIND_WORDS: Readonly<Record<DismissalKind, string>> = {
  notAProblem: 'not a problem here',
  wrong: 'wrong',
  later: 'later',
  generated: 'generated or vendored',
  other: '',
};
/** Minimum length of an abbreviated id. A shorter one is too likely to be ambiguous. */
const MIN_PREFIX = 4;

/** The subcommand `dismiss`. */
export const dismissCommand: CommandFactory = () =>
  createCommand('dismiss', 'hides an opportunity from all lists, and lowers the trust in its rule here')
    .argument('[id]', 'id of the opportunity, or its beginning')
    .option(
      '--reason <text>',
      'fine (not a problem here), wrong (a false positive), later (for 30 days), generated, each with more ' +
        'words after a colon; or your own words',
    )
    .option('--list', 'what is dismissed')
    .action(async (id: string | undefined, options: DismissOptions) => {
      if (options.list)
        return withSession(options, async ({ session, json, out, outJson }) => {
          const dismissals = await session.opportunities.dismissals();
          if (json) return outJson(dismissals);
          if (dismissals.length === 0) out('Nothing is dismissed.');
          for (const dismissal of dismissals) out(formatDismissal(dismissal));
        });
      if (id === undefined)
        throw new SelfwareError('usage', 'Which opportunity?', {
          action: '`selfware analyse` lists them with their ids; `selfware dismiss --list` what is dismissed.',
        });
      const kindAndReason = parseReason(options.reason);
      await requirePersonsCommand('Dismissing');
      await withSession(options, async ({ session, signal, report, json, out, outJson }) => {
        await session.analysis.analyse({ signal, report });
        const dismissal = await session.opportunities.dismiss({
          opportunity: await findOpportunityId(session, id),
          ...kindAndReason,
        });
        if (json) outJson(dismissal);
        else
          out(
            `Dismissed${dismissal.until === null ? '' : ` until ${formatIsoDay(dismissal.until)}`}. To undo: selfware ` +
              `undismiss ${dismissal.opportunity}`,
          );
      });
    });

/** The subcommand `undismiss`. */
export const undismissCommand: CommandFactory = () =>
  createCommand('undismiss', 'shows a dismissed opportunity again')
    .argument('<id>', 'id of the opportunity, or its beginning')
    .action(async (id: string, options: CommonOptions) => {
      await requirePersonsCommand('Taking a dismissal back');
      await withSession(options, async ({ session, json, out, outJson }) => {
        const opportunity = completeId(
          id,
          (await session.opportunities.dismissals()).map((dismissal) => dismissal.opportunity),
        );
        await session.opportunities.undismiss(opportunity);
        if (json) outJson({ opportunity });
        else out('It is shown again.');
      });
    });

/** The kind and the reason in the words of a person. Throws `usage` if there are no words. */
function parseReason(text: string | undefined): { readonly kind: DismissalKind; readonly reason: string | null } {
  const trimmedText = text?.trim() ?? '';
  if (trimmedText === '')
    throw new SelfwareError('usage', 'Why is it dismissed?', {
      action: '--reason takes fine, wrong, later, generated, or your own words.',
    });
  const [kindWords = '', ...reasonParts] = trimmedText.split(':');
  const kind = Object.hasOwn(KIND_BY_WORDS, kindWords.trim().toLowerCase())
    ? KIND_BY_WORDS[kindWords.trim().toLowerCase()]
    : undefined;
  return kind ? { kind, reason: reasonParts.join(':').trim() || null } : { kind: 'other', reason: trimmedText };
}

/** The id of the opportunity, shown or hidden, that `id` abbreviates. */
async function findOpportunityId(session: Session, id: string): Promise<string> {
  const { shown, hidden } = await session.opportunities.listWithHidden();
  return completeId(
    id,
    [...shown, ...hidden.map(({ opportunity }) => opportunity)].map((opportunity) => opportunity.id),
  );
}

/**
 * The only id that begins with `prefix`. Throws `usage` if there are several. If there is none, or if `prefix` is too
 * short, returns `prefix`, so that the caller reports the unknown id.
 */
function completeId(prefix: string, ids: readonly string[]): string {
  if (ids.includes(prefix) || prefix.length < MIN_PREFIX) return prefix;
  const matches = [...new Set(ids)].filter((id) => id.startsWith(prefix));
  if (matches.length > 1)
    throw new SelfwareError('usage', `${prefix} is the beginning of ${matches.length} ids.`, {
      action: 'Give more of it.',
    });
  return matches[0] ?? prefix;
}

function formatDismissal({ opportunity, kind, reason, rule, path, until }: Dismissal): string {
  const reasonText = [KIND_WORDS[kind], reason].filter(Boolean).join(': ');
  return `${opportunity}  ${rule ?? ''}  ${path ?? ''}  ${reasonText}${until === null ? '' : ` (until ${formatIsoDay(until)})`}`;
}
