// The repository's formatter formats the lines that a change touched, and no others.

import { expect, test } from 'vitest';
import { formatChangedLines } from '../../../server/src/core/propose/formatting.ts';

const BEFORE =
  'const a=1\nfunction f( x ){\n  if(x) {\n    return a\n  } else {\n    return 2\n  }\n}\nconst   z = 3\n';
const AFTER = 'const a=1\nfunction f( x ){\n  if(x) {\n    return a\n  }\n  return 2\n}\nconst   z = 3\n';
const FORMATTED = 'const a = 1;\nfunction f(x) {\n  if (x) {\n    return a;\n  }\n  return 2;\n}\nconst z = 3;\n';

test('untouched lines keep their looks', () => {
  const result = formatChangedLines(BEFORE, AFTER, FORMATTED);
  expect(result).toContain('  return 2;\n');
  expect(result).toContain('const   z = 3\n');
  expect(result.startsWith('const a=1\n')).toBe(true);
});

test('a file that was formatted is formatted afterwards', () => {
  const before = FORMATTED.replace('  return 2;\n', '  const two = 2;\n  return two;\n');
  const after = FORMATTED.replace('  return 2;\n', '  return 2 ;\n');
  expect(formatChangedLines(before, after, FORMATTED)).toBe(FORMATTED);
});

test('lines that the formatter adds or joins within a change are taken, with their line breaks', () => {
  const before = 'one()\r\ntwo()\r\n';
  const after = 'one()\r\nthree(alpha, beta)\r\n';
  expect(formatChangedLines(before, after, 'one()\r\nthree(\r\n  alpha,\r\n  beta,\r\n)\r\n')).toBe(
    'one()\r\nthree(\r\n  alpha,\r\n  beta,\r\n)\r\n',
  );
  expect(formatChangedLines('', 'new( )', 'new()\n')).toBe('new()\n');
});
