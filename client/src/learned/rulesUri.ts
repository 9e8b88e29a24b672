// Makes and parses the URIs of repository rules that a person reads before deciding:
// selfware-rules:/<path>?<hash>#<folder>.

import * as vscode from 'vscode';

/** The scheme of these URIs. */
export const rulesScheme = 'selfware-rules';

/** One version of a file of repository rules. */
export interface RulesPlace {
  /** URI of the workspace folder. */
  readonly folder: string;
  /** Path of the file in the folder. */
  readonly path: string;
  /** The hash of the text that is shown. */
  readonly hash: string;
}

/** The URI of one version of a file. */
export function createRulesUri({ folder, path, hash }: RulesPlace): vscode.Uri {
  return vscode.Uri.from({ scheme: rulesScheme, path: `/${path}`, query: hash, fragment: folder });
}

/** The folder, path and hash in the URI of repository rules; null for a URI of any other scheme. */
export function parseRulesUri({ scheme, path, query, fragment }: vscode.Uri): RulesPlace | null {
  return scheme === rulesScheme ? { folder: fragment, path: path.slice(1), hash: query } : null;
}
