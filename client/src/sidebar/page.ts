// The HTML shell of the sidebar. It loads only the extension's own script, style sheet and icon font.

/** The parts in which two pages differ. */
export interface PageParts {
  /** Origin of style sheets and fonts. */
  readonly source: string;
  /** A new value for each page, with which the content security policy admits the script. */
  readonly nonce: string;
  /** Returns the address of a file in dist/webview. */
  readonly address: (file: 'main.js' | 'styles.css') => string;
}

/** The whole page as HTML. */
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
