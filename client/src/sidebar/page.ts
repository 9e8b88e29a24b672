// The HTML shell of the sidebar. It loads nothing but our own script, style sheet and icon font.

export interface PageParts {
  /** Origin that style sheets and fonts come from. */
  readonly source: string;
  /** Fresh for each page. */
  readonly nonce: string;
  /** Address of a file of dist/webview. */
  readonly address: (file: 'main.js' | 'styles.css') => string;
}

export function sidebarPage({ source, nonce, address }: PageParts): string {
  const policy = [
    `default-src 'none'`,
    `style-src ${source}`,
    `font-src ${source}`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
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
