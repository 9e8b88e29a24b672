// `selfware analyse [PATH…]`: lists opportunities, best first, as text, JSON or SARIF.

import { readProgramVersion } from '../../app/programPaths.ts';
import { areSingleFileRules } from '../../core/analysis/rules.ts';
import {
  improveSentence,
  languageSentence,
  hiddenOpportunitiesSentence,
  searchSentence,
} from '../../core/session/analyse/possibleWorkText.ts';
import type { Opportunity } from '../../core/model.ts';
import type { FoundByRules, HiddenOpportunity, LintReport } from '../../core/session/analyse/analysisTypes.ts';
import type { AnalysisReport, Session } from '../../core/session.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { requirePlaces } from '../../app/namedPlaces.ts';
import { isRequested as isRequestedPlace, findLanguages, skippedSentence } from '../requestedPlaces.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { collectIds, listSettingsToSwitchOn, parseRuleIds } from '../ruleOption.ts';
import { createSarifRules } from '../sarifRules.ts';
import { formatCounts, formatHidden, formatHiddenCounts, formatOpportunity } from '../writers/human.ts';
import { createRankedOpportunityJson } from '../writers/json.ts';
import { createOpportunitySarif, type SarifFinding } from '../writers/sarif.ts';
import { parseWholeNumber } from '../parseWholeNumber.ts';
import type { Operation } from '../../core/operation.ts';
import { formatCount } from '../../util/counted.ts';

interface AnalyseOptions extends CommonOptions {
  readonly format: string;
  readonly all?: boolean;
  readonly suppressed?: boolean;
  readonly baseline?: boolean;
  readonly rule?: readonly string[];
  readonly linters?: boolean;
  readonly why?: boolean;
  readonly limit?: string;
}

/** One entry of the output. `hidden`: the reason why the default filter hides the opportunity; null if it is shown. */
interface Entry {
  readonly opportunity: Opportunity;
  readonly hidden: HiddenOpportunity | null;
}

/** The subcommand `analyse`. Its exit code is 1 if it lists an opportunity. */
export const analyseCommand: CommandFactory = (setExitCode) =>
  createCommand('analyse', 'places in the code that could be better (opportunities)')
    .argument('[paths...]', 'files or folders')
    .option('--format <format>', 'human, json or sarif', 'human')
    .option(
      '--rule <ids...>',
      'only these rules (a,b or a b), even if they are off; does only the work that they need',
      collectIds,
    )
    .option('--all', 'hidden ones too, with what hides them')
    .option('--suppressed', 'only what comments in the code suppress')
    .option('--baseline', 'only what the baseline holds')
    .option(
      '--linters',
      'what the linters of the repository (ESLint, Biome, oxlint, XO, Ruff, Clippy, golangci-lint, go vet, go fix) find, too, and can fix; they run in the sandbox',
    )
    .option('--why', 'why each has its rank')
    .option('--limit <n>', 'only the first of them')
    .action(async (paths: readonly string[], options: AnalyseOptions) => {
      const format = options.json ? 'json' : options.format;
      if (!['human', 'json', 'sarif'].includes(format))
        throw new SelfwareError('usage', '--format must be human, json or sarif.');
      const limit = options.limit === undefined ? Infinity : parseWholeNumber('--limit', options.limit);
      const requestedRules = parseRuleIds(options.rule);
      const onlyByRules = options.rule !== undefined && areSingleFileRules(options.rule);
      await withSession(
        {
          ...options,
          searches: !onlyByRules,
          set: [...listSettingsToSwitchOn(options.rule), ...options.set],
          json: format !== 'human',
        },
        async ({ session, signal, report, rootDir, colors, out, outJson, note }) => {
          requirePlaces(paths, rootDir);
          const { shown, hidden, explain, analysed, ...otherResults } = await findOpportunities(
            session,
            options.rule,
            options.linters === true,
            { signal, report },
          );
          const skippedText = analysed && skippedSentence(analysed, rootDir, paths);
          if (skippedText) note(skippedText);
          const isWithin = ({ path }: Opportunity) => isRequestedPlace(path, rootDir, paths);
          const isWanted = (opportunity: Opportunity) =>
            (requestedRules === null || requestedRules.has(opportunity.rule)) && isWithin(opportunity);
          const requestedHidden = hidden.filter(({ opportunity }) => isWanted(opportunity));
          const lintReport = options.linters ? await session.analysis.lint({ signal, report }) : null;
          const listedIds = new Set(
            [...shown, ...requestedHidden.map((hidden) => hidden.opportunity)].map(({ id }) => id),
          );
          const allEntries = [
            ...collectEntries(shown.filter(isWanted), requestedHidden, options),
            ...(lintReport?.opportunities ?? [])
              .filter(
                (opportunity) => requestedRules === null && isWithin(opportunity) && !listedIds.has(opportunity.id),
              )
              .map((opportunity): Entry => ({ opportunity, hidden: null })),
          ];
          const entries = allEntries.slice(0, limit);
          const opportunities = entries.map(({ opportunity }) => opportunity);
          if (entries.length > 0) setExitCode(1);
          if (format === 'sarif')
            return outJson(
              createOpportunitySarif(entries.map(toSarifFinding), createSarifRules(), readProgramVersion()),
            );
          const explanations = format === 'json' || options.why ? await explain(opportunities) : [];
          if (format === 'json')
            return outJson(
              entries.map(({ opportunity, hidden: reason }, index) =>
                createRankedOpportunityJson(opportunity, explanations[index]!, reason),
              ),
            );
          for (const [index, { opportunity, hidden: reason }] of entries.entries()) {
            out(reason ? formatHidden(reason, colors) : formatOpportunity(opportunity, colors));
            if (options.why) out(colors.dim(`    ${explanations[index]!.sentence}`));
          }
          out(
            `${entries.length < allEntries.length ? `${entries.length} of ` : ''}` +
              formatCount(allEntries.length, 'opportunity', 'opportunities') +
              (opportunities.length ? `:\n${formatCounts(opportunities)}` : '.'),
          );
          if (lintReport)
            out(
              colors.dim(
                lintReport.linters.length > 0
                  ? `Linters that ran: ${lintReport.linters.join(', ')}; ${formatCount(lintReport.looked, 'file')} checked.`
                  : 'No linter was run.',
              ),
            );
          for (const sentence of (lintReport ?? otherResults.lintReport)?.trouble ?? []) out(colors.dim(sentence));
          if (analysed)
            for (const sentence of await describeUnlisted(session, requestedHidden, paths, rootDir, options))
              out(colors.dim(sentence));
          const listedOpportunities = new Set(opportunities);
          const otherHidden = requestedHidden.filter(
            ({ opportunity, by }) =>
              by !== 'off' && by !== 'quiet' && by !== 'limit' && !listedOpportunities.has(opportunity),
          );
          if (otherHidden.length > 0)
            out(colors.dim(`Not shown: ${formatHiddenCounts(otherHidden)}. --all shows them.`));
        },
      );
    });

/**
 * The sentences after the list: about opportunities that are not listed, and about the languages that are read. If the
 * whole repository was analysed, also about what `selfware improve` and the searches could do. None with `--suppressed`
 * or `--baseline`.
 */
async function describeUnlisted(
  session: Session,
  requestedHidden: readonly HiddenOpportunity[],
  paths: readonly string[],
  rootDir: string,
  { all, rule, suppressed, baseline }: AnalyseOptions,
): Promise<readonly string[]> {
  if (suppressed || baseline) return [];
  const quiet = requestedHidden.flatMap(({ opportunity, by }) => (by === 'quiet' ? [opportunity] : []));
  const hiddenText = all ? null : hiddenOpportunitiesSentence({ quiet });
  const isWholeRepository = rule === undefined && paths.length === 0;
  const { doable } = await session.status();
  const languageFacts = isWholeRepository
    ? doable
    : {
        analysed: true,
        files: 0,
        languages: findLanguages(
          (await session.analysis.metrics()).map(({ path }) => path),
          rootDir,
          paths,
        ),
      };
  const language = isWholeRepository || languageFacts.languages.length > 0 ? languageSentence(languageFacts) : null;
  return [
    hiddenText === null ? null : `${hiddenText} --all shows them.`,
    language,
    isWholeRepository ? improveSentence(doable) : null,
    isWholeRepository ? searchSentence(doable) : null,
  ].filter((sentence) => sentence !== null);
}

/**
 * Finds opportunities. If all named rules are about single files, does only the work that they need; `analysed` is then
 * null. Otherwise analyses the whole repository. Without named rules, it also runs those linters that run no code of
 * the repository, unless the caller runs all linters itself; `lintReport` is their report, or null if none ran.
 */
async function findOpportunities(
  session: Session,
  requestedRules: readonly string[] | undefined,
  callerRunsLinters: boolean,
  operation: Operation,
): Promise<FoundByRules & { readonly analysed: AnalysisReport | null; readonly lintReport: LintReport | null }> {
  if (requestedRules && areSingleFileRules(requestedRules))
    return { ...(await session.analysis.findByRules(requestedRules, operation)), analysed: null, lintReport: null };
  const analysed = await session.analysis.analyse(operation);
  const lintReport =
    requestedRules || callerRunsLinters ? null : await session.analysis.lint({ ...operation, unasked: true });
  return {
    analysed,
    lintReport: lintReport,
    ...(await session.opportunities.listWithHidden()),
    explain: (opportunities) => session.opportunities.explainRanks(opportunities),
  };
}

/** The entries that the options select from the shown and the hidden opportunities. */
function collectEntries(
  shownOpportunities: readonly Opportunity[],
  hidden: readonly HiddenOpportunity[],
  { all, suppressed, baseline, rule }: AnalyseOptions,
): Entry[] {
  const reasons = [...(suppressed ? ['comment'] : []), ...(baseline ? ['baseline'] : [])];
  const createEntry = (entry: HiddenOpportunity): Entry => ({ opportunity: entry.opportunity, hidden: entry });
  if (reasons.length > 0) return hidden.filter(({ by }) => reasons.includes(by)).map(createEntry);
  const shownEntries = shownOpportunities.map((opportunity): Entry => ({ opportunity, hidden: null }));
  // A named rule shows its opportunities even if it is off.
  return [
    ...shownEntries,
    ...hidden.filter(({ by }) => all || (rule !== undefined && (by === 'off' || by === 'quiet'))).map(createEntry),
  ];
}

/** The entry as a finding for SARIF. A hidden entry has the reason why it is hidden. */
function toSarifFinding({ opportunity, hidden }: Entry): SarifFinding {
  if (hidden?.by === 'comment') return { opportunity, suppression: { kind: 'inSource', reason: hidden.reason } };
  if (hidden?.by === 'baseline') return { opportunity, baseline: 'unchanged' };
  return hidden
    ? { opportunity, suppression: { kind: 'external', reason: hidden.reason ?? hidden.by } }
    : { opportunity };
}
