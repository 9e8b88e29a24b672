// `selfware preview`: shows a newcomer all steps up to the decision. It changes nothing in the repository.

import { bestProposal, type BestProposal } from '../../core/session/propose/bestProposal.ts';
import { command, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { formatCounts, formatIndex, formatOpportunity, formatProposal } from '../writers/human.ts';
import { opportunityJson, pointsJson } from '../writers/json.ts';
import { formatPassedOverPlaces } from '../writers/passedOver.ts';
import { formatPoints } from '../writers/points.ts';
import { counted } from '../../util/counted.ts';
import { languageSentence, moreSentence, outlookOf, sentences } from '../../core/session/look/doableWords.ts';

export const previewCommand: CommandFactory = (setExitCode) =>
  command('preview', 'indexes, analyses, and shows the best proposal that passed its checks; changes nothing').action(
    (options: CommonOptions) =>
      withSession(options, async ({ session, signal, report, json, colors, rootDir, out, outJson }) => {
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
          // What stands in the way of a proposal is said below, in place of one.
          out(barrier === null ? outlookOf(doable) : sentences(moreSentence(doable), languageSentence(doable)));
          heading('Points');
          out(formatPoints(points));
        }
        const { proposal, summary } = options.untrusted
          ? UNTRUSTED
          : barrier
            ? { proposal: null, summary: sentences(barrier.message, barrier.action) }
            : describe(await bestProposal(session, undefined, { atOnce: true, signal, report }));
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
      }),
  );

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
