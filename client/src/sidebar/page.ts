// Makes the HTML page of the sidebar's webview. Its content security policy admits only the extension's own script,
// style sheet and icon font.

/** The parts of the page that differ between webviews. */
export interface PageParts {
  /** The source of style sheets and fonts in the content security policy. */
  readonly source: string;
  /** A random value, new for each page, by which the content security policy admits the script. */
  readonly nonce: string;
  /** Returns the URI of a file in dist/webview, as the webview can load it. */
  readonly uriOf: (file: 'main.js' | 'styles.css') => string;
}

/** The page as HTML. */
export function renderPage({ source, nonce, uriOf }: PageParts): string {
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
<link rel="stylesheet" href="${uriOf('styles.css')}">
<title>Selfware</title>
</head>
<body>
<selfware-sidebar></selfware-sidebar>
<script type="module" nonce="${nonce}" src="${uriOf('main.js')}"></script>
</body>
</html>`;
}
