// The HTML shell of the sidebar: nothing may load but our own script, style sheet and icon font.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

export function sidebarPage(webview: vscode.Webview, folder: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
  const policy = [`default-src 'none'`, `style-src ${webview.cspSource}`, `font-src ${webview.cspSource}`, `script-src 'nonce-${nonce}'`].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${address('styles.css')}">
<title>Selfware</title>
</head>
<body>
<selfware-sidebar></selfware-sidebar>
<script type="module" nonce="${nonce}" src="${address('main.js')}"></script>
</body>
</html>`;
}
