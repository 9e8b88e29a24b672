// `selfware preview`: shows a newcomer all steps up to the decision. It changes nothing in the repository.

import type { Colors } from '../../adapters/system/terminal.ts';
import type { Opportunity, Proposal } from '../../core/model.ts';
import type { IndexReport } from '../../core/session.ts';
import { isPreviewed } from '../../core/session/verify/previewing.ts';
import { bestProposal, type BestProposal } from '../../core/session/propose/bestProposal.ts';
import { proposeMissingTest } from '../../core/session/propose/missingTest.ts';
import { refusedLines, searchedLines } from '../../core/session/propose/missingTestText.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { parseWholeNumber } from '../parseWholeNumber.ts';
import { command, withSession, type CommandFactory, type CommonOptions, type Invocation } from '../invocation.ts';
import { formatOpportunity } from '../writers/human.ts';
import { formatProposal } from '../writers/proposal.ts';
import { opportunityJson, pointsJson } from '../writers/json.ts';
import { onlyByNameSentence } from '../writers/onlyByName.ts';
import { formatPassedOverPlaces } from '../writers/passedOver.ts';
import { formatPoints } from '../writers/points.ts';
import { counted } from '../../util/counted.ts';
import { visible } from '../../util/visible.ts';
import { groupBy } from '../../util/values/groupBy.ts';
import {
  canFindBreaking,
  canSearch,
  languageSentence,
  moreSentence,
  formatOutlook,
  sentences,
} from '../../core/session/look/doableText.ts';

interface PreviewOptions extends CommonOptions {
  readonly time: string;
}

/** Number of rules of which the best place is shown. */
const MAX_RULES = 5;

export const previewCommand: CommandFactory = (setExitCode) =>
  command('preview', 'looks around, and shows the best change that passed its checks; changes nothing')
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
          out(formatMemory(index));
          heading(counted(opportunities.length, 'opportunity', 'opportunities'));
          if (opportunities.length > 0) out(formatByRule(opportunities, colors));
          // Obstacles to a proposal are printed below, instead of one.
          const byName = onlyByNameSentence({ shown: opportunities }, () => true);
          out(
            barrier === null
              ? sentences(byName, formatOutlook(doable))
              : sentences(moreSentence(doable), languageSentence(doable)),
          );
          heading('Points');
          out(formatPoints(points));
        }
        const { proposal, summary } = options.untrusted
          ? UNTRUSTED_RESULT
          : barrier
            ? { proposal: null, summary: sentences(barrier.message, barrier.action) }
            : await proposeBestChange(invocation, time, canSearch(doable));
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
          const checks = isPreviewed(proposal) ? ' (all checks run first)' : '';
          out(
            `\nNothing was changed. To apply it: selfware proposals approve ${proposal.id} --repo ${JSON.stringify(rootDir)}${checks}`,
          );
        } else out(visible(summary));
        if (barrier !== null || options.untrusted) return;
        heading('Next');
        out(nextSteps(canSearch(doable), canFindBreaking(doable)));
      });
    });

/** The proposal to show, and what happened. */
interface Shown {
  readonly proposal: Proposal | null;
  readonly summary: string;
}

/**
 * The best change of a recipe or linter. If there is none, a missing test; the search for it takes at most `seconds`.
 */
async function proposeBestChange(
  { session, signal, report, note }: Invocation,
  seconds: number,
  isSearchable: boolean,
): Promise<Shown> {
  const best = describe(await bestProposal(session, undefined, { atOnce: true, isPreview: true, signal, report }));
  if (best.proposal || !isSearchable || seconds === 0) return best;
  note(`No other change is proposed here. Looking for missing tests, for ${seconds} s at most …`);
  try {
    const missingTest = await proposeMissingTest(session, seconds, { atOnce: true, signal, report });
    if (missingTest.verified) return { proposal: missingTest.verified, summary: 'It passed its checks.' };
    return { ...best, summary: [best.summary, ...searchedLines(missingTest)].join('\n') };
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof SelfwareError)) throw error;
    return { ...best, summary: `${best.summary}\nMissing tests cannot be found here. ${describeError(error)}` };
  }
}

/** What the index holds, as a line for a newcomer. */
function formatMemory({ files, symbols, seconds, skipped }: IndexReport): string {
  const rest =
    skipped.length === 0 ? '' : `; ${counted(skipped.length, 'file')} skipped (\`selfware index\` lists them)`;
  return `${counted(files, 'file')}, ${counted(symbols, 'symbol')}, read in ${seconds.toFixed(1)} s${rest}`;
}

/** The best place of each rule, in the order of the list, with the number of places. */
function formatByRule(opportunities: readonly Opportunity[], colors: Colors): string {
  const places = groupBy(opportunities, ({ rule }) => rule);
  const lines = places.slice(0, MAX_RULES).map((ofRule) => {
    const more = ofRule.length > 1 ? ` ${colors.dim(`and ${counted(ofRule.length - 1, 'more place')}`)}` : '';
    return `  ${formatOpportunity(ofRule[0]!, colors)}${more}`;
  });
  const rest = places.length - MAX_RULES;
  const tail = rest > 0 ? `, ${counted(rest, 'more rule')}` : '';
  return [...lines, `  All: \`selfware analyse\`${tail}.`].join('\n');
}

/** The commands to try next, one on each line. */
function nextSteps(searchesTests: boolean, searchesBreaking: boolean): string {
  const steps: readonly (readonly [string, string])[] = [
    ...(searchesTests
      ? ([['unguarded --test', 'finds mistakes that no test notices, and writes the tests']] as const)
      : []),
    ...(searchesTests && searchesBreaking
      ? ([['counterexamples', 'finds calls that break exported functions']] as const)
      : []),
    ['verify --base main', 'judges a branch or pull request by the same checks'],
    ['improve', 'proposes, checks and asks, one change after the other'],
    ['models', 'lists who can be asked for what no recipe can do'],
  ];
  return steps.map(([name, does]) => `  selfware ${name.padEnd(20)} ${does}`).join('\n');
}

const UNTRUSTED_RESULT = {
  proposal: null,
  summary: 'Not trusted: nothing is proposed, because verification runs the checks of the repository.',
};

function describe({ verified, refused, passedOver }: BestProposal): Shown {
  if (verified) return { proposal: verified, summary: 'It passed its checks.' };
  const passedOverText = formatPassedOverPlaces(passedOver);
  const lines = [
    'Selfware has no change to propose here at the moment.',
    ...refused.flatMap(refusedLines),
    ...(passedOverText === ''
      ? []
      : [`${passedOverText} (\`selfware ledger query --type passedOver attempt\` tells which).`]),
  ];
  return { proposal: null, summary: lines.join('\n') };
}
