// Reads wishes (tasks for unattended runs) from Markdown: the open items of its lists.

/**
 * Matches an item: `- [ ] text`, `* text`, `1. text`. The first group is the indentation, the second the mark of a
 * task.
 */
const ITEM_PATTERN = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?(\S.*)$/;

/**
 * The open items, in order, without their marks. Indented lines below an item belong to it, because a nested list
 * gives details of the item. Ticked items are done, and text outside of lists is not a wish.
 */
export function parseWishList(text: string): readonly string[] {
  const wishes: string[][] = [];
  let isOpen = false;
  for (const line of text.split(/\r?\n/)) {
    const item = ITEM_PATTERN.exec(line);
    if (item && item[1] === '') {
      isOpen = (item[2] ?? ' ') === ' ';
      if (isOpen) wishes.push([item[3]!]);
    } else if (/^\s+\S/.test(line)) {
      if (isOpen) wishes.at(-1)?.push(line.trim());
    } else if (line.trim() !== '') isOpen = false;
  }
  return wishes.map((lines) => lines.join('\n'));
}
