// Messages inside VS Code name commands of VS Code: every command line in a text of the core has a palette title here,
// and every title exists.

import { expect, test } from 'vitest';
import { commandTable } from '../../client/src/commandTable.ts';
import {
  onlyInTerminal,
  paletteTitles,
  insertCommandTitles,
  insertTitlesIntoNotice,
  insertTitlesIntoPage,
} from '../../server/src/lsp/paletteTitles.ts';
import { fencedBlock, codeSpan, indentMarkdown, joinLines, md } from '../../server/src/protocol/markdown.ts';
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
    .flatMap((text) => insertCommandTitles(text, ours).match(/`selfware [^`]+`/g) ?? [])
    .filter((command) => !onlyInTerminal.some((beginning) => command.startsWith(`\`selfware ${beginning}`)));
  expect(left).toEqual([]);
});

test('the titles are those of the palette', () => {
  const titles: readonly string[] = commandTable.filter(({ palette }) => palette).map(({ title }) => title);
  expect(Object.values(paletteTitles).filter((title) => !titles.includes(title))).toEqual([]);
});

test('a command line about one change of a night is the command of VS Code, which asks for the changes', () => {
  expect(insertCommandTitles('`selfware night drop 3`, `selfware night accept 12`, `selfware night drop`', ours)).toBe(
    '"Selfware: Drop the Night\'s Changes…", "Selfware: Take the Night\'s Changes…", ' +
      '"Selfware: Drop the Night\'s Changes…"',
  );
});

test('other clients are told what the core says', () => {
  const action = 'Run `selfware resume` first, or `selfware proposals keep 4f`. `selfware graph` knows more.';
  expect(insertCommandTitles(action, { canReview: false })).toBe(action);
  expect(insertTitlesIntoNotice({ severity: 'info', message: 'Stopped.', action }, ours)).toEqual({
    severity: 'info',
    message: 'Stopped.',
    action: 'Run "Selfware: Resume" first, or "Selfware: Keep Change…". `selfware graph` knows more.',
  });
});

test('a diff on a page is shown as it is, whatever it says', () => {
  const diff = [
    '+  const text = `selfware models ${words}',
    '+    ${await fetch(address)}',
    '+    done`; run(`selfware night`);',
  ].join('\n');
  const page = joinLines([
    md`Run \`selfware report\`.`,
    '',
    fencedBlock(diff, 'diff'),
    indentMarkdown(fencedBlock('`selfware night`')),
  ]);
  const text = insertTitlesIntoPage(`${page}\n\nOr \`selfware stop\`.`, ours);
  expect(text).toBe(
    `Run "Selfware: Show Last Night".\n\n${fencedBlock(diff, 'diff')}\n${indentMarkdown(fencedBlock('`selfware night`'))}\n\nOr "Selfware: Stop…".`,
  );
  expect(insertCommandTitles(diff.replace('; run(`selfware night`)', ''), ours)).toContain('${await fetch(address)}');
});

test('a quotation with longer marks than ours is no command line of ours', () => {
  const quoted = codeSpan('runs `selfware night`').toString();
  expect(insertTitlesIntoPage(`It ${quoted}: run \`selfware stop\`.`, ours)).toBe(
    `It ${quoted}: run "Selfware: Stop…".`,
  );
  const inline = '``` a ` b ``` and `selfware stop`.';
  expect(insertTitlesIntoPage(inline, ours)).toBe('``` a ` b ``` and "Selfware: Stop…".');
});
