// Replaces the generated part of a documentation page, which is between two comments.

/** The page with `lines` as its content between `<!-- NAME: … -->` and `<!-- /NAME -->`. */
export function replaceGenerated(page, name, lines) {
  const start = page.indexOf('\n', page.indexOf(`<!-- ${name}: `)) + 1;
  const end = page.indexOf(`<!-- /${name} -->`);
  return `${page.slice(0, start)}\n${lines.join('\n')}\n\n${page.slice(end)}`;
}
