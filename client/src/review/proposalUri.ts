// Addresses of the two virtual documents of a reviewed file: selfware-proposal:/<proposal>/<side>/<path>.

import * as vscode from 'vscode';

export const proposalScheme = 'selfware-proposal';

export type Side = 'before' | 'after';

export interface ProposalPlace {
  readonly proposal: string;
  readonly side: Side;
  readonly path: string;
}

export function proposalUri({ proposal, side, path }: ProposalPlace): vscode.Uri {
  return vscode.Uri.from({ scheme: proposalScheme, path: `/${proposal}/${side}/${path}` });
}

/** Null for an address that is not of this form. */
export function proposalPlace(uri: vscode.Uri): ProposalPlace | null {
  if (uri.scheme !== proposalScheme) return null;
  const [, proposal, side, ...path] = uri.path.split('/');
  if (!proposal || (side !== 'before' && side !== 'after') || path.length === 0) return null;
  return { proposal, side, path: path.join('/') };
}
