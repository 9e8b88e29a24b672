// Addresses of the two virtual documents of a reviewed file: selfware-proposal:/<path>?<side>/<proposal>, so that labels and breadcrumbs show the path alone.

import * as vscode from 'vscode';

export const proposalScheme = 'selfware-proposal';

export type Side = 'before' | 'after';

export interface ProposalPlace {
  readonly proposal: string;
  readonly side: Side;
  readonly path: string;
}

export function proposalUri({ proposal, side, path }: ProposalPlace): vscode.Uri {
  return vscode.Uri.from({ scheme: proposalScheme, path: `/${path}`, query: `${side}/${proposal}` });
}

/** Null for an address that is not of this form. */
export function proposalPlace(uri: vscode.Uri): ProposalPlace | null {
  if (uri.scheme !== proposalScheme) return null;
  const [side, proposal] = uri.query.split('/');
  if (!proposal || (side !== 'before' && side !== 'after')) return null;
  return { proposal, side, path: uri.path.slice(1) };
}
