// Makes and parses the URIs of the virtual documents of reviews: selfware-proposal:/<path>?<side>/<proposal>. Only the
// path is in the path component, so that labels and breadcrumbs show nothing else.

import * as vscode from 'vscode';
import { toFileName, evidenceNameOf, type TitledProposal } from './evidenceName.ts';

/** The scheme of these URIs. */
export const proposalScheme = 'selfware-proposal';

/**
 * `before` and `after`: the texts of a file before and after the change. `preview`: the text before the change, into
 * which a Refactor Preview writes. `evidence`: the page with the evidence for the proposal.
 */
const SIDES = ['before', 'after', 'preview', 'evidence'] as const;
/** The side of a proposal that a document shows. */
export type ProposalSide = (typeof SIDES)[number];

/** A document of a proposal. */
export interface ProposalPlace {
  /** The id of the proposal. */
  readonly proposal: string;
  readonly side: ProposalSide;
  readonly path: string;
}

/** The URI of one side of a file in a proposal. */
export function createProposalUri({ proposal, side, path }: ProposalPlace): vscode.Uri {
  return vscode.Uri.from({ scheme: proposalScheme, path: `/${path}`, query: `${side}/${proposal}` });
}

/** The URI of the page with the evidence for a proposal. */
export function createEvidenceUri(proposal: TitledProposal): vscode.Uri {
  return createProposalUri({ proposal: proposal.id, side: 'evidence', path: evidenceNameOf(proposal) });
}

/** The proposal, side and path in the URI of a document of a proposal; null for any other URI. */
export function parseProposalUri(uri: vscode.Uri): ProposalPlace | null {
  if (uri.scheme !== proposalScheme) return null;
  const [name, proposal] = uri.query.split('/');
  const side = SIDES.find((candidate) => candidate === name);
  if (!proposal || !side) return null;
  return { proposal, side, path: uri.path.slice(1) };
}

/**
 * The URI of a rule's page with details of one opportunity:
 * selfware-proposal:/<rule>.md?explain/<opportunity>#<document>. `uri`: the URI of the document.
 */
export function createExplainUri({
  rule,
  opportunity,
  uri,
}: {
  readonly rule: string;
  readonly opportunity: string;
  readonly uri: string;
}): vscode.Uri {
  return vscode.Uri.from({
    scheme: proposalScheme,
    path: `/${rule}.md`,
    query: `explain/${opportunity}`,
    fragment: uri,
  });
}

/** The URI of a report page that was made on request: selfware-proposal:/<title>.md?report. */
export function createReportUri(title: string): vscode.Uri {
  return vscode.Uri.from({ scheme: proposalScheme, path: `/${toFileName(title)}.md`, query: 'report' });
}

/** True for the URI of a report page. */
export function isReportUri(uri: vscode.Uri): boolean {
  return uri.scheme === proposalScheme && uri.query === 'report';
}

/** The opportunity and the document of a URI that `createExplainUri` has made; null for any other URI. */
export function parseExplainUri(uri: vscode.Uri): { readonly opportunity: string; readonly uri: string } | null {
  const [name, opportunity] = uri.query.split('/');
  return uri.scheme === proposalScheme && name === 'explain' && opportunity ? { opportunity, uri: uri.fragment } : null;
}
