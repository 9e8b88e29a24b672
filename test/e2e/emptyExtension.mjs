// An extension that does nothing, activated by the same event as ours: what of an activation is the machine's and VS
// Code's own.

import { packPeer } from './peerExtension.mjs';

/** Packs it and returns the path of the package. */
export function makeEmptyExtension(name) {
  return packPeer(
    'empty',
    { displayName: name },
    "const vscode = require('vscode');\nexports.activate = () => void vscode.version;\n",
  );
}
