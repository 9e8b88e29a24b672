// Addresses of files of rules that are read before a decision: selfware-rules:/<path>?<hash>#<folder>.

import * as vscode from 'vscode';

/** The scheme of these addresses. */
export const rulesScheme = 'selfware-rules';

/** One text of a file of rules. */
export interface RulesPlace {
  /** URI of the workspace folder. */
  readonly folder: string;
  /** Path of the file in the folder. */
  readonly path: string;
  /** The hash of the text that is shown. */
  readonly hash: string;
}

/** The address of a text. */
export function rulesUri({ folder, path, hash }: RulesPlace): vscode.Uri {
  return vscode.Uri.from({ scheme: rulesScheme, path: `/${path}`, query: hash, fragment: folder });
}

/** The parts of such an address; null for any other address. */
export function parseRulesUri({ scheme, path, query, fragment }: vscode.Uri): RulesPlace | null {
  return scheme === rulesScheme ? { folder: fragment, path: path.slice(1), hash: query } : null;
}
