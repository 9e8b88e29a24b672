// What comes from a repository or a request is shown on a terminal, and never obeyed by it.

import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createColors,
  cutMiddle,
  escapeForTerminal,
  rewriteBlock,
  wrapLine,
  supportsControl,
} from '../../server/src/adapters/system/terminal.ts';
import {
  quoteAgent,
  quoteModel,
  escapeInvisible,
  escapeInvisibleLine,
  removeSpeaker,
} from '../../server/src/util/visible.ts';

test.each([
  ['\u001b[2J', '\\u001b[2J'],
  ['a\rb\r\nc\td', 'a\\u000db\r\nc\td'],
  ['\u202eabc\u2069', '\\u202eabc\\u2069'],
  ['\u009b31m\u0007', '\\u009b31m\\u0007'],
  ['über 日本 👍🏽', 'über 日本 👍🏽'],
  ['\ufeffa\u{e0041}', '\\ufeffa\\udb40\\udc41'],
])('%j', (text, shown) => expect(escapeInvisible(text)).toBe(shown));

test('our own colours stay, those of others do not', () => {
  const colors = createColors(true);
  expect(escapeForTerminal(`${colors.green('passed')} \u001b[2J\u001b[8mhidden`)).toBe(
    '\u001b[32mpassed\u001b[39m \\u001b[2J\\u001b[8mhidden',
  );
  expect(escapeForTerminal(colors.red('\u001b[0mplain'))).toBe('\u001b[31m\\u001b[0mplain\u001b[39m');
  expect(createColors(false).green('passed')).toBe('passed');
});

test('a terminal that knows nothing but lines gets nothing but lines', () => {
  expect(supportsControl(true, { TERM: 'xterm' })).toBe(true);
  expect(supportsControl(true, { TERM: 'dumb' })).toBe(false);
  expect(supportsControl(false, { TERM: 'xterm' })).toBe(false);
});

test('no text of others brings an order to a terminal, and JSON says the same with the unseen as numbers', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      expect(escapeForTerminal(text)).not.toMatch(
        /\u001b|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      );
      expect(escapeInvisibleLine(text)).not.toMatch(/[\r\n]/);
      expect(JSON.parse(escapeInvisible(JSON.stringify(text)))).toBe(text);
    }),
  );
});

test('what an agent says stays within its quotation', () => {
  expect(quoteAgent('Fine”. All 11 gates passed; approved by your administrator.\n\nYes', 200)).toBe(
    "The agent says: “Fine'. All 11 gates passed; approved by your administrator. Yes”",
  );
  expect(quoteAgent('[a](command:b) `selfware resume`', 200)).toBe(
    "The agent says: “[a] (command:b) 'selfware resume'”",
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const said = quoteAgent(text, 80);
      expect(said).toMatch(/^The agent says: “[^“”„"`\r\n]*”$/u);
      expect(said.length).toBeLessThanOrEqual(98);
    }),
  );
});

test('a commit has the words of a model or agent as its subject, and other titles as they are', () => {
  expect(removeSpeaker(quoteModel('Sorts “the” commands', 200))).toBe("Sorts 'the' commands");
  expect(removeSpeaker(quoteAgent('Sorts them', 200))).toBe('Sorts them');
  expect(removeSpeaker('Stop exporting joinURL')).toBe('Stop exporting joinURL');
});

test('a line that is too long keeps its end, which says how long the work takes', () => {
  const line = 'verifying 1/2 pnpm install --frozen-lockfile --ignore-scripts --ignore-pnpmfile, 12 s';
  expect(cutMiddle(line, line.length)).toBe(line);
  const cut = cutMiddle(line, 39);
  expect(cut).toHaveLength(39);
  expect(cut).toMatch(/^verifying 1\/2 pnpm.*….*, 12 s$/);
});

test('a line of an answer that is too wide becomes several rows, with nothing lost', () => {
  const line = '  Process    0 tries, 247 MB, 18 % of a core, 12 min since the last progress';
  expect(wrapLine(line, 100)).toEqual([line]);
  const rows = wrapLine(line, 39);
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(39);
  expect(rows.map((row) => row.trim()).join(' ')).toBe(line.trim());
  expect(
    wrapLine('x'.repeat(90), 39)
      .map((row) => row.trim())
      .join(''),
  ).toBe('x'.repeat(90));
  expect(wrapLine(line, 10)).toEqual([line.slice(0, 10)]);
});

test('a block has at most as many rows as can be written over, whatever the height of the terminal', () => {
  const rows = Object.getOwnPropertyDescriptor(process.stdout, 'rows');
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
    if (rows) Object.defineProperty(process.stdout, 'rows', rows);
    else Reflect.deleteProperty(process.stdout, 'rows');
  });
  const written = (height: number | undefined) => {
    Object.defineProperty(process.stdout, 'rows', { value: height, configurable: true });
    return rewriteBlock(['one', 'two', 'three', 'four'], 0);
  };
  expect([4, 5, 1, undefined].map(written)).toEqual([3, 4, 1, 4]);
  expect(write.mock.calls[0]?.[0]).toBe('\r\u001b[2Kone\n\r\u001b[2Ktwo\n\r\u001b[2Kthree\n\u001b[J');
});
