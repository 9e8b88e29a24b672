// Draws the pictures of the walkthrough, media/walkthrough/*.svg, with the colours of the theme of VS Code.
// Usage: node scripts/drawWalkthrough.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'media', 'walkthrough');

/**
 * The colours, by their meaning. If a theme lacks a colour (high contrast themes have few background colours), a colour
 * that every theme has is used.
 */
const ink = 'var(--vscode-foreground)';
const secondaryInk = 'var(--vscode-descriptionForeground, var(--vscode-foreground))';
const borderColour = 'var(--vscode-contrastBorder, var(--vscode-widget-border, var(--vscode-descriptionForeground)))';
const surface = 'var(--vscode-editor-background)';
const raisedSurface = 'var(--vscode-sideBar-background, var(--vscode-editor-background))';
const accentColour = 'var(--vscode-textLink-foreground)';
const successColour = 'var(--vscode-testing-iconPassed, var(--vscode-textLink-foreground))';
const warningColour = 'var(--vscode-editorWarning-foreground, var(--vscode-textLink-foreground))';
const removedColour = 'var(--vscode-gitDecoration-deletedResourceForeground, var(--vscode-editorError-foreground))';
const buttonColour = 'var(--vscode-button-background, var(--vscode-editor-background))';
const buttonTextColour = 'var(--vscode-button-foreground, var(--vscode-foreground))';

/** A rectangle with rounded corners. */
const box = (x, y, width, height, fill = surface, radius = 6) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}" stroke="${borderColour}"/>`;
/** A text of one line. */
const text = (x, y, content, { fill = ink, size = 13, weight = 400, anchor = 'start' } = {}) =>
  `<text x="${x}" y="${y}" fill="${fill}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}">${content}</text>`;
/** A bar that represents a line of code. */
const codeBar = (x, y, width, fill = secondaryInk, opacity = 0.55) =>
  `<rect x="${x}" y="${y}" width="${width}" height="7" rx="3.5" fill="${fill}" opacity="${opacity}"/>`;
/** A check mark in a circle. */
const checkMark = (x, y, colour = successColour) =>
  `<circle cx="${x}" cy="${y}" r="9" fill="none" stroke="${colour}" stroke-width="1.6"/><path d="M${x - 4} ${y} l3 3.4 l5.4 -6.4" fill="none" stroke="${colour}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>`;
/** A button with a text. */
const buttonBox = (
  x,
  y,
  content,
  { fill = buttonColour, colour = buttonTextColour, width = content.length * 7 + 22 } = {},
) =>
  box(x, y, width, 26, fill, 4) +
  text(x + width / 2, y + 17.5, content, { fill: colour, size: 12.5, anchor: 'middle' });
/** A wavy line that underlines code. */
const squiggle = (x, y, width) =>
  `<path d="M${x} ${y} ${'q3 -4 6 0 t6 0 '.repeat(Math.round(width / 12))}" fill="none" stroke="${warningColour}" stroke-width="1.8"/>`;

const pictures = {
  open: [
    box(30, 40, 190, 250, raisedSurface),
    text(48, 68, 'grades', { weight: 600 }),
    ...['src', 'grade.ts', 'clamp.ts', 'report.ts', 'test', 'grade.test.js'].flatMap((name, index) => [
      `<path d="M${/\./.test(name) ? 66 : 50} ${88 + index * 32} h8 l4 4 v12 h-12 z" fill="none" stroke="${secondaryInk}"/>`,
      text(/\./.test(name) ? 86 : 70, 100 + index * 32, name, { fill: secondaryInk }),
    ]),
    `<path d="M236 165 h52" stroke="${accentColour}" stroke-width="2.4"/><path d="M280 157 l10 8 l-10 8" fill="none" stroke="${accentColour}" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>`,
    box(306, 70, 224, 190),
    ...[0, 1, 2, 3].flatMap((row) =>
      [0, 1, 2, 3, 4, 5].map(
        (column) =>
          `<rect x="${326 + column * 32}" y="${92 + row * 28}" width="24" height="18" rx="3" fill="${row * 6 + column < 17 ? accentColour : 'none'}" stroke="${row * 6 + column < 17 ? accentColour : borderColour}" opacity="${row * 6 + column < 17 ? 0.35 + ((row * 7 + column * 5) % 6) / 10 : 0.7}"/>`,
      ),
    ),
    text(326, 234, 'What it does, found by words', { fill: secondaryInk, size: 12 }),
    box(30, 308, 500, 28, raisedSurface, 3),
    text(46, 327, '⟳ Indexing 1,208 of 1,704', { size: 12.5 }),
    text(514, 327, 'Pause · Cancel', { size: 12.5, fill: accentColour, anchor: 'end' }),
  ],
  see: [
    box(30, 40, 500, 176),
    codeBar(54, 66, 210),
    codeBar(54, 90, 150),
    codeBar(76, 114, 236),
    text(76, 145, 'import', { fill: secondaryInk }),
    text(122, 145, 'round', { fill: ink, weight: 600 }),
    squiggle(122, 151, 36),
    codeBar(172, 138, 120),
    codeBar(76, 164, 190),
    codeBar(54, 188, 110),
    `<path d="M62 138 a8 8 0 1 1 8 8 M58 150 h8 M59 154 h6" transform="translate(-20 -6)" fill="none" stroke="${warningColour}" stroke-width="1.8" stroke-linecap="round"/>`,
    box(150, 164, 210, 104, raisedSurface),
    `<rect x="151" y="172" width="208" height="24" fill="${accentColour}" opacity="0.25"/>`,
    text(168, 189, 'Improve: round is never read', { size: 12.5 }),
    text(168, 214, 'Explain unused-import', { size: 12.5, fill: secondaryInk }),
    text(168, 234, 'Dismiss this unused-import…', { size: 12.5, fill: secondaryInk }),
    text(168, 254, 'Suppress it, with a reason', { size: 12.5, fill: secondaryInk }),
    box(30, 284, 500, 56, raisedSurface),
    text(48, 307, 'PROBLEMS', { size: 11, weight: 600 }),
    `<circle cx="54" cy="324" r="5" fill="none" stroke="${accentColour}" stroke-width="1.6"/>`,
    text(68, 328, 'round is imported but never read.', { size: 12.5 }),
    text(512, 328, 'unused-import', { size: 12.5, fill: accentColour, anchor: 'end' }),
  ],
  review: [
    box(30, 40, 310, 296),
    codeBar(54, 62, 180),
    codeBar(54, 84, 220),
    text(54, 126, 'Why? Nothing reads round', { fill: secondaryInk, size: 11.5 }),
    codeBar(54, 138, 150),
    `<rect x="31" y="156" width="308" height="26" fill="${removedColour}" opacity="0.18"/>`,
    text(40, 173, '−', { fill: removedColour }),
    codeBar(58, 165, 216, removedColour, 0.8),
    text(54, 203, 'Apply | Reject | Proven | +2.7 points', { fill: secondaryInk, size: 11.5 }),
    codeBar(54, 216, 200),
    codeBar(76, 238, 160),
    codeBar(76, 260, 194),
    codeBar(54, 282, 90),
    box(356, 40, 174, 296, raisedSurface),
    text(370, 64, 'TO DECIDE', { size: 11, weight: 600 }),
    text(370, 88, 'Remove unused', { weight: 600, size: 12.5 }),
    text(370, 105, 'round in math.ts', { weight: 600, size: 12.5 }),
    text(370, 126, 'Proven', { weight: 600, size: 12.5 }),
    text(424, 126, '· +2.7 points', { size: 12.5, fill: successColour }),
    buttonBox(370, 138, 'Apply', { width: 48 }),
    buttonBox(422, 138, 'Review', { width: 52, fill: surface, colour: ink }),
    buttonBox(478, 138, 'Reject', { width: 46, fill: surface, colour: ink }),
    ...['Tests untouched', 'Points', 'Types', 'Linter', 'Tests', 'Same behaviour'].flatMap((check, index) => [
      checkMark(380, 188 + index * 25),
      text(398, 192.5 + index * 25, check, { size: 12.5 }),
    ]),
  ],
  rollback: [
    box(30, 40, 500, 296),
    text(54, 72, 'Checkpoints', { weight: 600, size: 15 }),
    `<path d="M70 100 v200" stroke="${borderColour}" stroke-width="2"/>`,
    ...[
      ['Remove an unneeded else in grade', '3 minutes ago', successColour],
      ['Remove unused clamp in math.ts', '12 minutes ago', accentColour],
      ['Document parse', 'yesterday', successColour],
    ].flatMap(([title, when, colour], index) => [
      `<circle cx="70" cy="${118 + index * 74}" r="9" fill="${surface}" stroke="${colour}" stroke-width="3"/>`,
      text(98, 115 + index * 74, title, { size: 13.5 }),
      text(98, 135 + index * 74, when, { fill: secondaryInk, size: 12 }),
    ]),
    buttonBox(410, 178, 'Roll back', { width: 96 }),
    `<path d="M400 191 C 340 191 330 236 372 244 M372 244 l-9 -7 M372 244 l-7 8" transform="translate(-14 0)" fill="none" stroke="${accentColour}" stroke-width="2" stroke-linecap="round"/>`,
    text(366, 262, 'the bytes from before,', { fill: secondaryInk, size: 12 }),
    text(366, 279, 'around what you wrote since', { fill: secondaryInk, size: 12 }),
  ],
  charter: [
    box(110, 34, 340, 306),
    text(140, 74, 'Charter', { weight: 600, size: 17 }),
    text(140, 96, '.selfware/charter.json', { fill: secondaryInk, size: 12 }),
    `<path d="M140 110 h280" stroke="${borderColour}"/>`,
    checkMark(152, 142),
    text(174, 140, 'approval', { size: 13.5 }),
    text(174, 159, 'strict: every change asks you', { fill: secondaryInk, size: 12 }),
    checkMark(152, 198),
    text(174, 196, 'maxChanges', { size: 13.5 }),
    text(174, 215, 'at most 10 in a session', { fill: secondaryInk, size: 12 }),
    checkMark(152, 254),
    text(174, 252, 'protectedPaths', { size: 13.5 }),
    text(174, 271, 'never touched, whatever it says', { fill: secondaryInk, size: 12 }),
    `<circle cx="404" cy="296" r="24" fill="${surface}" stroke="${accentColour}" stroke-width="2.4"/><path d="M404 281 l12 5 v9 c0 8 -5 13 -12 16 c-7 -3 -12 -8 -12 -16 v-9 z" fill="none" stroke="${accentColour}" stroke-width="2"/>`,
    text(140, 306, 'It can only tighten what you set.', { size: 12, fill: secondaryInk }),
  ],
};

mkdirSync(folder, { recursive: true });
for (const [name, parts] of Object.entries(pictures)) {
  writeFileSync(
    join(folder, `${name}.svg`),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 376" width="560" height="376" font-family="var(--vscode-font-family, sans-serif)">\n${parts.map((part) => `  ${part}`).join('\n')}\n</svg>\n`,
  );
}
