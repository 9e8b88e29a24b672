// Messages inside VS Code name commands of VS Code: every command line in a text of the core has a palette title here,
// and every title exists.

import { expect, test } from 'vitest';
import { commandTable } from '../../client/src/commandTable.ts';
import {
  onlyInTerminal,
  paletteTitles,
  withCommandTitles,
  noticeWithCommandTitles,
} from '../../server/src/lsp/paletteWords.ts';
import { projectFiles, read } from './sourceFiles.ts';

const ours = { canReview: true };

/** Texts, not comments: of what may be shown by any face. */
function textsThatNameCommands(): readonly string[] {
  return projectFiles('.ts')
    .filter((path) => /^server\/src\/(core|adapters|app)\//.test(path))
    .flatMap((path) => read(path).split('\n'))
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line) && !line.startsWith('import '))
    .flatMap((line) => line.replaceAll('\\`', '`').match(/['"`].*\bselfware [a-z]+.*['"`]/g) ?? []);
}

test('command lines in texts are marked as such, and said in words of the palette where there are any', () => {
  const texts = textsThatNameCommands();
  const named = texts.flatMap((text) => text.match(/[^./]selfware (?:[a-z]+)(?: [a-z-]+)?/g) ?? []);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((command) => !command.startsWith('`'))).toEqual([]);
  const left = texts
    .flatMap((text) => withCommandTitles(text, ours).match(/`selfware [^`]+`/g) ?? [])
    .filter((command) => !onlyInTerminal.some((beginning) => command.startsWith(`\`selfware ${beginning}`)));
  expect(left).toEqual([]);
});

test('the titles are those of the palette', () => {
  const titles: readonly string[] = commandTable.filter(({ palette }) => palette).map(({ title }) => title);
  expect(Object.values(paletteTitles).filter((title) => !titles.includes(title))).toEqual([]);
});

test('other clients are told what the core says', () => {
  const action = 'Run `selfware resume` first, or `selfware proposals keep 4f`. `selfware graph` knows more.';
  expect(withCommandTitles(action, { canReview: false })).toBe(action);
  expect(noticeWithCommandTitles({ severity: 'info', message: 'Stopped.', action }, ours)).toEqual({
    severity: 'info',
    message: 'Stopped.',
    action: 'Run "Selfware: Resume" first, or "Selfware: Keep Change…". `selfware graph` knows more.',
  });
});
