// Rewrites the links of report pages to files so that VS Code's Markdown preview follows them. Does not use VS Code's
// API.

/**
 * The page with links that the Markdown preview follows. The preview ignores links with the scheme `file:`, and
 * resolves a path with a leading slash in the first workspace folder. So links into that folder become such paths, and
 * links to other files become plain text. `folderUri`: the URI of the first folder; undefined if there is none.
 */
export function rewriteFileLinks(markdown: string, folderUri: string | undefined): string {
  const markdownWithFolderLinks = folderUri === undefined ? markdown : markdown.replaceAll(`](${folderUri}/`, '](/');
  return markdownWithFolderLinks.replace(/\[([^\][\n]*)\]\(file:[^()\s]*\)/g, '$1');
}
