// Answers requests for pages in Markdown: the evidence for a proposal, and the explanation of an opportunity.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requests } from '#protocol/methods';
import { joinLines, md, markdownOfPage } from '#protocol/markdown';
import type { EvidenceAnswer, ExplainAnswer, ExplainParams, ProposalRef } from '#protocol/review';
import { findProposal } from '../commands/command.ts';
import { findOpportunity } from '../commands/decisions.ts';
import { renderEvidence } from '../evidenceText.ts';
import { parseExplainParams, parseProposalRef } from '../fromProtocol.ts';
import { guardRequest } from '../guardHandlers.ts';
import { renderOpportunity, removeFileLinks } from '../hoverText.ts';
import type { Feature, ServerContext } from '../serverContext.ts';
import { findOfferedTest } from '../toProtocol.ts';

/** Maximum number of events in which earlier attempts on an opportunity are counted. */
const MAX_EVENTS = 2000;

/** Registers the handlers. Both answer with null if something fails. */
export const evidence: Feature = (context) => {
  const { connection, log } = context;
  connection.onRequest(
    requests.evidence,
    guardRequest<ProposalRef, EvidenceAnswer | null>(log, 'evidence', null, (params) =>
      createEvidence(context, params),
    ),
  );
  connection.onRequest(
    requests.explain,
    guardRequest<ExplainParams, ExplainAnswer | null>(log, 'explain', null, (params) =>
      explainOpportunity(context, params),
    ),
  );
  return {};
};

/** The page, and a test if a check has found a counterexample; null if the request names no proposal. */
async function createEvidence(context: ServerContext, params: ProposalRef): Promise<EvidenceAnswer | null> {
  const { proposal: id } = parseProposalRef([params]);
  if (id === undefined) return null;
  const { repository, proposal } = await findProposal(context, id);
  const session = await repository.session();
  const events = await session.ledger.query({ types: ['attempt', 'proposed'], limit: MAX_EVENTS, newestFirst: true });
  const test = findOfferedTest(proposal.verdicts);
  return {
    title: proposal.title,
    markdown: renderEvidence(proposal, events, await session.proposals.cost(proposal.id)),
    test: test === null ? null : { language: languageIdOf(proposal.opportunity.path), text: test },
  };
}

/** The facts about the opportunity, followed by the page of its rule. */
async function explainOpportunity(context: ServerContext, params: ExplainParams): Promise<ExplainAnswer | null> {
  const { uri, opportunity: id } = parseExplainParams(params);
  const { repository, opportunity } = await findOpportunity(context, uri, id);
  const [rank] = await (await repository.session()).opportunities.explainRanks([opportunity]);
  const page = await readFile(join(context.rulesDir, opportunity.rule, 'rule.md'), 'utf8').catch(() => null);
  const title = md`# ${opportunity.rule}, line ${opportunity.nameRange.startLine} of ${opportunity.path}`;
  const opportunityText = joinLines([title, '', renderOpportunity(opportunity, rank?.sentence ?? '', null)]);
  return {
    rule: opportunity.rule,
    markdown: (page === null
      ? opportunityText
      : md`${opportunityText}\n\n---\n\n${markdownOfPage(removeFileLinks(page))}`
    ).toString(),
  };
}

/** The language id of a test for the code in this file, as VS Code names languages. */
function languageIdOf(path: string): string {
  if (path.endsWith('.py')) return 'python';
  if (path.endsWith('.go')) return 'go';
  return /\.[cm]?tsx?$/.test(path) ? 'typescript' : 'javascript';
}
