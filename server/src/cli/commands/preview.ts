// `selfware preview`: the whole path up to the decision, shown to a newcomer. Changes nothing in the repository.

import { command, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { count, formatCounts, formatIndex, formatOpportunity, formatPoints, formatProposal } from '../writers/human.ts';
import { opportunityJson, pointsJson } from '../writers/json.ts';

/** After this many refused proposals the preview says so instead of trying on. */
const maximumProposals = 5;

export const previewCommand: CommandFactory = () =>
  command('preview', 'indexes, analyses, and shows the best verified proposal; changes nothing').action((options: CommonOptions) =>
    withSession(options, async ({ session, signal, report, json, colors, rootDir, out, outJson }) => {
      const heading = (text: string) => out(`\n${colors.bold(text)}`);
      const index = await session.index({ signal, report });
      const opportunities = await session.opportunities();
      const points = await session.score();
      if (!json) {
        heading(`Memory of ${rootDir}`);
        out(formatIndex(index));
        heading(count(opportunities.length, 'opportunity').replace('opportunitys', 'opportunities'));
        out(formatCounts(opportunities));
        for (const opportunity of opportunities.slice(0, 5)) out(`  ${formatOpportunity(opportunity, colors)}`);
        heading('Points');
        out(formatPoints(points));
      }
      const { proposal, summary } = await bestProposal();
      if (json) return outJson({ index, opportunities: opportunities.map(opportunityJson), points: pointsJson(points), proposal, summary });
      heading('Best proposal');
      if (proposal) {
        out(formatProposal(proposal, colors));
        out(`\nNothing was changed. To apply it: selfware proposals approve ${proposal.id} --repo ${JSON.stringify(rootDir)}`);
      } else out(summary);

      async function bestProposal() {
        if (options.untrusted) return { proposal: null, summary: 'Not trusted: nothing is proposed, because verification runs the checks of the repository.' };
        let refused = 0;
        const reasons: string[] = [];
        while (refused < maximumProposals) {
          const outcome = await session.propose({ signal, report });
          reasons.push(...outcome.tried.map((attempt) => attempt.refused));
          if (!outcome.proposal) break;
          const verified = await session.verify(outcome.proposal.id, { signal, report });
          if (verified.status === 'verified') return { proposal: verified, summary: 'verified' };
          reasons.push(`${verified.title}: ${verified.reason ?? 'refused'}`);
          refused++;
        }
        const tries = reasons.length ? ` Tried and refused:\n${[...new Set(reasons)].slice(0, 10).map((reason) => `  ${reason}`).join('\n')}` : '';
        return { proposal: null, summary: `No recipe can realise an opportunity here at the moment.${tries}` };
      }
    }),
  );
