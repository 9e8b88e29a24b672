// `selfware preview`: shows a new user all steps up to the decision: what was found, and the most valuable change that
// passed its checks. It changes nothing in the repository.

import { basename, relative } from 'node:path';
import type { Colors } from '../../adapters/system/terminal.ts';
import type { Opportunity, Points, Proposal } from '../../core/model.ts';
import type { PossibleWork } from '../../core/session/analyse/analysisTypes.ts';
import type { Worth } from '../../core/rules/facts.ts';
import { isPreviewed } from '../../core/session/verify/previewing.ts';
import { findMostValuable, type MostValuable } from '../../core/session/propose/mostValuable.ts';
import { refusedLines, missingTestLines } from '../../core/session/propose/missingTestText.ts';
import { parseWholeNumber } from '../parseWholeNumber.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions, type Invocation } from '../invocation.ts';
import { formatCounterexample } from '../writers/counterexample.ts';
import { formatOpportunity } from '../writers/human.ts';
import { formatProposal } from '../writers/proposal.ts';
import { createOpportunityJson, createPointsJson } from '../writers/json.ts';
import { onlyByNameSentence } from '../writers/onlyByName.ts';
import { formatPassedOverPlaces } from '../writers/passedOver.ts';
import { formatTotal } from '../writers/points.ts';
import { isNothingMeasured } from '../../core/score/nothingMeasured.ts';
import { formatCount } from '../../util/counted.ts';
import { escapeInvisible } from '../../util/visible.ts';
import { groupBy } from '../../util/values/groupBy.ts';
import {
  canFindBreaking,
  canSearch,
  languageSentence,
  hiddenOpportunitiesSentence,
  formatOutlook,
  joinSentences,
} from '../../core/session/analyse/possibleWorkText.ts';

interface PreviewOptions extends CommonOptions {
  readonly time: string;
}

/** Maximum number of rules whose best place is shown, and of shown calls that break. */
const [MAX_RULES, MAX_FAULTS] = [5, 2];

/** The kind of a proposal, for the heading above it. */
const KIND_BY_WORTH: Readonly<Record<Worth, string>> = {
  fault: 'a fault',
  test: 'a missing test',
  removal: 'unused code',
  simplification: 'simpler code',
  style: 'style',
};

/** The kind of a proposal in words. */
function describeKind({ opportunity: { rule } }: Proposal, worth: Worth): string {
  return rule === 'type-hole' ? 'more exact types' : KIND_BY_WORTH[worth];
}

/** The subcommand `preview`. Its exit code is 1 if something prevents a proposal, such as a missing commit. */
export const previewCommand: CommandFactory = (setExitCode) =>
  createCommand('preview', 'looks around, and shows the most valuable change that passed its checks; changes nothing')
    .option('--time <seconds>', 'to look for calls that break and for a missing test; 0: do not look', '60')
    .action((options: PreviewOptions) => {
      const time = parseWholeNumber('--time', options.time, 0);
      return withSession({ ...options, searches: false }, async (invocation) => {
        const { session, signal, report, json, colors, out, outJson } = invocation;
        const startedAt = performance.now();
        await session.analysis.analyse({ signal, report });
        const seconds = (performance.now() - startedAt) / 1000;
        const opportunities = await session.opportunities.shown();
        const points = await session.analysis.score();
        const { doable } = await session.status();
        const { barrier } = doable;
        if (barrier !== null && !options.untrusted) setExitCode(1);
        if (!json) showFindings(invocation, { opportunities, points, doable, seconds });
        const isTried = !options.untrusted && barrier === null;
        if (!json && isTried)
          out(colors.dim('\nLooks for the most valuable change that it can prove, in a sandbox, and checks it …'));
        const mostValuable = isTried ? await findMostValuable(session, doable, time, { signal, report }) : null;
        const faults = mostValuable?.faults ?? [];
        const proposal = mostValuable?.proposal ?? null;
        const summary = options.untrusted
          ? UNTRUSTED_SUMMARY
          : barrier
            ? joinSentences(barrier.message, barrier.action)
            : formatSummary(mostValuable!);
        if (json)
          return outJson({
            files: doable.files,
            opportunities: opportunities.map(createOpportunityJson),
            points: createPointsJson(points, opportunities),
            faults: faults.map(({ path, call, observed, expected, test }) => ({
              path,
              call,
              observed,
              expected,
              test,
            })),
            worth: mostValuable?.worth ?? null,
            proposal,
            summary,
          });
        showResult(invocation, { best: mostValuable, summary, time, doable, isTried });
      });
    });

/** The results of the analysis. */
interface Findings {
  readonly opportunities: readonly Opportunity[];
  readonly points: Points;
  readonly doable: PossibleWork;
  /** The duration of the analysis in seconds. */
  readonly seconds: number;
}

/** Prints what the analysis has found. */
function showFindings(
  { out, colors, rootDir }: Invocation,
  { opportunities, points, doable, seconds }: Findings,
): void {
  out(`\n${colors.bold(`What Selfware found in ${rootDir}`)}`);
  const filesText = formatCount(doable.files, 'file');
  out(`${filesText}, read in ${seconds.toFixed(1)} s. Nothing is changed, and nothing leaves this machine.`);
  out(
    isNothingMeasured(points)
      ? 'No points yet: there is nothing here that can be scored.'
      : `${formatTotal(points)}; \`selfware score\` lists what costs points.`,
  );
  out(formatCount(opportunities.length, 'opportunity', 'opportunities') + (opportunities.length > 0 ? ':' : '.'));
  if (opportunities.length > 0) out(formatByRule(opportunities, colors));
  // If there is an obstacle to a proposal, it is printed later, in place of the proposal.
  const byName = onlyByNameSentence({ shown: opportunities }, () => true);
  out(
    doable.barrier === null
      ? joinSentences(byName, formatOutlook(doable))
      : joinSentences(hiddenOpportunitiesSentence(doable), languageSentence(doable)),
  );
}

/** The result of the search for the most valuable change. `time`: the seconds that were allowed for searches. */
interface PreviewResult {
  readonly best: MostValuable | null;
  readonly summary: string;
  readonly time: number;
  readonly doable: PossibleWork;
  /** False if the repository is not trusted, or if an obstacle such as a missing commit prevents a proposal. */
  readonly isTried: boolean;
}

/** Prints the faults, the proposal, and what to do next. */
function showResult(
  { out, colors, rootDir }: Invocation,
  { best, summary, time, doable, isTried }: PreviewResult,
): void {
  const heading = (text: string) => out(`\n${colors.bold(text)}`);
  const faults = best?.faults ?? [];
  if (faults.length > 0) {
    heading(faults.length === 1 ? 'A call that breaks' : `${faults.length} calls that break`);
    for (const fault of faults.slice(0, MAX_FAULTS)) out(formatCounterexample(fault, false, colors));
    out('These calls were made in a sandbox. `selfware counterexamples --test` shows tests for them.');
  }
  const proposal = best?.proposal ?? null;
  heading(proposal && best?.worth ? `Proposed: ${describeKind(proposal, best.worth)}` : 'No proposal');
  if (proposal && best) for (const line of formatReservations(best, time)) out(escapeInvisible(line));
  out(proposal ? formatProposal(proposal, colors) : escapeInvisible(summary));
  if (!isTried) return;
  heading('Next');
  const program = findProgramName();
  if (proposal) out(formatApplyHint(proposal, rootDir, program));
  if (program !== 'selfware') out(`(\`selfware\` is \`${program}\` here.)`);
  out(formatNextSteps(canSearch(doable), canFindBreaking(doable)));
}

/** Sentences that say why nothing more valuable is proposed. */
function formatReservations({ worth, faults, trouble }: MostValuable, time: number): readonly string[] {
  const isOnlyStyle = worth === 'style' && faults.length === 0;
  const searchText = time === 0 ? 'faults and missing tests were not looked for' : 'nothing more valuable was found';
  return [...(isOnlyStyle ? [`It improves only the style: ${searchText}.`] : []), ...trouble];
}

/** The text that says how to apply the proposal. */
function formatApplyHint(proposal: Proposal, rootDir: string, program: string): string {
  const checks = isPreviewed(proposal) ? ' (all checks run first)' : '';
  const approveCommand = `${program} proposals approve ${proposal.id} --repo ${JSON.stringify(rootDir)}`;
  return `Nothing was changed. To apply it${checks}:\n  ${approveCommand}\nOther commands:`;
}

/**
 * The command by which a person runs this program from the current folder: its name, or `node` with its file in a
 * clone.
 */
function findProgramName(): string {
  const file = process.argv[1] ?? '';
  return basename(file) === 'cli.js' ? `node ${relative(process.cwd(), file)}` : 'selfware';
}

/** The best place of each rule with the number of its places, in the order of the list. */
function formatByRule(opportunities: readonly Opportunity[], colors: Colors): string {
  const opportunitiesByRule = groupBy(opportunities, ({ rule }) => rule);
  const lines = opportunitiesByRule.slice(0, MAX_RULES).map((opportunitiesOfRule) => {
    const furtherPlacesText =
      opportunitiesOfRule.length > 1
        ? ` ${colors.dim(`and ${formatCount(opportunitiesOfRule.length - 1, 'more place')}`)}`
        : '';
    return `  ${formatOpportunity(opportunitiesOfRule[0]!, colors)}${furtherPlacesText}`;
  });
  const remainingCount = opportunitiesByRule.length - MAX_RULES;
  const furtherRulesText = remainingCount > 0 ? `, ${formatCount(remainingCount, 'more rule')}` : '';
  return [...lines, `  All: \`selfware analyse\`${furtherRulesText}.`].join('\n');
}

/** The commands to try next, one on each line. */
function formatNextSteps(searchesTests: boolean, searchesBreaking: boolean): string {
  const steps: readonly (readonly [string, string])[] = [
    ...(searchesTests
      ? ([['unguarded --test', 'finds mistakes that no test notices, and writes the tests']] as const)
      : []),
    ...(searchesTests && searchesBreaking
      ? ([['counterexamples', 'finds calls that break exported functions']] as const)
      : []),
    ['examples', 'runs the examples of the documentation, and finds wrong results'],
    ['verify --base main', 'judges a branch or pull request by the same checks'],
    ['improve', 'proposes, checks and asks, one change after the other'],
    ['models', 'lists who can be asked for what no recipe can do'],
  ];
  return steps.map(([name, does]) => `  selfware ${name.padEnd(20)} ${does}`).join('\n');
}

const UNTRUSTED_SUMMARY = 'Not trusted: nothing is proposed, because verification runs the checks of the repository.';

/** The result of the search in words. It is printed only if there is no proposal; the JSON has it in any case. */
function formatSummary({ proposal, changes, missingTest, trouble }: MostValuable): string {
  if (proposal) return 'It passed its checks.';
  const passedOverText = formatPassedOverPlaces(changes?.passedOver ?? []);
  const lines = [
    'Selfware has no change to propose here at the moment.',
    ...(changes?.refused ?? []).flatMap(refusedLines),
    ...(passedOverText === ''
      ? []
      : [`${passedOverText} (\`selfware ledger query --type passedOver attempt\` tells which).`]),
    ...(missingTest ? missingTestLines(missingTest) : []),
    ...trouble,
  ];
  return lines.join('\n');
}
