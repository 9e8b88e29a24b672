// `selfware preview`: shows a newcomer all steps up to the decision. It changes nothing in the repository.

import type { Proposal } from '../../core/model.ts';
import { bestProposal, type BestProposal } from '../../core/session/propose/bestProposal.ts';
import { proposeMissingTest, searchedSentence } from '../../core/session/propose/missingTest.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { parseWholeNumber } from '../parseWholeNumber.ts';
import { command, withSession, type CommandFactory, type CommonOptions, type Invocation } from '../invocation.ts';
import { formatCounts, formatIndex, formatOpportunity, formatProposal } from '../writers/human.ts';
import { opportunityJson, pointsJson } from '../writers/json.ts';
import { formatPassedOverPlaces } from '../writers/passedOver.ts';
import { formatPoints } from '../writers/points.ts';
import { counted } from '../../util/counted.ts';
import { canSearch, languageSentence, moreSentence, outlookOf, sentences } from '../../core/session/look/doableText.ts';

interface PreviewOptions extends CommonOptions {
  readonly time: string;
}

export const previewCommand: CommandFactory = (setExitCode) =>
  command('preview', 'indexes, analyses, and shows the best proposal that passed its checks; changes nothing')
    .option('--time <seconds>', 'to look for a missing test if nothing else can be proposed; 0: do not look', '60')
    .action((options: PreviewOptions) => {
      const time = parseWholeNumber('--time', options.time, 0);
      return withSession(options, async (invocation) => {
        const { session, signal, report, json, colors, rootDir, out, outJson } = invocation;
        const heading = (text: string) => out(`\n${colors.bold(text)}`);
        const index = await session.memory.index({ signal, report });
        await session.analysis.analyse({ signal, report });
        const opportunities = await session.opportunities.shown();
        const points = await session.analysis.score();
        const { doable } = await session.status();
        const { barrier } = doable;
        if (barrier !== null && !options.untrusted) setExitCode(1);
        if (!json) {
          heading(`Memory of ${rootDir}`);
          out(formatIndex(index));
          heading(counted(opportunities.length, 'opportunity', 'opportunities'));
          if (opportunities.length > 0) out(formatCounts(opportunities));
          for (const opportunity of opportunities.slice(0, 5)) out(`  ${formatOpportunity(opportunity, colors)}`);
          // Obstacles to a proposal are printed below, instead of one.
          out(barrier === null ? outlookOf(doable) : sentences(moreSentence(doable), languageSentence(doable)));
          heading('Points');
          out(formatPoints(points));
        }
        const { proposal, summary } = options.untrusted
          ? UNTRUSTED
          : barrier
            ? { proposal: null, summary: sentences(barrier.message, barrier.action) }
            : await proposalOf(invocation, time, canSearch(doable));
        if (json)
          return outJson({
            index,
            opportunities: opportunities.map(opportunityJson),
            points: pointsJson(points, opportunities),
            proposal,
            summary,
          });
        heading('Best proposal');
        if (proposal) {
          out(formatProposal(proposal, colors));
          out(
            `\nNothing was changed. To apply it: selfware proposals approve ${proposal.id} --repo ${JSON.stringify(rootDir)}`,
          );
        } else out(summary);
      });
    });

/**
 * The best change of a recipe or linter. If there is none, a missing test; the search for it takes at most `seconds`.
 */
async function proposalOf(
  { session, signal, report, note }: Invocation,
  seconds: number,
  isSearchable: boolean,
): Promise<{ readonly proposal: Proposal | null; readonly summary: string }> {
  const best = describe(await bestProposal(session, undefined, { atOnce: true, signal, report }));
  if (best.proposal || !isSearchable) return best;
  if (seconds === 0) return { ...best, summary: `${best.summary}\n${MORE}` };
  note(`No recipe has a change to propose. Looking for mistakes that no test notices, for ${seconds} s at most …`);
  try {
    const missingTest = await proposeMissingTest(session, seconds, { atOnce: true, signal, report });
    if (missingTest.verified) return { proposal: missingTest.verified, summary: 'It passed its checks.' };
    return { proposal: null, summary: `${best.summary}\n${searchedSentence(missingTest)}\n${MORE}` };
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    return { proposal: null, summary: `${best.summary}\nMissing tests cannot be found here. ${describeError(error)}` };
  }
}

const MORE =
  'What takes more time: `selfware unguarded` finds mistakes that no test notices and writes tests, ' +
  '`selfware counterexamples` finds calls that break, and `selfware models` lists who can be asked for more.';

const UNTRUSTED = {
  proposal: null,
  summary: 'Not trusted: nothing is proposed, because verification runs the checks of the repository.',
};

function describe({ verified, refused, passedOver }: BestProposal) {
  if (verified) return { proposal: verified, summary: 'It passed its checks.' };
  const passedOverText = formatPassedOverPlaces(passedOver);
  const lines = [
    'Selfware has no change to propose here at the moment.',
    ...(refused.length > 0 ? ['Refused by the checks:'] : []),
    ...refused.map(({ title, opportunity, reason }) => `  ${opportunity.path}: ${title}: ${reason ?? 'refused'}`),
    ...(passedOverText === ''
      ? []
      : [`${passedOverText} (\`selfware ledger query --type passedOver attempt\` tells which).`]),
  ];
  return { proposal: null, summary: lines.join('\n') };
}
