// Links of pages to places in files. Plain data in and out.

/**
 * The page with links that the preview of Markdown follows: it drops those with the scheme `file:`, and takes a path
 * that begins with a slash for one in the first folder. Links to files elsewhere become text. `root`: the address of
 * the first folder.
 */
export function addPlaceLinks(markdown: string, root: string | undefined): string {
  const inFirst = root === undefined ? markdown : markdown.replaceAll(`](${root}/`, '](/');
  return inFirst.replace(/\[([^\][\n]*)\]\(file:[^()\s]*\)/g, '$1');
}
